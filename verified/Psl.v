(* The core of PSL: suffixes with `now` and `next`, pending digits and their mark, and
   derivatives of regular expressions. Not yet joined to the tableau. *)
From Coq Require Import List Arith Lia Bool Classical ClassicalEpsilon.
Import ListNotations.
Require Import Spec Base.

Section Breakpoint.
  Variable Q : Type.                       (* suffixes *)
  Variable now : nat -> Q -> Prop.         (* at a position of the word *)
  Variable next : nat -> Q -> Q -> Prop.   (* next i q q': q' is the next of q; at most one *)
  Hypothesis next_fun : forall i q a b, next i q a -> next i q b -> a = b.

  (* The least solution: a finite chain of next leads to now. *)
  Inductive ful : nat -> Q -> Prop :=
  | ful_now i q : now i q -> ful i q
  | ful_next i q q' : next i q q' -> ful (S i) q' -> ful i q.

  Definition law (v : nat -> Q -> Prop) :=
    forall i q, v i q <-> now i q \/ exists q', next i q q' /\ v (S i) q'.

  (* Pending suffixes; where none is, all true ones become pending. *)
  Definition active (v pend : nat -> Q -> Prop) i q :=
    pend i q \/ ((forall p, ~ pend i p) /\ v i q).
  Definition pending (v pend : nat -> Q -> Prop) :=
    forall i q', pend (S i) q' <-> exists q, active v pend i q /\ ~ now i q /\ next i q q'.
  Definition bmark (pend : nat -> Q -> Prop) i := forall q, ~ pend i q.

  Theorem breakpoint_least v pend : law v -> pending v pend -> infinitely_often (bmark pend) ->
    forall i q, v i q <-> ful i q.
  Proof.
    intros HL HP HM i q; split.
    - intros Hv; apply NNPP; intros N.
      assert (Step : forall i q, v i q /\ ~ ful i q ->
                exists q', (~ now i q /\ next i q q') /\ (v (S i) q' /\ ~ ful (S i) q')).
      { intros j p (H1 & H2). apply HL in H1; destruct H1 as [H1 | (p' & H3 & H4)].
        - exfalso; apply H2; constructor; auto.
        - exists p'; split; split; auto; intros C; apply H2; [constructor; auto | econstructor 2; eauto]. }
      destruct (dep_choice Q (fun k p => v (i + k) p /\ ~ ful (i + k) p)
                  (fun k p p' => ~ now (i + k) p /\ next (i + k) p p' /\ v (i + k) p) q) as (f & F0 & F).
      { rewrite Nat.add_0_r; auto. }
      { intros k p Hp; destruct (Step (i + k) p Hp) as (p' & (H1 & H2) & H3).
        exists p'; rewrite Nat.add_succ_r; tauto. }
      destruct (HM i) as (m & Lm & Hm).
      assert (HA : forall d, active v pend (i + (m - i) + d) (f (m - i + d))).
      { induction d as [| d IH].
        - rewrite !Nat.add_0_r; right; replace (i + (m - i)) with m by lia; split; auto.
          destruct (F (m - i)) as (_ & _ & H3); replace (i + (m - i)) with m in H3 by lia; auto.
        - left; rewrite !Nat.add_succ_r; apply HP; exists (f (m - i + d)); split; auto.
          destruct (F (m - i + d)) as (H1 & H2 & _).
          replace (i + (m - i) + d) with (i + (m - i + d)) by lia; auto. }
      destruct (HM (S m)) as (m2 & Lm2 & Hm2).
      assert (exists d, m2 = S (i + (m - i) + d)) as (d & ->) by (exists (m2 - m - 1); lia).
      apply (Hm2 (f (S (m - i + d)))), HP; exists (f (m - i + d)); split; [apply HA |].
      destruct (F (m - i + d)) as (H1 & H2 & _).
      replace (i + (m - i) + d) with (i + (m - i + d)) by lia; auto.
    - intros H; induction H; apply HL; eauto.
  Qed.

  (* In how many steps. *)
  Inductive within : nat -> nat -> Q -> Prop :=
  | within_now k i q : now i q -> within k i q
  | within_next k i q q' : next i q q' -> within k (S i) q' -> within (S k) i q.

  Lemma within_mono k i q : within k i q -> forall k', k <= k' -> within k' i q.
  Proof.
    induction 1; intros k' L; [constructor; auto |].
    destruct k' as [| k']; [lia |]; econstructor 2; eauto; apply IHwithin; lia.
  Qed.

  Lemma ful_within i q : ful i q -> exists k, within k i q.
  Proof.
    induction 1 as [| i q q' Hn _ (k & IH)]; [exists 0; constructor; auto | exists (S k); econstructor 2; eauto].
  Qed.

  Theorem breakpoint_fair (qs : list Q) pend :
    (forall q, In q qs) ->
    (forall q, ~ pend 0 q) -> pending ful pend -> infinitely_often (bmark pend).
  Proof.
    intros Fin P0 HP n.
    (* what is pending is true *)
    assert (HT : forall i q, active ful pend i q -> ful i q).
    { induction i as [| i IH]; intros q [Hq | (_ & Hq)]; auto.
      - exfalso; eapply P0; eauto.
      - apply HP in Hq; destruct Hq as (p & Hp & Nn & Hn).
        specialize (IH p Hp); inversion IH; subst; [tauto |].
        replace q with q' by (eapply next_fun; eauto); auto. }
    assert (HB : exists k, forall q, In q qs -> active ful pend n q -> within k n q).
    { clear Fin; induction qs as [| q l (k & IH)]; [exists 0; intros q [] |].
      destruct (classic (active ful pend n q)) as [A | A].
      - destruct (ful_within n q (HT n q A)) as (k2 & H2).
        exists (max k k2); intros p [<- | Hp] HA.
        + eapply within_mono; eauto; lia.
        + eapply within_mono; [apply IH; auto | lia].
      - exists k; intros p [<- | Hp] HA; [tauto | auto]. }
    destruct HB as (k & HB). assert (HA : forall q, active ful pend n q -> within k n q) by auto.
    clear HB. revert n HA; induction k as [| k IH]; intros n HA.
    - exists (S n); split; auto; intros q Hq; apply HP in Hq; destruct Hq as (p & Hp & Nn & _).
      specialize (HA p Hp); inversion HA; tauto.
    - destruct (classic (bmark pend (S n))) as [B | B]; [exists (S n); auto |].
      destruct (IH (S n)) as (m & L & Hm); [| exists m; split; auto; lia].
      intros q [Hq | (C & _)]; [| exfalso; apply B; exact C].
      apply HP in Hq; destruct Hq as (p & Hp & Nn & Hn).
      specialize (HA p Hp); inversion HA; subst; [tauto |].
      replace q with q' by (eapply next_fun; eauto); auto.
  Qed.
End Breakpoint.

(* ---- regular expressions and derivatives ---- *)

Inductive re :=
| Empty | Eps | Let (p : letter -> bool) | Cat (r s : re) | Fuse (r s : re)
| Alt (r s : re) | Both (r s : re) | Star (r : re).

Inductive star (P : list letter -> Prop) : list letter -> Prop :=
| star_nil : star P []
| star_app u v : P u -> star P v -> star P (u ++ v).

Fixpoint lang (r : re) (u : list letter) : Prop :=
  match r with
  | Empty => False
  | Eps => u = []
  | Let p => exists a, u = [a] /\ p a = true
  | Cat r s => exists x y, u = x ++ y /\ lang r x /\ lang s y
  | Fuse r s => exists x a y, u = x ++ a :: y /\ lang r (x ++ [a]) /\ lang s (a :: y)
  | Alt r s => lang r u \/ lang s u
  | Both r s => lang r u /\ lang s u
  | Star r => star (lang r) u
  end.

Fixpoint nullable (r : re) : bool :=
  match r with
  | Empty | Let _ | Fuse _ _ => false
  | Eps | Star _ => true
  | Cat r s | Both r s => nullable r && nullable s
  | Alt r s => nullable r || nullable s
  end.

Fixpoint deriv (a : letter) (r : re) : re :=
  match r with
  | Empty | Eps => Empty
  | Let p => if p a then Eps else Empty
  | Cat r s => if nullable r then Alt (Cat (deriv a r) s) (deriv a s) else Cat (deriv a r) s
  | Fuse r s => if nullable (deriv a r) then Alt (Fuse (deriv a r) s) (deriv a s) else Fuse (deriv a r) s
  | Alt r s => Alt (deriv a r) (deriv a s)
  | Both r s => Both (deriv a r) (deriv a s)
  | Star r => Cat (deriv a r) (Star r)
  end.

Lemma nullable_spec r : nullable r = true <-> lang r [].
Proof.
  induction r; simpl.
  - split; [discriminate | tauto].
  - tauto.
  - split; [discriminate | intros (a & E & _); discriminate].
  - rewrite andb_true_iff, IHr1, IHr2; split.
    + intros (H1 & H2); exists [], []; auto.
    + intros (x & y & E & H1 & H2); symmetry in E; apply app_eq_nil in E; destruct E; subst; auto.
  - split; [discriminate |]. intros (x & a & y & E & _); destruct x; discriminate.
  - rewrite orb_true_iff, IHr1, IHr2; tauto.
  - rewrite andb_true_iff, IHr1, IHr2; tauto.
  - split; auto; constructor.
Qed.

Lemma deriv_spec a r : forall u, lang (deriv a r) u <-> lang r (a :: u).
Proof.
  induction r; intros u.
  - simpl; tauto.
  - simpl; split; [tauto | discriminate].
  - simpl; destruct (p a) eqn:E; simpl; split.
    + intros ->; exists a; auto.
    + intros (b & Q & _); inversion Q; auto.
    + tauto.
    + intros (b & Q & C); inversion Q; subst; congruence.
  - assert (HC : lang (Cat (deriv a r1) r2) u <-> exists x y, u = x ++ y /\ lang r1 (a :: x) /\ lang r2 y).
    { simpl; split; intros (x & y & E & H1 & H2); exists x, y; split; auto; split; auto; apply IHr1; auto. }
    simpl deriv; transitivity (lang (Cat (deriv a r1) r2) u \/ (nullable r1 = true /\ lang (deriv a r2) u)).
    { destruct (nullable r1); simpl; intuition discriminate. }
    rewrite HC, nullable_spec, IHr2; simpl; split.
    + intros [(x & y & -> & H1 & H2) | (H1 & H2)]; [exists (a :: x), y; auto | exists [], (a :: u); auto].
    + intros ([| b x] & y & E & H1 & H2); simpl in E; [subst y; auto |].
      inversion E; subst; left; exists x, y; auto.
  - assert (HC : lang (Fuse (deriv a r1) r2) u <->
        exists x b y, u = x ++ b :: y /\ lang r1 (a :: x ++ [b]) /\ lang r2 (b :: y)).
    { simpl; split; intros (x & b & y & E & H1 & H2); exists x, b, y; split; auto; split; auto; apply IHr1; auto. }
    simpl deriv; transitivity (lang (Fuse (deriv a r1) r2) u \/ (nullable (deriv a r1) = true /\ lang (deriv a r2) u)).
    { destruct (nullable (deriv a r1)); simpl; intuition discriminate. }
    rewrite HC, nullable_spec, IHr1, IHr2; simpl; split.
    + intros [(x & b & y & -> & H1 & H2) | (H1 & H2)]; [exists (a :: x), b, y; auto | exists [], a, u; auto].
    + intros ([| c x] & b & y & E & H1 & H2); simpl in E; inversion E; subst; [auto |].
      left; exists x, b, y; auto.
  - simpl; rewrite IHr1, IHr2; tauto.
  - simpl; rewrite IHr1, IHr2; tauto.
  - simpl; split.
    + intros (x & y & -> & H1 & H2); apply (star_app (lang r) (a :: x) y); auto; apply IHr; auto.
    + intros HS; remember (a :: u) as w eqn:E; induction HS as [| x y H1 H2 IH]; [discriminate |].
      destruct x as [| b x]; [auto |]; simpl in E; inversion E; subst.
      exists x, y; split; auto; split; auto; apply IHr; auto.
Qed.

(* ---- {r}<>-> b: the chain of derivatives that ends in now ---- *)

Section Suffix.
  Variable w : word.
  Variable b : nat -> Prop.                (* where the formula after <>-> holds *)

  Definition factor (i k : nat) : list letter := map w (seq i k).
  Definition seq_then (i : nat) (r : re) := exists k, lang r (factor i (S k)) /\ b (i + k).

  Definition dnow i r := lang (deriv (w i) r) [] /\ b i.
  (* The next is any expression with the same non-empty words as the derivative. *)
  Variable next : nat -> re -> re -> Prop.
  Hypothesis next_same : forall i r d, next i r d -> forall a u, lang d (a :: u) <-> lang r (w i :: a :: u).
  Hypothesis next_some : forall i r, (exists a u, lang r (w i :: a :: u)) -> exists d, next i r d.

  Theorem seq_then_ful i r : seq_then i r <-> ful re dnow next i r.
  Proof.
    split.
    - intros (k & HL & HB); revert i r HL HB; induction k as [| k IH]; intros i r HL HB.
      + left; split; [apply deriv_spec; exact HL | rewrite Nat.add_0_r in HB; auto].
      + destruct (next_some i r) as (d & Hd); [exists (w (S i)), (factor (S (S i)) k); exact HL |].
        right with d; auto; apply IH; [apply (next_same i r d Hd); exact HL |].
        replace (S i + k) with (i + S k) by lia; auto.
    - induction 1 as [i r (HL & HB) | i r d Hd _ (k & HL & HB)].
      + exists 0; split; [apply deriv_spec; auto | rewrite Nat.add_0_r; auto].
      + exists (S k); split; [apply (next_same i r d Hd); exact HL |].
        replace (i + S k) with (S i + k) by lia; auto.
  Qed.
End Suffix.

(* ---- !{r}: no prefix is in r, and some prefix has no continuation in r ---- *)

Section Closure.
  Variable w : word.
  Let fac (i k : nat) : list letter := map w (seq i k).
  Definition closure (i : nat) (r : re) :=
    (exists k, lang r (fac i (S k))) \/ forall k, exists u, lang r (fac i (S k) ++ u).

  Definition nnow i r := forall u, ~ lang (deriv (w i) r) u.
  Variable next : nat -> re -> re -> Prop.
  Hypothesis next_same : forall i r d, next i r d -> forall a u, lang d (a :: u) <-> lang r (w i :: a :: u).
  Hypothesis next_not : forall i r d, next i r d -> ~ lang r [w i].
  Hypothesis next_some : forall i r, ~ lang r [w i] -> (exists u, lang r (w i :: u)) -> exists d, next i r d.

  Theorem not_closure_ful i r : ~ closure i r <-> ful re nnow next i r.
  Proof.
    split.
    - intros N; assert (N1 : forall k, ~ lang r (fac i (S k))) by (intros k C; apply N; left; eauto).
      assert (N2 : exists k, forall u, ~ lang r (fac i (S k) ++ u)).
      { apply NNPP; intros C; apply N; right; intros k; apply NNPP; intros C2; apply C; exists k.
        intros u Hu; apply C2; eauto. }
      clear N; destruct N2 as (k & N2); revert i r N1 N2; induction k as [| k IH]; intros i r N1 N2.
      + left; intros u Hu; apply (N2 u); apply deriv_spec; exact Hu.
      + destruct (classic (exists u, lang r (w i :: u))) as [E | E].
        * destruct (next_some i r (N1 0) E) as (d & Hd); right with d; auto; apply IH.
          -- intros j C; apply (N1 (S j)); apply (next_same i r d Hd); exact C.
          -- intros u C; apply (N2 u); apply (next_same i r d Hd); exact C.
        * left; intros u Hu; apply E; exists u; apply deriv_spec; auto.
    - induction 1 as [i r HN | i r d Hd _ IH].
      + intros [(k & C) | C].
        * apply (HN (fac (S i) k)), deriv_spec; exact C.
        * destruct (C 0) as (u & Hu); apply (HN u), deriv_spec; exact Hu.
      + intros C; apply IH; destruct C as [([| k] & C) | C].
        * exfalso; apply (next_not i r d Hd); exact C.
        * left; exists k; apply (next_same i r d Hd); exact C.
        * right; intros k; destruct (C (S k)) as (u & Hu); exists u; apply (next_same i r d Hd); exact Hu.
  Qed.
End Closure.
