(* Acceptance, cycles, and why the two checks of docs/proofs.md are enough for any automata. *)
From Coq Require Import List Arith Lia Bool Classical ClassicalEpsilon.
Import ListNotations.
Require Import Spec.

(* An accepting run leaves q on some word. *)
Definition live (A : system) (q : state A) :=
  exists w s M, s 0 = q /\ run A w s M /\ sat (recurring M) (accepting A).

(* ---- acceptance conditions ---- *)

Lemma sat_ext I J a : (forall m, I m <-> J m) -> sat I a <-> sat J a.
Proof. intros H; induction a; simpl; try rewrite H; tauto. Qed.

Fixpoint aneg (a : acc) : acc :=
  match a with
  | ATrue => AFalse | AFalse => ATrue
  | AInf m => AFin m | AFin m => AInf m
  | AAnd a b => AOr (aneg a) (aneg b)
  | AOr a b => AAnd (aneg a) (aneg b)
  end.

Lemma sat_aneg I a : sat I (aneg a) <-> ~ sat I a.
Proof.
  induction a; simpl; try rewrite IHa1, IHa2; try tauto; destruct (classic (sat I (AInf m))); simpl in *; tauto.
Qed.

Fixpoint amap (f : nat -> nat) (a : acc) : acc :=
  match a with
  | ATrue => ATrue | AFalse => AFalse
  | AInf m => AInf (f m) | AFin m => AFin (f m)
  | AAnd a b => AAnd (amap f a) (amap f b)
  | AOr a b => AOr (amap f a) (amap f b)
  end.

Lemma sat_amap I f a : sat I (amap f a) <-> sat (fun m => I (f m)) a.
Proof. induction a; simpl; tauto. Qed.

(* marks of two automata, side by side *)
Definition lm (m : nat) := 2 * m.
Definition rm (m : nat) := 2 * m + 1.
Definition both (M M' : list nat) := map lm M ++ map rm M'.

Lemma in_both_l m M M' : In (lm m) (both M M') <-> In m M.
Proof.
  unfold both; rewrite in_app_iff, !in_map_iff; split.
  - intros [(x & E & H) | (x & E & H)]; unfold lm, rm in *.
    + replace m with x by lia; auto.
    + lia.
  - intros H; left; exists m; auto.
Qed.

Lemma in_both_r m M M' : In (rm m) (both M M') <-> In m M'.
Proof.
  unfold both; rewrite in_app_iff, !in_map_iff; split.
  - intros [(x & E & H) | (x & E & H)]; unfold lm, rm in *.
    + lia.
    + replace m with x by lia; auto.
  - intros H; right; exists m; auto.
Qed.

Lemma io_iff P Q : (forall n, P n <-> Q n) -> infinitely_often P <-> infinitely_often Q.
Proof.
  intros H; unfold infinitely_often; split; intros G n; destruct (G n) as (m & L & K);
    exists m; split; auto; apply H; auto.
Qed.

Lemma io_mono (P Q : nat -> Prop) : (forall n, P n -> Q n) -> infinitely_often P -> infinitely_often Q.
Proof. intros HI HP n; destruct (HP n) as (m & L & K); exists m; auto. Qed.

