(* An executable check that no infinite path of a finite graph is bad. Ranks come from an
   oracle that nothing is assumed of: they are checked, arc by arc. *)
From Coq Require Import List Arith Lia Bool Classical PArith FMapPositive.
Import ListNotations.
Require Import Spec Base.
Module PM := PositiveMap.

Lemma io_shift P N : infinitely_often (fun n => P (N + n)) <-> infinitely_often P.
Proof.
  split; intros H n.
  - destruct (H n) as (m & L & K); exists (N + m); split; [lia | auto].
  - destruct (H (N + n)) as (m & L & K); exists (m - N); split; [lia |]. replace (N + (m - N)) with m by lia; auto.
Qed.

Lemma nonincreasing k : forall f : nat -> nat, f 0 <= k -> (forall n, f (S n) <= f n) ->
  exists N, forall n, N <= n -> f n = f N.
Proof.
  induction k as [k IH] using lt_wf_ind; intros f L D. destruct (classic (exists n, f n < f 0)) as [(n & Ln) | N].
  - destruct (IH (f n) ltac:(lia) (fun i => f (n + i))) as (N & HN).
    + rewrite Nat.add_0_r; auto.
    + intros i; rewrite Nat.add_succ_r; auto.
    + exists (n + N); intros i Li; replace i with (n + (i - n)) by lia; apply HN; lia.
  - assert (HL : forall n, f n <= f 0).
    { induction n; auto; specialize (D n); lia. }
    exists 0; intros n _; destruct (le_lt_dec (f 0) (f n)) as [C | C].
    + specialize (HL n); lia.
    + exfalso; eauto.
Qed.

Section Bucket.
  Variable A : Type.
  Variable key : A -> positive.
  Definition get (m : PM.t (list A)) k := match PM.find k m with Some g => g | None => [] end.
  Definition badd m x := PM.add (key x) (x :: get m (key x)) m.
  Definition bucket l := fold_left badd l (PM.empty (list A)).

  Lemma get_badd m x k : get (badd m x) k = if Pos.eq_dec k (key x) then x :: get m k else get m k.
  Proof.
    unfold badd; destruct (Pos.eq_dec k (key x)) as [-> | N]; unfold get at 1.
    - rewrite PM.gss; auto.
    - rewrite PM.gso; auto.
  Qed.

  Lemma bucket_in l x : In x l -> In x (get (bucket l) (key x)).
  Proof.
    unfold bucket; generalize (PM.empty (list A)) as m.
    assert (Keep : forall k m, In x (get m (key x)) -> In x (get (fold_left badd k m) (key x))).
    { induction k as [| y k IH]; simpl; auto.
      intros m Hm; apply IH; rewrite get_badd; destruct Pos.eq_dec; simpl; auto. }
    induction l as [| y l IH]; simpl; [tauto |]. intros m [-> | Hx]; auto.
    apply Keep; rewrite get_badd; destruct Pos.eq_dec; simpl; tauto.
  Qed.

  Lemma bucket_group l x : In x l ->
    exists g, In (key x, g) (PM.elements (bucket l)) /\ forall y, In y l -> key y = key x -> In y g.
  Proof.
    intros Hx; pose proof (bucket_in l x Hx) as HG; unfold get in HG.
    destruct (PM.find (key x) (bucket l)) as [g |] eqn:E; [| inversion HG].
    exists g; split; [apply PM.elements_correct; auto |].
    intros y Hy Hk; pose proof (bucket_in l y Hy) as HG2; unfold get in HG2. rewrite Hk, E in HG2; auto.
  Qed.
End Bucket.

Definition arcs := list (arc positive).

(* What filter keeps, in another order: filter needs a stack as long as the list. *)
Definition keep {A} (f : A -> bool) (l : list A) := fold_left (fun out x => if f x then x :: out else out) l [].
Lemma keep_In {A} f (l : list A) x : In x (keep f l) <-> In x l /\ f x = true.
Proof.
  assert (H : forall out, In x (fold_left (fun out y => if f y then y :: out else out) l out) <->
    In x out \/ In x l /\ f x = true); [| rewrite (H []); simpl; tauto].
  induction l as [| y l IH]; simpl; intros out; [tauto |]. rewrite IH. destruct (f y) eqn:E; simpl; intuition (subst; auto; congruence).
Qed.

(* The arc, if it stays on its level; nothing if it leads to a lower one. *)
Definition within (level : positive -> positive) (e : arc positive) : option arcs :=
  if Pos.eqb (level (dst e)) (level (src e)) then Some [e]
  else if Pos.leb (level (dst e)) (level (src e)) then Some [] else None.

