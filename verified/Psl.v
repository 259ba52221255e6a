(* The core of PSL: suffixes with `now` and `next`, pending digits and their mark. *)
From Coq Require Import List Arith Lia Bool Classical ClassicalEpsilon.
Import ListNotations.
Require Import Spec Base Re Ltl.

Section Breakpoint.
  Variable Q : Type.
  Variable qs : list Q.                    (* suffixes *)
  Variable now : nat -> Q -> Prop.         (* at a position of the word *)
  Variable next : nat -> Q -> Q -> Prop.   (* next i q q': q' is the next of q; at most one *)
  Hypothesis next_fun : forall i q a b, next i q a -> next i q b -> a = b.
  Hypothesis next_in : forall i q q', In q qs -> next i q q' -> In q' qs.

  (* The least solution: a finite chain of next leads to now. *)
  Inductive ful : nat -> Q -> Prop :=
  | ful_now i q : now i q -> ful i q
  | ful_next i q q' : next i q q' -> ful (S i) q' -> ful i q.

  Definition law (v : nat -> Q -> Prop) :=
    forall i q, In q qs -> (v i q <-> now i q \/ exists q', next i q q' /\ v (S i) q').

  (* Pending suffixes; where none is, all true ones become pending. *)
  Definition active (v pend : nat -> Q -> Prop) i q :=
    pend i q \/ ((forall p, ~ pend i p) /\ v i q).
  Definition pending (v pend : nat -> Q -> Prop) :=
    forall i q', pend (S i) q' <-> exists q, In q qs /\ active v pend i q /\ ~ now i q /\ next i q q'.
  Definition bmark (pend : nat -> Q -> Prop) i := forall q, ~ pend i q.

  Theorem breakpoint_least v pend : law v -> pending v pend -> infinitely_often (bmark pend) ->
    forall i q, In q qs -> (v i q <-> ful i q).
  Proof.
    intros HL HP HM i q Hq0; split.
    - intros Hv; apply NNPP; intros N. assert (Step : forall i q, In q qs /\ v i q /\ ~ ful i q ->
                exists q', (~ now i q /\ next i q q') /\ (In q' qs /\ v (S i) q' /\ ~ ful (S i) q')).
      { intros j p (H0 & H1 & H2). apply HL in H1; auto; destruct H1 as [H1 | (p' & H3 & H4)].
        - exfalso; apply H2; constructor; auto.
        - exists p'; split; split; eauto.
          + intros C; apply H2; constructor; auto.
          + split; auto; intros C; apply H2; econstructor 2; eauto. }
      destruct (dep_choice Q (fun k p => In p qs /\ v (i + k) p /\ ~ ful (i + k) p)
                  (fun k p p' => ~ now (i + k) p /\ next (i + k) p p' /\ v (i + k) p /\ In p qs) q) as (f & F0 & F).
      { rewrite Nat.add_0_r; auto. }
      { intros k p Hp; destruct (Step (i + k) p Hp) as (p' & (H1 & H2) & H3).
        exists p'; rewrite Nat.add_succ_r; tauto. }
      destruct (HM i) as (m & Lm & Hm). assert (HA : forall d, active v pend (i + (m - i) + d) (f (m - i + d))).
      { induction d as [| d IH].
        - rewrite !Nat.add_0_r; right; replace (i + (m - i)) with m by lia; split; auto.
          destruct (F (m - i)) as (_ & _ & H3 & _); replace (i + (m - i)) with m in H3 by lia; auto.
        - left; rewrite !Nat.add_succ_r; apply HP; exists (f (m - i + d)).
          destruct (F (m - i + d)) as (H1 & H2 & _ & H4).
          replace (i + (m - i) + d) with (i + (m - i + d)) in * by lia; auto. }
      destruct (HM (S m)) as (m2 & Lm2 & Hm2).
      assert (exists d, m2 = S (i + (m - i) + d)) as (d & ->) by (exists (m2 - m - 1); lia).
      apply (Hm2 (f (S (m - i + d)))), HP; exists (f (m - i + d)).
      destruct (F (m - i + d)) as (H1 & H2 & _ & H4); specialize (HA d).
      replace (i + (m - i) + d) with (i + (m - i + d)) in * by lia; auto.
    - intros H; induction H as [i q H | i q q' H _ IH]; apply HL; auto; right; exists q'; eauto.
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

  Theorem breakpoint_fair (v pend : nat -> Q -> Prop) : (forall i q, In q qs -> v i q -> ful i q) ->
    (forall q, ~ pend 0 q) -> (forall i q, pend i q -> In q qs) -> pending v pend ->
    infinitely_often (bmark pend).
  Proof.
    intros HV P0 PI HP n.
    (* what is pending is true *)
    assert (HT : forall i q, In q qs -> active v pend i q -> ful i q).
    { induction i as [| i IH]; intros q Hi [Hq | (_ & Hq)]; auto.
      - exfalso; eapply P0; eauto.
      - apply HP in Hq; destruct Hq as (p & Hi2 & Hp & Nn & Hn).
        specialize (IH p Hi2 Hp); inversion IH; subst; [tauto |].
        replace q with q' by (eapply next_fun; eauto); auto. }
    assert (HB : forall l, exists k, forall q, In q l -> In q qs -> active v pend n q -> within k n q).
    { induction l as [| q l (k & IH)]; [exists 0; intros q [] |].
      destruct (classic (In q qs /\ active v pend n q)) as [(I & A) | A].
      - destruct (ful_within n q (HT n q I A)) as (k2 & H2). exists (max k k2); intros p [<- | Hp] Hi HA.
        + eapply within_mono; eauto; lia.
        + eapply within_mono; [apply IH; auto | lia].
      - exists k; intros p [<- | Hp] Hi HA; [tauto | auto]. }
    destruct (HB qs) as (k & HA); clear HB.
    assert (HA' : forall q, In q qs -> active v pend n q -> within k n q) by auto; clear HA; rename HA' into HA.
    revert n HA; induction k as [| k IH]; intros n HA.
    - exists (S n); split; auto; intros q Hq; apply HP in Hq; destruct Hq as (p & Hi & Hp & Nn & _).
      specialize (HA p Hi Hp); inversion HA; tauto.
    - destruct (classic (bmark pend (S n))) as [B | B]; [exists (S n); auto |].
      destruct (IH (S n)) as (m & L & Hm); [| exists m; split; auto; lia].
      intros q Hiq [Hq | (C & _)]; [| exfalso; apply B; exact C].
      apply HP in Hq; destruct Hq as (p & Hi & Hp & Nn & Hn). specialize (HA p Hi Hp); inversion HA; subst; [tauto |].
      replace q with q' by (eapply next_fun; eauto); auto.
  Qed.
End Breakpoint.

(* ---- {r}<>-> b and !{r}: the chain of next that ends in now ---- *)

Lemma factor_S w i k : factor w i (S k) = w i :: factor w (S i) k.
Proof. reflexivity. Qed.
Lemma factor_cons w i k : exists u, factor w i k = w i :: u.
Proof. unfold factor; simpl; eauto. Qed.

Local Arguments factor : simpl never.

Lemma move_ok_form a q m : move_ok a q m -> (exists r, q = Not (Closure r)) \/ exists r b, q = SuffixAnd r b.
Proof. destruct q; simpl; try tauto; eauto; destruct q; try tauto; eauto. Qed.

Section Suffix.
  Variable w : word.
  Variable T : ltl -> tree move.
  Variable dom : ltl -> Prop.
  Hypothesis Ok : forall q, dom q -> forall a, move_ok a q (at_letter (T q) a).
  Hypothesis Dom : forall q a g, dom q -> m_next (at_letter (T q) a) = Some g -> dom g.

  Definition next_at i q g := m_next (at_letter (T q) (w i)) = Some g.
  Definition now_at (B : nat -> ltl -> Prop) i q :=
    m_now (at_letter (T q) (w i)) = true /\ match q with SuffixAnd _ b => B i b | _ => True end.

  Lemma suffix_law i q : dom q ->
    (holds w i q <-> now_at (holds w) i q \/ exists g, next_at i q g /\ holds w (S i) g).
  Proof.
    intros D; pose proof (Ok q D (w i)) as HO; unfold now_at, next_at; destruct (at_letter (T q) (w i)) as [nw nx].
    destruct (move_ok_form _ _ _ HO) as [(r & ->) | (r & b & ->)]; destruct HO as (H1 & H2); cbn [holds m_now m_next] in *.
    - split.
      + intros N; assert (N1 : ~ lang r [w i]) by (intros C; apply N; left; exists 0; exact C). destruct nx as [g |].
        * destruct H2 as (_ & d & -> & Hd); right; exists (Not (Closure d)); split; auto; intros [(k & C) | C]; apply N.
          -- left; exists (S k); rewrite factor_S; destruct (factor_cons w (S i) k) as (u & E); rewrite E in *; apply Hd; auto.
          -- right; intros [| k]; [destruct (C 0) as (u & Hu) | destruct (C k) as (u & Hu)].
             ++ exists (w (S i) :: u); apply Hd; exact Hu.
             ++ exists u; rewrite factor_S; destruct (factor_cons w (S i) k) as (x & E); rewrite E in *; apply Hd; exact Hu.
        * destruct H2 as [H2 | H2]; [tauto |]; left; split; auto; apply H1; auto.
      + intros [(HN & _) | (g & E & HG)] C.
        * assert (HX := proj1 H1 HN); clear HN; rename HX into HN; destruct C as [(k & C) | C].
          -- destruct (factor_cons w i k) as (u & E); rewrite E in C; eapply HN; eauto.
          -- destruct (C 0) as (u & Hu); eapply HN; exact Hu.
        * subst nx; destruct H2 as (N & d & -> & Hd); apply HG; destruct C as [([| k] & C) | C].
          -- exfalso; apply N; exact C.
          -- left; exists k; rewrite factor_S in C; destruct (factor_cons w (S i) k) as (u & E); rewrite E in *; apply Hd; auto.
          -- right; intros k; destruct (C (S k)) as (u & Hu); exists u.
             rewrite factor_S in Hu; destruct (factor_cons w (S i) k) as (x & E); rewrite E in *; apply Hd; exact Hu.
    - split.
      + intros ([| k] & HL & HB).
        * left; split; [apply H1; exact HL | rewrite Nat.add_0_r in HB; auto].
        * right; rewrite factor_S in HL; destruct (factor_cons w (S i) k) as (u & E).
          destruct nx as [g |]; [| exfalso; rewrite E in HL; eapply H2; eauto].
          destruct H2 as (d & -> & Hd); exists (SuffixAnd d b); split; auto; exists k.
          rewrite Nat.add_succ_r in HB; split; [rewrite E in *; apply Hd; auto | exact HB].
      + intros [(HN & HB) | (g & E & HG)].
        * exists 0; split; [apply H1; auto | rewrite Nat.add_0_r; auto].
        * subst nx; destruct H2 as (d & -> & Hd); destruct HG as (k & HL & HB); exists (S k).
          rewrite Nat.add_succ_r; split; auto; rewrite factor_S; destruct (factor_cons w (S i) k) as (u & E); rewrite E in *.
          apply Hd; auto.
  Qed.

  (* What holds has a finite chain. *)
  Lemma suffix_ful i q : dom q -> holds w i q -> ful ltl (now_at (holds w)) next_at i q.
  Proof.
    intros D H. destruct (move_ok_form _ _ _ (Ok q D (w i))) as [(r & ->) | (r & b & ->)].
    - assert (exists k, (forall j, ~ lang r (factor w i j)) /\ forall u, ~ lang r (factor w i k ++ u)) as (k & N1 & N2).
      { apply NNPP; intros C; apply H; destruct (classic (exists j, lang r (factor w i j))) as [J | J]; [left; auto |].
        right; intros k; apply NNPP; intros C2; apply C; exists k; split; [| intros u Hu; apply C2; eauto].
        intros j Hj; apply J; eauto. }
      revert i r D H N1 N2; induction k as [| k IH]; intros i r D H N1 N2.
      { left; split; [apply (proj1 (Ok _ D (w i))); exact N2 | exact I]. }
      destruct (proj1 (suffix_law i _ D) H) as [HN | (g & HG & HS)]; [left; auto |].
      right with g; auto; pose proof HG as HG'; unfold next_at in HG; pose proof (Ok _ D (w i)) as (_ & HO); rewrite HG in HO.
      destruct HO as (_ & d & -> & Hd); apply IH; auto; [eapply Dom; eauto | |].
      + intros j C; apply (N1 (S j)); rewrite factor_S; destruct (factor_cons w (S i) j) as (u & E); rewrite E in *; apply Hd; auto.
      + intros u C; apply (N2 u); rewrite factor_S; destruct (factor_cons w (S i) k) as (x & E); rewrite E in *; apply Hd; exact C.
    - destruct H as (k & HL & HB); revert i r D HL HB; induction k as [| k IH]; intros i r D HL HB.
      + left; split; [apply (proj1 (Ok _ D (w i))); exact HL | rewrite Nat.add_0_r in HB; exact HB].
      + pose proof (Ok _ D (w i)) as (_ & HO); rewrite factor_S in HL; destruct (factor_cons w (S i) k) as (u & E).
        destruct (m_next (at_letter (T (SuffixAnd r b)) (w i))) as [g |] eqn:HG; [| exfalso; rewrite E in HL; eapply HO; eauto].
        destruct HO as (d & -> & Hd); right with (SuffixAnd d b); auto; apply IH; [eapply Dom; eauto | |].
        * rewrite E in *; apply Hd; auto.
        * rewrite Nat.add_succ_r in HB; exact HB.
  Qed.

  (* The same with other values of b, if they are right. *)
  Lemma ful_holds (B : nat -> ltl -> Prop) i q : dom q -> (forall r b, q = SuffixAnd r b -> forall i, B i b <-> holds w i b) ->
    (ful ltl (now_at B) next_at i q <-> holds w i q).
  Proof.
    assert (Same : forall (B B' : nat -> ltl -> Prop) i q, ful ltl (now_at B) next_at i q -> dom q ->
      (forall r b, q = SuffixAnd r b -> forall i, B i b -> B' i b) -> ful ltl (now_at B') next_at i q).
    { clear B i q; intros B B' i q HF; induction HF as [i q (H1 & H2) | i q g HN HF IH]; intros D HB.
      - left; split; auto; destruct q; auto; eapply HB; eauto.
      - right with g; auto; apply IH; [eapply Dom; eauto |]; intros r b ->.
        pose proof (Ok q D (w i)) as HO; unfold next_at in HN.
        destruct (move_ok_form _ _ _ HO) as [(r' & ->) | (r' & b' & ->)]; cbn [move_ok] in HO; rewrite HN in HO.
        + destruct HO as (_ & _ & d & E & _); discriminate.
        + destruct HO as (_ & d & E & _); inversion E; subst; eapply HB; eauto. }
    intros D HB; split.
    - intros HF; assert (HF' : ful ltl (now_at (holds w)) next_at i q).
      { eapply Same; eauto; intros; apply (HB r b); auto. }
      clear HF HB; induction HF' as [i q HN | i q g HN HF IH]; apply suffix_law; auto.
      right; exists g; split; auto; apply IH; eapply Dom; eauto.
    - intros H; apply suffix_ful in H; auto; eapply Same; eauto; intros; apply (HB r b); auto.
  Qed.
End Suffix.
