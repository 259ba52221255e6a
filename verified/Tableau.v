(* The tableau accepts the words on which the formula has the truth of the start. *)
From Coq Require Import List Arith Lia Bool Classical ClassicalEpsilon.
Import ListNotations.
Require Import Spec Base Ltl.

Definition dec (P : Prop) : bool := if excluded_middle_informative P then true else false.
Lemma dec_true P : dec P = true <-> P.
Proof. unfold dec; destruct (excluded_middle_informative P); intuition congruence. Qed.

Definition pm (v : nat -> ltl -> bool) (n : nat) (f : ltl) : bool :=
  match n with 0 => start_mem f | S m => upd (v m) f end.

Section Truth.
  Variables K Mem : list ltl.
  Variable w : word.

  Lemma val_ext nxt nxt' mem mem' l f :
    has K Mem f -> (forall g, In g K -> nxt g = nxt' g) -> (forall g, In g Mem -> mem g = mem' g) ->
    val nxt mem l f = val nxt' mem' l f.
  Proof.
    intros Hf HK HM; induction f; simpl in *; auto;
      repeat match goal with H : _ /\ _ |- _ => destruct H end;
      try rewrite IHf by auto; try rewrite IHf1 by auto; try rewrite IHf2 by auto;
      try rewrite HK by auto; try rewrite HM by auto; auto.
  Qed.

  Lemma mark_ext v v' f :
    has K Mem f -> (forall g, has K Mem g -> v g = v' g) -> mark v f = mark v' f.
  Proof.
    intros Hf HE; assert (v f = v' f) as E by auto.
    destruct f; simpl mark in *; rewrite ?E; auto; simpl in Hf; rewrite ?HE by tauto; auto.
  Qed.

  Lemma upd_ext v v' f :
    has K Mem f -> (forall g, has K Mem g -> v g = v' g) -> upd v f = upd v' f.
  Proof.
    intros Hf HE; destruct f; simpl upd; auto; apply HE; simpl in Hf; tauto.
  Qed.

  Lemma in_marked i bs j : In j (marked i bs) <-> i <= j /\ nth_error bs (j - i) = Some true.
  Proof.
    revert i; induction bs as [| b bs IH]; intros i; simpl.
    - split; [tauto |]. intros (_ & N); destruct (j - i); discriminate.
    - assert (E : In j (marked (S i) bs) <-> i < j /\ nth_error (b :: bs) (j - i) = Some true).
      { rewrite IH; split; intros (L & N); split; try lia.
        - replace (j - i) with (S (j - S i)) by lia; auto.
        - replace (j - i) with (S (j - S i)) in N by lia; auto. }
      destruct b; simpl in *; rewrite E; split.
      + intros [-> | (L & N)]; [rewrite Nat.sub_diag; auto | split; [lia | auto]].
      + intros (L & N); destruct (Nat.eq_dec i j); auto; right; split; auto; lia.
      + intros (L & N); split; auto; lia.
      + intros (L & N); split; auto.
        destruct (Nat.eq_dec i j) as [-> | Ne]; [rewrite Nat.sub_diag in N; discriminate | lia].
  Qed.

  Lemma sat_all_inf I i n : sat I (all_inf i n) <-> forall j, i <= j < i + n -> I j.
  Proof.
    revert i; induction n as [| n IH]; intros i; simpl.
    - split; auto; intros; lia.
    - rewrite IH; split.
      + intros (Hi & HN) j L; destruct (Nat.eq_dec j i) as [-> | Ne]; auto; apply HN; lia.
      + intros HN; split; intros; apply HN; lia.
  Qed.

  (* The marks of a run of the tableau. *)
  Lemma fair_marks (v : nat -> ltl -> bool) :
    sat (recurring (fun n => marked 0 (map (mark (v n)) K))) (all_inf 0 (length K)) <->
    forall f, In f K -> infinitely_often (fun n => mark (v n) f = true).
  Proof.
    rewrite sat_all_inf; split.
    - intros HS f Hf. destruct (In_nth_error K f Hf) as (j & Hj).
      assert (L : j < length K) by (apply nth_error_Some; congruence).
      generalize (HS j ltac:(lia)); apply io_mono; intros n.
      rewrite in_marked, Nat.sub_0_r. rewrite (map_nth_error _ _ _ Hj).
      intros (_ & Q); congruence.
    - intros HF j L.
      destruct (nth_error K j) as [f |] eqn:Hj; [| apply nth_error_None in Hj; lia].
      generalize (HF f (nth_error_In _ _ Hj)); apply io_mono; intros n.
      rewrite in_marked, Nat.sub_0_r. rewrite (map_nth_error _ _ _ Hj).
      intros ->; split; auto; lia.
  Qed.

  (* ---- consistent and fair values are the true ones ---- *)
  Section Unique.
    Variable v : nat -> ltl -> bool.
    Hypothesis C : forall f, has K Mem f -> forall n, v n f = val (v (S n)) (pm v n) (w n) f.
    Hypothesis Fair : forall f, In f K -> infinitely_often (fun n => mark (v n) f = true).

    Ltac bools := repeat first [rewrite orb_true_iff | rewrite andb_true_iff | rewrite negb_true_iff
      | rewrite <- not_true_iff_false].
    Ltac law HH := intros n; rewrite C at 1 by exact HH; simpl val; rewrite <- ?C by tauto; reflexivity.

    Lemma truth f : has K Mem f -> forall n, v n f = true <-> holds w n f.
    Proof.
      induction f; intros HH; pose proof HH as Hf; simpl in Hf;
        repeat match goal with A : _ /\ _ |- _ => destruct A end;
        repeat match goal with A : has _ _ ?a -> _, B : has _ _ ?a |- _ => specialize (A B) end.
      - intros n; rewrite C by auto; simpl; tauto.
      - intros n; rewrite C by auto; simpl; split; [discriminate | tauto].
      - intros n; rewrite C by auto; simpl; tauto.
      - assert (L : forall n, v n (Not f) = negb (v n f)) by law HH.
        intros n; rewrite L; simpl; bools; rewrite IHf; tauto.
      - assert (L : forall n, v n (And f1 f2) = v n f1 && v n f2) by law HH.
        intros n; rewrite L; simpl; bools; rewrite IHf1, IHf2; tauto.
      - assert (L : forall n, v n (Or f1 f2) = v n f1 || v n f2) by law HH.
        intros n; rewrite L; simpl; bools; rewrite IHf1, IHf2; tauto.
      - assert (L : forall n, v n (Implies f1 f2) = negb (v n f1) || v n f2) by law HH.
        intros n; rewrite L; simpl; bools; rewrite IHf1, IHf2.
        destruct (classic (holds w n f1)); tauto.
      - assert (L : forall n, v n (Iff f1 f2) = eqb (v n f1) (v n f2)) by law HH.
        intros n; rewrite L; simpl; rewrite <- IHf1, <- IHf2.
        destruct (v n f1), (v n f2); simpl; intuition congruence.
      - assert (L : forall n, v n (Xor f1 f2) = xorb (v n f1) (v n f2)) by law HH.
        intros n; rewrite L; simpl; rewrite <- IHf1, <- IHf2.
        destruct (v n f1), (v n f2); simpl; intuition congruence.
      - assert (L : forall n, v n (Next f) = v (S n) f) by law HH.
        intros n; rewrite L; simpl; apply IHf.
      - assert (L : forall n, v n (Finally f) = v n f || v (S n) (Finally f)) by law HH.
        intros n; simpl; rewrite F_until; revert n; apply (least (fun n => v n (Finally f) = true)).
        + intros n; rewrite L at 1; bools; rewrite IHf; tauto.
        + generalize (Fair (Finally f) ltac:(assumption)); apply io_mono; intros n; simpl; bools.
          rewrite IHf; tauto.
      - assert (L : forall n, v n (Globally f) = v n f && v (S n) (Globally f)) by law HH.
        intros n; simpl; rewrite G_weak; revert n; apply (greatest (fun n => v n (Globally f) = true)).
        + intros n; rewrite L at 1; bools; rewrite IHf; tauto.
        + generalize (Fair (Globally f) ltac:(assumption)); apply io_mono; intros n; simpl; bools.
          rewrite IHf; tauto.
      - assert (L : forall n, v n (Until f1 f2) = v n f2 || v n f1 && v (S n) (Until f1 f2)) by law HH.
        intros n; change (holds w n (Until f1 f2)) with (until (fun i => holds w i f2) (fun i => holds w i f1) n).
        revert n; apply (least (fun n => v n (Until f1 f2) = true)).
        + intros n; rewrite L at 1; bools; rewrite IHf1, IHf2; tauto.
        + generalize (Fair (Until f1 f2) ltac:(assumption)); apply io_mono; intros n; simpl; bools.
          rewrite IHf2; tauto.
      - assert (L : forall n, v n (Release f1 f2) = v n f2 && (v n f1 || v (S n) (Release f1 f2))) by law HH.
        intros n; simpl; rewrite release_weak.
        revert n; apply (greatest (fun n => v n (Release f1 f2) = true)).
        + intros n; rewrite L at 1; bools; rewrite IHf1, IHf2; tauto.
        + generalize (Fair (Release f1 f2) ltac:(assumption)); apply io_mono; intros n; simpl; bools.
          rewrite IHf2; tauto.
      - assert (L : forall n, v n (WeakUntil f1 f2) = v n f2 || v n f1 && v (S n) (WeakUntil f1 f2)) by law HH.
        intros n; change (holds w n (WeakUntil f1 f2)) with (weak (fun i => holds w i f2) (fun i => holds w i f1) n).
        revert n; apply (greatest (fun n => v n (WeakUntil f1 f2) = true)).
        + intros n; rewrite L at 1; bools; rewrite IHf1, IHf2; tauto.
        + generalize (Fair (WeakUntil f1 f2) ltac:(assumption)); apply io_mono; intros n; simpl; bools.
          rewrite IHf1, IHf2; tauto.
      - assert (L : forall n, v n (StrongRelease f1 f2) = v n f2 && (v n f1 || v (S n) (StrongRelease f1 f2))) by law HH.
        intros n; simpl; rewrite strong_until.
        revert n; apply (least (fun n => v n (StrongRelease f1 f2) = true)).
        + intros n; rewrite L at 1; bools; rewrite IHf1, IHf2; tauto.
        + generalize (Fair (StrongRelease f1 f2) ltac:(assumption)); apply io_mono; intros n; simpl; bools.
          rewrite IHf1, IHf2; tauto.
      - intros n; rewrite C by auto; simpl; destruct n; simpl; [split; [discriminate | tauto] | apply IHf].
      - intros n; rewrite C by auto; simpl; destruct n; simpl; [tauto | apply IHf].
      - assert (L : forall n, v n (Once f) = v n f || pm v n (Once f)) by law HH.
        intros n; simpl; induction n as [| n IH]; rewrite L, O_law; bools; rewrite IHf; simpl; [intuition discriminate |].
        rewrite IH; tauto.
      - assert (L : forall n, v n (Historically f) = v n f && pm v n (Historically f)) by law HH.
        intros n; simpl; induction n as [| n IH]; rewrite L, H_law; bools; rewrite IHf; simpl; [tauto |].
        rewrite IH; tauto.
      - assert (L : forall n, v n (Since f1 f2) = v n f2 || v n f1 && pm v n (Since f1 f2)) by law HH.
        intros n; simpl; induction n as [| n IH]; rewrite L, since_law; bools; rewrite IHf1, IHf2; simpl;
          [intuition discriminate |].
        rewrite IH; tauto.
      - assert (L : forall n, v n (Triggered f1 f2) = v n f2 && (v n f1 || pm v n (Triggered f1 f2))) by law HH.
        intros n; simpl; induction n as [| n IH]; rewrite L, trigger_law; bools; rewrite IHf1, IHf2; simpl;
          [tauto |].
        rewrite IH; tauto.
    Qed.
  End Unique.

  (* ---- the true values are consistent and fair ---- *)
  Definition tv (n : nat) (f : ltl) : bool := dec (holds w n f).

  Lemma tv_true n f : tv n f = true <-> holds w n f.
  Proof. apply dec_true. Qed.

  Ltac tvs := repeat first [rewrite orb_true_iff | rewrite andb_true_iff | rewrite negb_true_iff
    | rewrite <- not_true_iff_false | rewrite tv_true].

  Lemma tv_consistent f : forall n, tv n f = val (tv (S n)) (pm tv n) (w n) f.
  Proof.
    induction f; intros n; apply eq_true_iff_eq; rewrite tv_true; simpl val;
      try rewrite <- IHf; try rewrite <- IHf1, <- IHf2; tvs.
    - simpl; tauto.
    - simpl; intuition discriminate.
    - simpl; tauto.
    - simpl; tauto.
    - simpl; tauto.
    - simpl; tauto.
    - simpl; destruct (classic (holds w n f1)); tauto.
    - simpl. rewrite eqb_true_iff, eq_iff_eq_true, !tv_true; tauto.
    - simpl. rewrite <- !tv_true. destruct (tv n f1), (tv n f2); simpl; intuition congruence.
    - simpl; tauto.
    - simpl; rewrite !F_until, until_law; tauto.
    - simpl; rewrite !G_weak, weak_law; tauto.
    - apply (until_law (fun i => holds w i f2) (fun i => holds w i f1)).
    - simpl; rewrite !release_weak, weak_law; tauto.
    - apply (weak_law (fun i => holds w i f2) (fun i => holds w i f1)).
    - simpl; rewrite !strong_until, until_law; tauto.
    - destruct n; simpl; [intuition discriminate | rewrite tv_true; tauto].
    - destruct n; simpl; [tauto | rewrite tv_true; tauto].
    - simpl holds; rewrite O_law. destruct n; simpl pm; rewrite ?tv_true; [intuition discriminate | simpl; tauto].
    - simpl holds; rewrite H_law. destruct n; simpl pm; rewrite ?tv_true; [tauto | simpl; tauto].
    - simpl holds; rewrite since_law. destruct n; simpl pm; rewrite ?tv_true; [intuition discriminate | simpl; tauto].
    - simpl holds; rewrite trigger_law. destruct n; simpl pm; rewrite ?tv_true; [tauto | simpl; tauto].
  Qed.

  Lemma tv_fair f : infinitely_often (fun n => mark (tv n) f = true).
  Proof.
    destruct f; simpl; try (intros n; exists n; auto; fail).
    - generalize (until_fair (fun i => holds w i f) (fun _ => True)); apply io_mono; intros n; tvs.
      rewrite <- F_until; simpl; tauto.
    - generalize (weak_fair (fun _ => False) (fun i => holds w i f)); apply io_mono; intros n; tvs.
      rewrite <- G_weak; simpl; tauto.
    - generalize (until_fair (fun i => holds w i f2) (fun i => holds w i f1)); apply io_mono; intros n; tvs.
      simpl; unfold until; tauto.
    - generalize (weak_fair (fun i => holds w i f1 /\ holds w i f2) (fun i => holds w i f2)); apply io_mono; intros n; tvs.
      rewrite <- release_weak; simpl; tauto.
    - generalize (weak_fair (fun i => holds w i f2) (fun i => holds w i f1)); apply io_mono; intros n; tvs.
      simpl; unfold weak, until; tauto.
    - generalize (until_fair (fun i => holds w i f1 /\ holds w i f2) (fun i => holds w i f2)); apply io_mono; intros n; tvs.
      rewrite <- strong_until; simpl; tauto.
  Qed.

  (* ---- the theorem ---- *)
  Variable phi : ltl.
  Hypothesis Hphi : has K Mem phi.
  Hypothesis HK : forall f, In f K -> has K Mem f.
  Hypothesis HM : forall f, In f Mem -> has K Mem f.

  (* An accepting run from a start goes through the true values: it is unique. *)
  Theorem run_unique b s Ms :
    s 0 = inl b -> run (tableau K Mem phi b) w s Ms ->
    sat (recurring Ms) (accepting (tableau K Mem phi b)) ->
    (holds w 0 phi <-> b = true) /\
    forall n, s (S n) = inr (map (tv (S n)) K, map (upd (tv n)) Mem).
  Proof.
    intros HI HR HA.
    set (v := fun n => value K Mem (s n) (w n) (digits (s (S n)))).
    assert (Step : forall n, s (S n) = inr (digits (s (S n)), map (upd (v n)) Mem) /\
      length (digits (s (S n))) = length K /\ Ms n = marked 0 (map (mark (v n)) K) /\
      match s n with inl b => v n phi = b | inr (k0, _) => map (v n) K = k0 end).
    { intros n; destruct (HR n) as (k & E & L & EM & EK).
      unfold v; rewrite E; simpl; auto. }
    assert (HMem : forall n g, In g Mem -> look Mem (memory Mem (s n)) g = pm v n g).
    { intros [| n] g Hg; simpl in *.
      - rewrite HI; simpl; apply look_map; auto.
      - destruct (Step n) as (E & _); rewrite E; simpl; apply look_map; auto. }
    assert (HKer : forall n g, In g K -> look K (digits (s (S n))) g = v (S n) g).
    { intros n g Hg. destruct (Step n) as (E & _), (Step (S n)) as (_ & _ & _ & EK).
      rewrite E in EK; rewrite <- EK; apply look_map; auto. }
    assert (C : forall f, has K Mem f -> forall n, v n f = val (v (S n)) (pm v n) (w n) f).
    { intros f Hf n; unfold v at 1; apply val_ext; auto. }
    assert (Fair : forall f, In f K -> infinitely_often (fun n => mark (v n) f = true)).
    { apply fair_marks; revert HA; apply sat_ext; intros m; apply io_iff; intros n.
      destruct (Step n) as (_ & _ & -> & _); tauto. }
    split.
    - rewrite <- (truth v C Fair phi Hphi 0).
      destruct (Step 0) as (_ & _ & _ & E); rewrite HI in E; rewrite E; tauto.
    - assert (HV : forall f, has K Mem f -> forall n, v n f = tv n f).
      { intros f Hf n; apply eq_true_iff_eq; rewrite tv_true; apply truth; auto. }
      intros n; destruct (Step n) as (E & _), (Step (S n)) as (_ & _ & _ & EK).
      rewrite E in EK. rewrite E, <- EK. f_equal; f_equal; apply map_ext_in; intros f Hf; auto.
      apply upd_ext; auto.
  Qed.

  Theorem tableau_correct b :
    accepts (tableau K Mem phi b) w <-> (holds w 0 phi <-> b = true).
  Proof.
    split.
    - intros (s & Ms & HI & HR & HA); exact (proj1 (run_unique b s Ms HI HR HA)).
    - intros Hb.
      set (s := fun n => match n with
        | 0 => inl b
        | S m => inr (map (tv n) K, map (upd (tv m)) Mem) end : tstate).
      assert (HV : forall n f, has K Mem f -> value K Mem (s n) (w n) (map (tv (S n)) K) f = tv n f).
      { intros n f Hf; rewrite tv_consistent; unfold value; apply val_ext; auto.
        - intros; apply look_map; auto.
        - intros g Hg; destruct n; simpl; apply look_map; auto. }
      exists s, (fun n => marked 0 (map (mark (tv n)) K)); split; [| split].
      + reflexivity.
      + intros n; exists (map (tv (S n)) K); split; [| split; [| split]].
        * simpl; f_equal; f_equal. apply map_ext_in; intros f Hf; symmetry; apply upd_ext; auto.
        * apply map_length.
        * f_equal; apply map_ext_in; intros f Hf; symmetry; apply mark_ext; auto.
        * destruct n; simpl.
          -- rewrite (HV 0) by auto. destruct b.
             ++ apply tv_true; tauto.
             ++ apply not_true_is_false; rewrite tv_true; rewrite Hb; discriminate.
          -- apply map_ext_in; intros f Hf; apply (HV (S n)); auto.
      + apply fair_marks; intros f _; apply tv_fair.
  Qed.
End Truth.