Definition mem (m : nat) (l : list nat) := existsb (Nat.eqb m) l.
Lemma mem_in m l : mem m l = true <-> In m l.
Proof.
  unfold mem; rewrite existsb_exists; split.
  - intros (x & Hx & E); apply Nat.eqb_eq in E; subst; auto.
  - intros Hm; exists m; rewrite Nat.eqb_refl; auto.
Qed.

Definition add_mark (l : list nat) (m : nat) := if mem m l then l else m :: l.
Definition all_marks (E : arcs) := fold_left (fun l e => fold_left add_mark (marks e) l) E [].

Lemma all_marks_in E e m : In e E -> In m (marks e) -> In m (all_marks E).
Proof.
  assert (K1 : forall l l0, In m l0 -> In m (fold_left add_mark l l0)).
  { induction l as [| x l IH]; simpl; auto; intros l0 Hm; apply IH.
    unfold add_mark; destruct (mem x l0); simpl; auto. }
  assert (K2 : forall l l0, In m l -> In m (fold_left add_mark l l0)).
  { induction l as [| x l IH]; simpl; [tauto |]; intros l0 [-> | Hm]; auto.
    apply K1; unfold add_mark; destruct (mem m l0) eqn:C; simpl; auto; apply mem_in; auto. }
  assert (K3 : forall (D : arcs) l0, In m l0 -> In m (fold_left (fun l e => fold_left add_mark (marks e) l) D l0)).
  { induction D as [| x D IH]; simpl; auto. }
  unfold all_marks; generalize (@nil nat) as l0.
  induction E as [| x E IH]; simpl; [tauto |]; intros l0 [-> | He] Hm; auto.
Qed.

