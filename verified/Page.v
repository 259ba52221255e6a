(* The check in the words of docs/proofs.md, with cycles as strongly connected sets, is enough.
   The program needs none of this: it looks at paths. *)
From Coq Require Import List Arith Lia Bool Classical ClassicalEpsilon.
Import ListNotations.
Require Import Spec Base Re Ltl Tableau.

Section Final.
  Variables K Mem : list ltl.
  Variable T : ltl -> tree move.           (* now and next; has asks that they are as on the page *)
  Variable phi : ltl.
  Variable b : bool.                       (* truth: *)
  Variable A : system.
  Let Tab := tableau K Mem T phi.

  Definition complete_kernel :=
    has K Mem T phi /\ (forall f, In f K -> has K Mem T f) /\ (forall f, In f Mem -> has K Mem T f).

  Variable V : Type.
  Variables (lst : V -> tstate -> Prop) (rst : V -> state A -> Prop) (E1 : list (arc V)).
  Variables (P : state A * tstate -> Prop) (E2 : list (arc (state A * tstate))).

  Definition check1 :=
    closed (Tab b) A V lst rst (fun e => In e E1) /\
    nobadcycle (fun e => In e E1) (missed (Tab b) A).
  Definition check2 :=
    product_closed A (Tab (negb b)) P (fun e => In e E2) /\
    nobadcycle (fun e => In e E2) (shared A (Tab (negb b))).

  Theorem proof_sound : complete_kernel -> check1 -> check2 ->
    forall w, accepts A w <-> (holds w 0 phi <-> b = true).
  Proof.
    intros (HP & HK & HM) (C1 & N1) (C2 & N2) w; split.
    - intros HA. apply NNPP; intros N.
      apply (disjoint_path _ _ _ _ C2 (nobadcycle_nobad _ _ _ N2) w HA).
      apply (tableau_correct K Mem T w HM phi HP HK).
      destruct (classic (holds w 0 phi)), b; simpl; intuition congruence.
    - intros Hb. apply (inclusion_path _ _ _ _ _ _ C1 (nobadcycle_nobad _ _ _ N1)).
      apply (tableau_correct K Mem T w HM phi HP HK); auto.
  Qed.
End Final.

(* The equations of the page, with the words of Spec.v. *)
Lemma page_implication w i r b : holds w i (SuffixImp r b) <-> ~ holds w i (SuffixAnd r (Not b)).
Proof. simpl; split; [intros H (k & L & N); eauto | intros N k L; apply NNPP; eauto]. Qed.
Lemma page_both r s u : lang (Both r s) u <-> lang (Alt (Inter (Cat r all) s) (Inter r (Cat s all))) u.
Proof.
  assert (HA : forall P, before P (lang all) u <-> before P any u).
  { intros P; apply before_ext; intros x; [tauto | split; intros _; [exact I | apply all_lang]]. }
  cbn [lang]; rewrite !HA; tauto.
Qed.
Lemma page_fused r i k u : lang (FuseStar r (S i) k) u <-> lang (Fuse r (FuseStar r i k)) u.
Proof.
  unfold lang at 1; fold lang; simpl; split.
  - intros ([| n] & (L & B) & H); [lia |]; destruct H as (x & a & y & E & H1 & H2).
    exists x, a, y; repeat split; auto; exists n; unfold in_bounds; destruct k; split; auto; lia.
  - intros (x & a & y & E & H1 & n & (L & B) & H2); exists (S n); unfold in_bounds.
    split; [destruct k; lia | exists x, a, y; auto].
Qed.
Lemma page_fused_0 r u : lang (FuseStar r 0 (Some 0)) u <-> lang (Let BTrue) u.
Proof.
  simpl; split; [intros (n & (_ & B) & H); simpl in B; replace n with 0 in H by lia | intros (a & E & _)].
  - destruct H as (a & E); eauto.
  - exists 0; split; [split; auto | exists a; auto].
Qed.