Lemma sat_both_l M M' a :
  sat (recurring (fun n => both (M n) (M' n))) (amap lm a) <-> sat (recurring M) a.
Proof. rewrite sat_amap; apply sat_ext; intros m; apply io_iff; intros n; apply in_both_l. Qed.

Lemma sat_both_r M M' a :
  sat (recurring (fun n => both (M n) (M' n))) (amap rm a) <-> sat (recurring M') a.
Proof. rewrite sat_amap; apply sat_ext; intros m; apply io_iff; intros n; apply in_both_r. Qed.

(* ---- graphs ---- *)

Section Graph.
  Variable V : Type.
  Record arc := Arc { src : V; marks : list nat; dst : V }.

  Definition path (r : nat -> arc) := forall n, dst (r n) = src (r (S n)).

  (* No infinite path in E sees marks that satisfy a. *)
  Definition nobad (E : arc -> Prop) (a : acc) :=
    forall r, path r -> (forall n, E (r n)) ->
              ~ sat (recurring (fun n => marks (r n))) a.

  Inductive conn (S : arc -> Prop) : V -> V -> Prop :=
  | conn_refl v : conn S v v
  | conn_step e v : S e -> conn S (dst e) v -> conn S (src e) v.

  Definition strongly_connected (S : arc -> Prop) :=
    forall e f, S e -> S f -> conn S (dst e) (src f).

  (* The words of docs/proofs.md: no cycle, simple or not, is bad. *)
  Definition nobadcycle (E : arc -> Prop) (a : acc) :=
    forall S : arc -> Prop,
      (exists e, S e) -> (forall e, S e -> E e) -> strongly_connected S ->
      ~ sat (fun m => exists e, S e /\ In m (marks e)) a.

  Lemma eventually_io (l : list arc) (r : nat -> arc) :
    exists N, forall n, N <= n -> In (r n) l -> infinitely_often (fun i => r i = r n).
  Proof.
    induction l as [| e l (N & IH)].
    - exists 0; intros n _ [].
    - destruct (classic (infinitely_often (fun i => r i = e))) as [H | H].
      + exists N; intros n L [Q | Q]; auto; rewrite <- Q; auto.
      + apply not_all_ex_not in H; destruct H as (K & H). exists (max N K); intros n L [Q | Q].
        * exfalso; apply H; exists n; split; [lia | auto].
        * apply IH; auto; lia.
  Qed.

  Theorem nobadcycle_nobad (l : list arc) a :
    nobadcycle (fun e => In e l) a -> nobad (fun e => In e l) a.
  Proof.
    intros H r P E Q. destruct (eventually_io l r) as (N & HN).
    set (S := fun e => infinitely_often (fun i => r i = e)). apply (H S).
    - exists (r N); red; apply HN; auto.
    - intros e He; destruct (He 0) as (n & _ & <-); auto.
    - intros e f He Hf. destruct (He N) as (n & Ln & <-). destruct (Hf (Datatypes.S n)) as (m & Lm & <-).
      rewrite (P n). assert (G : forall d i, i >= N -> conn S (src (r i)) (src (r (i + d)))).
      { induction d as [| d IH]; intros i Li.
        - rewrite Nat.add_0_r; constructor.
        - apply conn_step; [red; apply HN; auto |].
          rewrite (P i); replace (i + Datatypes.S d) with (Datatypes.S i + d) by lia. apply IH; lia. }
      replace m with (Datatypes.S n + (m - Datatypes.S n)) by lia; apply G; lia.
    - revert Q; apply sat_ext; intros m; split.
      + intros (e & He & Hm) n. destruct (He n) as (i & Li & <-); exists i; auto.
      + intros Hm; destruct (Hm N) as (n & Ln & Hn); exists (r n); split; auto. red; apply HN; auto.
  Qed.
End Graph.
Arguments Arc {V}. Arguments src {V}. Arguments dst {V}. Arguments marks {V}.
Arguments path {V}. Arguments nobad {V}. Arguments nobadcycle {V}.

Lemma dep_choice (A : Type) (P : nat -> A -> Prop) (R : nat -> A -> A -> Prop) a0 :
  P 0 a0 -> (forall n a, P n a -> exists b, R n a b /\ P (S n) b) ->
  exists f, f 0 = a0 /\ forall n, R n (f n) (f (S n)).
Proof.
  intros H0 HS. assert (H : forall n (x : {a | P n a}), exists y : {a | P (S n) a}, R n (proj1_sig x) (proj1_sig y)).
  { intros n (a & Ha); destruct (HS n a Ha) as (b & Hb & Pb); exists (exist _ b Pb); auto. }
  pose (g := fix g n : {a | P n a} := match n with | 0 => exist _ a0 H0
     | S n => proj1_sig (constructive_indefinite_description _ (H n (g n))) end).
  exists (fun n => proj1_sig (g n)); split; auto.
  intros n; simpl. destruct (constructive_indefinite_description _ (H n (g n))); auto.
Qed.

Lemma choice (A B : Type) (R : A -> B -> Prop) :
  (forall a, exists b, R a b) -> exists f, forall a, R a (f a).
Proof.
  intros H; exists (fun a => proj1_sig (constructive_indefinite_description _ (H a))).
  intros a; destruct (constructive_indefinite_description _ (H a)); auto.
Qed.

Lemma run_live A w s M :
  run A w s M -> sat (recurring M) (accepting A) -> forall n, live A (s n).
Proof.
  intros HR HS n; exists (fun i => w (n + i)), (fun i => s (n + i)), (fun i => M (n + i)).
  split; [f_equal; lia |]; split.
  - intros i; replace (n + S i) with (S (n + i)) by lia; apply HR.
  - revert HS; apply sat_ext; intros m; split.
    + intros H i; destruct (H i) as (j & L & K); exists (n + j); split; [lia | auto].
    + intros H i; destruct (H (n + i)) as (j & L & K).
      exists (j - n); split; [lia |]; replace (n + (j - n)) with j by lia; auto.
Qed.

(* ---- check 1: nothing is missed ---- *)

Section Inclusion.
  Variables L R : system.
  Variable V : Type.                       (* nodes *)
  Variable lst : V -> state L -> Prop.        (* the left state of a node; node 0 may have several *)
  Variable rst : V -> state R -> Prop.
  Variable E : arc V -> Prop.

  Definition closed :=
    (forall s, starts L s -> exists v, lst v s /\ forall q, rst v q -> starts R q) /\
    (forall v s l M s', lst v s -> step L s l M s' -> live L s' ->
       exists v' q q' M', rst v q /\ step R q l M' q' /\
         lst v' s' /\ (forall x, rst v' x -> x = q') /\ E (Arc v (both M M') v')).

  Definition missed := AAnd (amap lm (accepting L)) (amap rm (aneg (accepting R))).

  Theorem inclusion_path :
    closed -> nobad E missed -> forall w, accepts L w -> accepts R w.
  Proof.
    intros (CI & CS) NB w (s & M & HI & HR & HA). destruct (CI _ HI) as (v0 & Hv0 & Hi0).
    destruct (dep_choice V (fun n v => lst v (s n))
      (fun n v v' => exists x, rst v (fst (fst x)) /\ step R (fst (fst x)) (w n) (snd x) (snd (fst x)) /\
         (forall y, rst v' y -> y = snd (fst x)) /\ E (Arc v (both (M n) (snd x)) v')) v0 Hv0)
      as (f & F0 & FS).
    { intros n v Hv. destruct (CS v (s n) (w n) (M n) (s (S n)) Hv (HR n) (run_live L w s M HR HA (S n)))
        as (v' & q & q' & M' & H1 & H2 & H3 & H4 & H5).
      exists v'; split; auto; exists (q, q', M'); auto. }
    destruct (choice _ _ _ FS) as (x & Hx). exists (fun n => fst (fst (x n))), (fun n => snd (x n)); split; [| split].
    - apply Hi0; rewrite <- F0; apply Hx.
    - intros n; destruct (Hx n) as (_ & H2 & H3 & _). rewrite (H3 (fst (fst (x (S n))))); auto; apply (Hx (S n)).
    - apply NNPP; intros N. apply (NB (fun n => Arc (f n) (both (M n) (snd (x n))) (f (S n)))).
      + intros n; reflexivity.
      + intros n; apply Hx.
      + simpl; split.
        * apply sat_both_l; auto.
        * apply sat_both_r, sat_aneg; auto.
  Qed.
End Inclusion.

(* ---- check 2: nothing is too much ---- *)

Section Disjoint.
  Variables A B : system.
  Variable P : state A * state B -> Prop.        (* pairs *)
  Variable E : arc (state A * state B) -> Prop.

  Definition product_closed :=
    (forall a b, starts A a -> starts B b -> P (a, b)) /\
    (forall a b l M M' a' b', P (a, b) -> step A a l M a' -> step B b l M' b' -> live B b' ->
       P (a', b') /\ E (Arc (a, b) (both M M') (a', b'))).

  Definition shared := AAnd (amap lm (accepting A)) (amap rm (accepting B)).

  Theorem disjoint_path :
    product_closed -> nobad E shared -> forall w, accepts A w -> accepts B w -> False.
  Proof.
    intros (CI & CS) NB w (s & M & HI & HR & HA) (s' & M' & HI' & HR' & HA'). assert (HP : forall n, P (s n, s' n)).
    { induction n; auto. eapply CS; eauto using run_live. }
    apply (NB (fun n => Arc (s n, s' n) (both (M n) (M' n)) (s (S n), s' (S n)))).
    - intros n; reflexivity.
    - intros n; eapply CS; eauto using run_live.
    - simpl; split; [apply sat_both_l | apply sat_both_r]; auto.
  Qed.
End Disjoint.