Section Cyc.
  Variable oracle : arcs -> PM.t positive.
  Definition rank_in (t : PM.t positive) (p : positive) :=
    match PM.find p t with Some r => r | None => 1%positive end.

  (* Can a part of these arcs, with marks `seen`, satisfy a? *)
  Fixpoint possible (seen : nat -> bool) (a : acc) : bool :=
    match a with
    | ATrue => true | AFalse => false
    | AInf m => seen m | AFin m => true
    | AAnd a b => possible seen a && possible seen b
    | AOr a b => possible seen a || possible seen b
    end.

  Fixpoint pick (seen : nat -> bool) (a : acc) : option nat :=
    match a with
    | AFin m => if seen m then Some m else None
    | AAnd a b | AOr a b => match pick seen a with Some m => Some m | None => pick seen b end
    | _ => None
    end.

  (* The condition for paths that see m. It keeps Inf(m): a smaller part may have lost m. *)
  Fixpoint with_mark (m : nat) (a : acc) : acc :=
    match a with
    | AInf k => if k =? m then ATrue else a
    | AFin k => if k =? m then AFalse else a
    | AAnd a b => AAnd (with_mark m a) (with_mark m b)
    | AOr a b => AOr (with_mark m a) (with_mark m b)
    | _ => a
    end.

  Fixpoint cyc (fuel : nat) (E : arcs) (a : acc) : bool :=
    match fuel with
    | 0 => false
    | S fuel =>
      let table := oracle E in              (* asked once: a table, not a function *)
      let rank := rank_in table in
      forallb (fun e => Pos.leb (rank (dst e)) (rank (src e))) E &&
      forallb (fun g : positive * arcs =>
          let part := snd g in
          let ms := all_marks part in
          let seen := fun m => mem m ms in
          if possible seen a then
            match pick seen a with
            | None => false
            | Some m => cyc fuel (keep (fun e => negb (mem m (marks e))) part) a &&
                        cyc fuel part (AAnd (AInf m) (with_mark m a))
            end
          else true)
        (PM.elements (bucket _ (fun e => rank (src e))
           (keep (fun e => Pos.eqb (rank (dst e)) (rank (src e))) E)))
    end.

  Lemma possible_sat (I : nat -> Prop) seen a : (forall m, I m -> seen m = true) -> sat I a -> possible seen a = true.
  Proof.
    intros H; induction a; simpl; auto.
    - rewrite andb_true_iff; tauto.
    - rewrite orb_true_iff; tauto.
  Qed.

  Lemma with_mark_sat (I : nat -> Prop) m a : I m -> sat I a -> sat I (with_mark m a).
  Proof.
    intros H; induction a; simpl; try tauto.
    - destruct (m0 =? m); simpl; auto.
    - destruct (m0 =? m) eqn:E; simpl; auto; apply Nat.eqb_eq in E; subst; tauto.
  Qed.

  Lemma shift_sat (r : nat -> arc positive) N a :
    sat (recurring (fun n => marks (r n))) a -> sat (recurring (fun n => marks (r (N + n)))) a.
  Proof.
    apply sat_ext; intros m; unfold recurring; first [apply (io_shift (fun n => In m (marks (r n))) N)
          | symmetry; apply (io_shift (fun n => In m (marks (r n))) N)].
  Qed.

  (* No arc leads to a higher level, so a path stays on one from some point on: only arcs within a level matter. *)
  Lemma nobad_level (level : positive -> positive) (P Q : arc positive -> Prop) a :
    (forall e, P e -> Pos.leb (level (dst e)) (level (src e)) = true) ->
    (forall e, P e -> level (dst e) = level (src e) -> Q e) -> nobad Q a -> nobad P a.
  Proof.
    intros HL HQ NB r Pr HP Hs. destruct (nonincreasing _ (fun n => Pos.to_nat (level (src (r n)))) (le_n _)) as (N & HN).
    { intros n; rewrite <- (Pr n). apply Pos2Nat.inj_le, Pos.leb_le, HL, HP. }
    apply (NB (fun n => r (N + n))); [| | apply (shift_sat r N); auto]; intros n.
    - rewrite Nat.add_succ_r; auto.
    - apply HQ; auto. apply Pos2Nat.inj; rewrite (Pr (N + n)), (HN (S (N + n))), (HN (N + n)) by lia; auto.
  Qed.

  Theorem cyc_sound fuel : forall E a, cyc fuel E a = true -> nobad (fun e => In e E) a.
  Proof.
    induction fuel as [| fuel IH]; simpl; intros E a; [discriminate |].
    set (rank := rank_in (oracle E)); rewrite andb_true_iff, !forallb_forall; intros (HR & HG).
    set (E' := keep (fun e => Pos.eqb (rank (dst e)) (rank (src e))) E) in *.
    apply (nobad_level rank _ (fun e => In e E')); [exact HR | |].
    { intros e He Q; apply keep_In; split; auto; apply Pos.eqb_eq; auto. }
    intros r P HE Hs. assert (HC : forall n, rank (src (r n)) = rank (src (r 0))).
    { induction n as [| n IHn]; auto. rewrite <- IHn, <- (P n). apply Pos.eqb_eq, (proj1 (keep_In _ _ _) (HE n)). }
    destruct (bucket_group _ (fun e => rank (src e)) E' (r 0) (HE 0)) as (g & Hg & Hin).
    specialize (HG _ Hg); simpl in HG. assert (Hg' : forall n, In (r n) g) by (intros n; apply Hin; auto).
    assert (Seen : forall m, recurring (fun n => marks (r n)) m -> mem m (all_marks g) = true).
    { intros m Hm; destruct (Hm 0) as (n & _ & Hn). apply mem_in; eapply all_marks_in; eauto. }
    rewrite (possible_sat _ _ a Seen Hs) in HG.
    destruct (pick (fun m => mem m (all_marks g)) a) as [m |]; [| discriminate].
    apply andb_true_iff in HG; destruct HG as (G1 & G2).
    destruct (classic (recurring (fun n => marks (r n)) m)) as [Hm | Hm].
    - apply (IH _ _ G2 r); auto; split; auto using with_mark_sat.
    - apply not_all_ex_not in Hm; destruct Hm as (N2 & Hm). apply (IH _ _ G1 (fun n => r (N2 + n))).
      + intros n; rewrite Nat.add_succ_r; auto.
      + intros n; apply keep_In; split; auto; apply negb_true_iff, not_true_is_false.
        rewrite mem_in; intros C; apply Hm; exists (N2 + n); split; [lia | auto].
      + apply (shift_sat r); auto.
  Qed.

  Lemma cyc_within level fuel E a : cyc fuel E a = true ->
    nobad (fun e => exists o, within level e = Some o /\ incl o E) a.
  Proof.
    intros HC; apply (nobad_level level _ (fun e => In e E)); [| | apply (cyc_sound _ _ _ HC)]; unfold within;
      intros e (o & Ho & I); [| intros Q; apply I; rewrite Q, Pos.eqb_refl in Ho; inversion Ho; simpl; auto].
    destruct (Pos.eqb_spec (level (dst e)) (level (src e))) as [Q | _]; [rewrite Q; apply Pos.leb_refl |].
    destruct (Pos.leb _ _); congruence.
  Qed.
End Cyc.
