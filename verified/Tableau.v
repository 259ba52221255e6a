(* The tableau accepts the words on which the formula has the truth of the start. *)
From Coq Require Import List Arith Lia Bool Classical ClassicalEpsilon Btauto.
Import ListNotations.
Require Import Spec Base Re Ltl Psl.

Definition dec (P : Prop) : bool := if excluded_middle_informative P then true else false.
Lemma dec_true P : dec P = true <-> P.
Proof. unfold dec; destruct (excluded_middle_informative P); intuition congruence. Qed.

(* The memory, if v are the values. *)
Fixpoint pm Mem T (w : word) (v : nat -> ltl -> bool) (n : nat) (f : ltl) : bool :=
  match n with 0 => start_mem f | S m => upd Mem T (v m) (pm Mem T w v m) (w m) f end.

Section Truth.
  Variables K Mem : list ltl.
  Variable T : ltl -> tree move.
  Variable w : word.
  Local Notation pm := (pm Mem T w).
  Local Notation has := (has K Mem T).
  Local Notation val := (val T).
  Local Notation upd := (upd Mem T).
  Local Notation none_pending := (none_pending Mem).
  Local Notation sfx := (suffixes Mem).

  Lemma in_sfx q : In q sfx <-> In q Mem /\ is_suffix q = true.
  Proof. apply filter_In. Qed.

  Lemma val_ext nxt nxt' mem mem' l f :
    has f -> (forall g, In g K -> nxt g = nxt' g) -> (forall g, In g Mem -> mem g = mem' g) ->
    val nxt mem l f = val nxt' mem' l f.
  Proof.
    intros Hf HK HM. assert (HS : forall q b, has_moves K Mem T q -> sval T nxt l q b = sval T nxt' l q b).
    { intros q b H; unfold sval; destruct (H l) as (_ & HN); destruct (m_next (at_letter (T q) l)) as [g |]; auto.
      f_equal; apply HK, HN; auto. }
    induction f; simpl in *; auto; repeat match goal with H : _ /\ _ |- _ => destruct H end;
      try rewrite IHf by auto; try rewrite IHf1 by auto; try rewrite IHf2 by auto;
      try rewrite HK by auto; try rewrite HM by auto; try rewrite HS by auto; auto.
  Qed.

  Lemma mark_ext v v' f :
    has f -> (forall g, has g -> v g = v' g) -> mark v f = mark v' f.
  Proof.
    intros Hf HE; assert (v f = v' f) as E by auto.
    destruct f; simpl mark in *; rewrite ?E; auto; simpl in Hf; rewrite ?HE by tauto; auto.
  Qed.

  Lemma all_ext (p q : ltl -> bool) l : (forall x, In x l -> p x = q x) ->
    forallb p l = forallb q l /\ existsb p l = existsb q l.
  Proof.
    induction l as [| x l IH]; simpl; auto; intros H. rewrite (H x) by auto; destruct IH as (-> & ->); auto.
  Qed.

  Lemma none_ext mem mem' : (forall g, In g Mem -> mem g = mem' g) -> none_pending mem = none_pending mem'.
  Proof. intros H; apply all_ext; intros q Hq; rewrite H; auto; apply in_sfx; auto. Qed.

  Lemma upd_ext v v' mem mem' l f : (forall g, In g Mem -> has g) ->
    has f -> (forall g, has g -> v g = v' g) -> (forall g, In g Mem -> mem g = mem' g) ->
    upd v mem l f = upd v' mem' l f.
  Proof.
    intros HM Hf HE HI; unfold Ltl.upd; destruct (is_suffix f).
    - unfold kept; apply all_ext; intros q Hq; apply in_sfx in Hq; destruct Hq as (Hq & _).
      rewrite (HI q Hq), (HE q (HM q Hq)); rewrite (none_ext mem mem' HI).
      specialize (HM q Hq); f_equal; f_equal; f_equal; destruct q; simpl in *; auto; rewrite HE; tauto.
    - destruct f; auto; apply HE; simpl in Hf; tauto.
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
  Lemma fair_marks (v : nat -> ltl -> bool) (none : nat -> bool) :
    sat (recurring (fun n => marked 0 (none n :: map (mark (v n)) K))) (all_inf 0 (S (length K))) <->
    infinitely_often (fun n => none n = true) /\
    forall f, In f K -> infinitely_often (fun n => mark (v n) f = true).
  Proof.
    rewrite sat_all_inf; split.
    - intros HS; split; [| intros f Hf; destruct (In_nth_error K f Hf) as (j & Hj)].
      + generalize (HS 0 ltac:(lia)); apply io_mono; intros n; rewrite in_marked; simpl; intros (_ & Q); congruence.
      + assert (L : j < length K) by (apply nth_error_Some; congruence).
        generalize (HS (S j) ltac:(lia)); apply io_mono; intros n.
        rewrite in_marked, Nat.sub_0_r; simpl nth_error; rewrite (map_nth_error _ _ _ Hj). intros (_ & Q); congruence.
    - intros (HN & HF) [| j] L.
      + revert HN; apply io_mono; intros n; rewrite in_marked; simpl; intros ->; auto.
      + destruct (nth_error K j) as [f |] eqn:Hj; [| apply nth_error_None in Hj; lia].
        generalize (HF f (nth_error_In _ _ Hj)); apply io_mono; intros n.
        rewrite in_marked, Nat.sub_0_r; simpl nth_error; rewrite (map_nth_error _ _ _ Hj).
        intros ->; split; auto; lia.
  Qed.

  (* ---- suffixes ---- *)
  Hypothesis HM : forall f, In f Mem -> has f.
  Let dom := has_moves K Mem T.

  Lemma dom_ok q : dom q -> forall a, move_ok a q (at_letter (T q) a).
  Proof. intros D a; apply D. Qed.
  Lemma dom_mem q : has q -> is_suffix q = true -> dom q.
  Proof. destruct q; simpl; try discriminate; [destruct q; try discriminate |]; simpl; tauto. Qed.
  Lemma dom_next q a g : dom q -> m_next (at_letter (T q) a) = Some g -> In g sfx.
  Proof.
    intros D E; apply in_sfx; destruct (D a) as (HO & HI); split; [apply HI; auto |].
    destruct (move_ok_form _ _ _ HO) as [(r & ->) | (r & b & ->)]; cbn [move_ok] in HO; rewrite E in HO.
    - destruct HO as (_ & _ & d & -> & _); auto.
    - destruct HO as (_ & d & -> & _); auto.
  Qed.
  Lemma sfx_dom q : In q sfx -> dom q.
  Proof. intros H; apply in_sfx in H; destruct H; apply dom_mem; auto. Qed.
  Lemma dom_dom q a g : dom q -> m_next (at_letter (T q) a) = Some g -> dom g.
  Proof. intros; eapply sfx_dom, dom_next; eauto. Qed.

  (* The value of a suffix, if those of b and of the next are right. *)
  Lemma sval_holds nx n q bv : dom q ->
    (bv = true <-> match q with SuffixAnd _ b => holds w n b | _ => True end) ->
    (forall g, m_next (at_letter (T q) (w n)) = Some g -> (nx g = true <-> holds w (S n) g)) ->
    (sval T nx (w n) q bv = true <-> holds w n q).
  Proof.
    intros D HB HN; rewrite (suffix_law w T dom dom_ok n q D); unfold sval, now_at, next_at.
    rewrite orb_true_iff, andb_true_iff, HB. destruct (m_next (at_letter (T q) (w n))) as [g |].
    - rewrite (HN g) by auto; split; intros [H | H]; eauto; destruct H as (x & E & H); inversion E; auto.
    - split; intros [H | H]; auto; [discriminate | destruct H as (x & E & _); discriminate].
  Qed.

  Section Pending.
    Variable v : nat -> ltl -> bool.
    Let pend i q := In q sfx /\ pm v i q = true.
    Let now := now_at w T (fun i f => v i f = true).

    Lemma none_iff i : none_pending (pm v i) = true <-> forall p, ~ pend i p.
    Proof.
      unfold Ltl.none_pending; rewrite forallb_forall; split.
      - intros H p (Hp & E); apply H in Hp; rewrite E in Hp; discriminate.
      - intros H q Hq; apply negb_true_iff, not_true_is_false; intros E; apply (H q); split; auto.
    Qed.

    Lemma now_iff i q : In q sfx -> now_of (v i) q (at_letter (T q) (w i)) = true <-> now i q.
    Proof.
      intros H; apply in_sfx in H; destruct H as (_ & H); unfold now, now_at.
      destruct q; try discriminate; simpl; [tauto | rewrite andb_true_iff; tauto].
    Qed.

    Lemma pending_pm : pending ltl sfx now (next_at w T) (fun i q => v i q = true) pend.
    Proof.
      intros i q'.
      assert (HI : forall q, In q sfx -> next_at w T i q q' -> In q' sfx) by (intros q Hq; apply dom_next, sfx_dom; auto).
      assert (HA : forall q, In q sfx -> (pm v i q || none_pending (pm v i) && v i q = true <->
                active ltl (fun i q => v i q = true) pend i q)).
      { intros q Hq; unfold active; rewrite orb_true_iff, andb_true_iff, none_iff; unfold pend; tauto. }
      assert (HL : forall m, leads m q' = true <-> m_next m = Some q').
      { intros m; unfold leads; destruct (m_next m) as [g |]; [| split; discriminate].
        destruct (ltl_eq_dec g q'); split; congruence. }
      assert (HU : In q' sfx -> (pm v (S i) q' = true <->
                exists q, In q sfx /\ active ltl (fun i q => v i q = true) pend i q /\ ~ now i q /\ next_at w T i q q')).
      { intros Hq'; apply in_sfx in Hq'; destruct Hq' as (_ & E); simpl; unfold Ltl.upd; rewrite E; unfold kept.
        rewrite existsb_exists; split.
        - intros (q & Hq & H); apply andb_true_iff in H; destruct H as (H1 & H2); apply andb_true_iff in H2; destruct H2 as (H2 & H3).
          exists q; split; auto; split; [apply HA; auto |]; split; [| apply HL; auto].
          rewrite <- now_iff by auto; intros C; rewrite C in H2; discriminate.
        - intros (q & Hq & H1 & H2 & H3); exists q; split; auto; apply andb_true_iff; split; [apply (HA q Hq); auto |].
          apply andb_true_iff; split; [| apply HL; auto].
          apply negb_true_iff, not_true_is_false; rewrite now_iff; auto. }
      unfold pend at 1; split; [intros (H1 & H2); apply HU; auto |].
      intros H; assert (Hq' : In q' sfx) by (destruct H as (q & Hq & _ & _ & HN); eauto). split; auto; apply HU; auto.
    Qed.

    Lemma next_fun i q a b : next_at w T i q a -> next_at w T i q b -> a = b.
    Proof. unfold next_at; congruence. Qed.
    Lemma next_in i q q' : In q sfx -> next_at w T i q q' -> In q' sfx.
    Proof. intros H; apply dom_next, sfx_dom; auto. Qed.

    (* Values that are consistent and see the mark are the least solution. *)
    Lemma suffixes_least : (forall f, has f -> forall n, v n f = val (v (S n)) (pm v n) (w n) f) ->
      infinitely_often (fun n => none_pending (pm v n) = true) ->
      forall n q, In q sfx -> (v n q = true <-> ful ltl now (next_at w T) n q).
    Proof.
      intros C HF; apply breakpoint_least with (pend := pend).
      - exact next_in.
      - intros n q Hq; pose proof (sfx_dom q Hq) as D; destruct (proj1 (in_sfx q) Hq) as (HMq & HS).
        assert (E : v n q = sval T (v (S n)) (w n) q (match q with SuffixAnd _ b => v n b | _ => true end)).
        { rewrite C by auto; pose proof (HM q HMq) as Hh; destruct q; try discriminate.
          - destruct q; try discriminate; simpl; apply negb_involutive.
          - simpl; f_equal; symmetry; apply C; simpl in Hh; tauto. }
        rewrite E; unfold sval, now, now_at, next_at; rewrite orb_true_iff, andb_true_iff.
        destruct (m_next (at_letter (T q) (w n))) as [g |].
        + split; (intros [(H1 & H2) | H]; [left; split; auto; destruct q; auto |]); eauto.
          destruct H as (x & Ex & H); inversion Ex; auto.
        + split; (intros [(H1 & H2) | H]; [left; split; auto; destruct q; auto |]); [discriminate |].
          destruct H as (x & Ex & H); discriminate.
      - apply pending_pm.
      - revert HF; apply io_mono; intros n; exact (proj1 (none_iff n)).
    Qed.

    (* The true values see the mark. *)
    Lemma suffixes_fair : (forall n f, v n f = true <-> holds w n f) -> infinitely_often (fun n => none_pending (pm v n) = true).
    Proof.
      intros HV; assert (HB : infinitely_often (bmark ltl pend)).
      { apply breakpoint_fair with (qs := sfx) (now := now) (next := next_at w T) (v := fun i q => v i q = true).
        - exact next_fun.
        - intros i q Hq H; apply HV in H.
          eapply (ful_holds w T dom dom_ok dom_dom); eauto using sfx_dom; intros; apply HV.
        - intros q (Hq & E); apply in_sfx in Hq; destruct Hq as (_ & Hq), q; discriminate.
        - intros i q (Hq & _); auto.
        - apply pending_pm. }
      revert HB; apply io_mono; intros n; exact (proj2 (none_iff n)).
    Qed.
  End Pending.

  (* ---- the true values are consistent and fair ---- *)
  Definition tv (n : nat) (f : ltl) : bool := dec (holds w n f).

  Lemma tv_true n f : tv n f = true <-> holds w n f.
  Proof. apply dec_true. Qed.

  Ltac tvs := repeat first [rewrite orb_true_iff | rewrite andb_true_iff | rewrite negb_true_iff
    | rewrite <- not_true_iff_false | rewrite tv_true].

  Ltac pms := cbn [Tableau.pm Ltl.upd is_suffix start_mem].
  Lemma tv_consistent f : has f -> forall n, tv n f = val (tv (S n)) (pm tv n) (w n) f.
  Proof.
    induction f; intros Hf n; simpl in Hf; repeat match goal with A : _ /\ _ |- _ => destruct A end;
      apply eq_true_iff_eq; rewrite tv_true; simpl Ltl.val;
      try rewrite <- IHf by auto; try rewrite <- IHf1, <- IHf2 by auto; tvs; try (simpl; tauto);
      try (simpl; first [rewrite !F_until, until_law | rewrite !G_weak, weak_law]; tauto).
    - simpl; intuition discriminate.
    - simpl. rewrite eqb_true_iff, eq_iff_eq_true, !tv_true; tauto.
    - simpl. rewrite <- !tv_true. destruct (tv n f1), (tv n f2); simpl; intuition congruence.
    - apply (until_law (fun i => holds w i f2) (fun i => holds w i f1)).
    - simpl; rewrite !release_weak, weak_law; tauto.
    - apply (weak_law (fun i => holds w i f2) (fun i => holds w i f1)).
    - simpl; rewrite !strong_until, until_law; tauto.
    - destruct n; pms; simpl holds; [intuition discriminate | rewrite tv_true; tauto].
    - destruct n; pms; simpl holds; [tauto | rewrite tv_true; tauto].
    - simpl holds; rewrite O_law. destruct n; pms; rewrite ?tv_true; [intuition discriminate | simpl; tauto].
    - simpl holds; rewrite H_law. destruct n; pms; rewrite ?tv_true; [tauto | simpl; tauto].
    - simpl holds; rewrite since_law. destruct n; pms; rewrite ?tv_true; [intuition discriminate | simpl; tauto].
    - simpl holds; rewrite trigger_law. destruct n; pms; rewrite ?tv_true; [tauto | simpl; tauto].
    - rewrite sval_holds; auto; [| tauto | intros; apply tv_true]. simpl; split; [tauto | apply NNPP].
    - rewrite sval_holds; auto; [tauto | rewrite tv_true; tauto | intros; apply tv_true].
    - rewrite sval_holds; auto; [| rewrite negb_true_iff, <- not_true_iff_false, tv_true; simpl; tauto | intros; apply tv_true].
      simpl holds; split; [intros HI (k & HL & HX); apply HX; auto | intros N k HL; apply NNPP; eauto].
  Qed.

  Lemma tv_fair f : infinitely_often (fun n => mark (tv n) f = true).
  Proof.
    destruct f; simpl; try (intros n; exists n; auto; fail);
      [ generalize (until_fair (fun i => holds w i f) (fun _ => True))
      | generalize (weak_fair (fun _ => False) (fun i => holds w i f))
      | generalize (until_fair (fun i => holds w i f2) (fun i => holds w i f1))
      | generalize (weak_fair (fun i => holds w i f1 /\ holds w i f2) (fun i => holds w i f2))
      | generalize (weak_fair (fun i => holds w i f2) (fun i => holds w i f1))
      | generalize (until_fair (fun i => holds w i f1 /\ holds w i f2) (fun i => holds w i f2)) ];
      apply io_mono; intros n; tvs; rewrite <- ?F_until, <- ?G_weak, <- ?release_weak, <- ?strong_until;
      simpl; unfold weak, until; tauto.
  Qed.

  (* ---- other values that are consistent and fair are the same ---- *)
  Section Unique.
    Variable v : nat -> ltl -> bool.
    Hypothesis C : forall f, has f -> forall n, v n f = val (v (S n)) (pm v n) (w n) f.
    Hypothesis Fair : forall f, In f K -> infinitely_often (fun n => mark (v n) f = true).
    Hypothesis FairSfx : infinitely_often (fun n => none_pending (pm v n) = true).

    Lemma sval_unique q n bv : dom q -> (forall r b, q = SuffixAnd r b -> forall i, v i b = tv i b) ->
      (bv = true <-> match q with SuffixAnd _ b => holds w n b | _ => True end) ->
      sval T (v (S n)) (w n) q bv = sval T (tv (S n)) (w n) q bv.
    Proof.
      intros D HB Hb; apply eq_true_iff_eq; rewrite !sval_holds; try tauto; auto; intros g E; [apply tv_true |].
      rewrite (suffixes_least v C FairSfx (S n) g (dom_next q _ g D E)).
      apply (ful_holds w T dom dom_ok dom_dom); [eapply dom_dom; eauto |]; intros r b -> i.
      pose proof (dom_ok q D (w n)) as HO; rewrite <- tv_true.
      destruct (move_ok_form _ _ _ HO) as [(r' & ->) | (r' & b' & ->)]; cbn [move_ok] in HO; rewrite E in HO.
      - destruct HO as (_ & _ & d & Q & _); discriminate.
      - destruct HO as (_ & d & Q & _); inversion Q; subst; rewrite (HB r' b'); tauto.
    Qed.

    (* The values of operands are the same, so those of f solve the same law. *)
    Ltac law L := rewrite L by assumption; simpl Ltl.val; rewrite <- ?L by assumption;
      repeat match goal with IH : forall n, v n _ = tv n _ |- _ => rewrite IH end.
    Ltac same := match goal with |- ?p = true -> ?q = true => replace q with p by (simpl mark; btauto); auto end.
    Ltac solution unique a b := match goal with |- forall n, v n ?f = tv n ?f =>
      apply (unique (fun n => v n f) (fun n => tv n f) a b);
      [ intros n; law C; btauto
      | generalize (Fair f ltac:(assumption)); apply io_mono; intros n; simpl mark;
        repeat match goal with IH : forall n, v n _ = tv n _ |- _ => rewrite IH end; same
      | intros n; law tv_consistent; btauto
      | generalize (tv_fair f); apply io_mono; intros n; same ] end.

    Lemma unique f : has f -> forall n, v n f = tv n f.
    Proof.
      induction f; intros HH; pose proof HH as Hf; simpl in Hf;
        repeat match goal with A : _ /\ _ |- _ => destruct A end;
        repeat match goal with A : Ltl.has _ _ _ ?a -> _, B : Ltl.has _ _ _ ?a |- _ => specialize (A B) end.
      all: try (intros n; law tv_consistent; law C; reflexivity).
      all: try (intros n; induction n as [| n IH]; law tv_consistent; law C; simpl Tableau.pm;
        unfold Ltl.upd; simpl; rewrite ?IH; solve [auto]).
      - solution least_unique (fun n => tv n f) (fun _ : nat => true).
      - solution greatest_unique (fun _ : nat => false) (fun n => tv n f).
      - solution least_unique (fun n => tv n f2) (fun n => tv n f1).
      - solution greatest_unique (fun n => tv n f1 && tv n f2) (fun n => tv n f2).
      - solution greatest_unique (fun n => tv n f2) (fun n => tv n f1).
      - solution least_unique (fun n => tv n f1 && tv n f2) (fun n => tv n f2).
      - intros n; law tv_consistent; law C; f_equal; apply sval_unique; auto; [discriminate | tauto].
      - intros n; law tv_consistent; law C; apply sval_unique; auto; [| apply tv_true].
        intros r' b' E; inversion E; subst; auto.
      - assert (HN : forall n, v n (Not f) = tv n (Not f)) by (intros n; law tv_consistent; law C; auto).
        intros n; law tv_consistent; law C; f_equal; apply sval_unique; auto.
        + intros r' b' E; inversion E; subst; auto.
        + simpl holds; rewrite negb_true_iff, <- not_true_iff_false, tv_true; tauto.
    Qed.
  End Unique.

  (* ---- the theorem ---- *)
  Variable phi : ltl.
  Hypothesis Hphi : has phi.
  Hypothesis HK : forall f, In f K -> has f.

  (* An accepting run from a start goes through the true values: it is unique. *)
  Theorem run_unique b s Ms :
    s 0 = inl b -> run (tableau K Mem T phi b) w s Ms ->
    sat (recurring Ms) (accepting (tableau K Mem T phi b)) ->
    (holds w 0 phi <-> b = true) /\
    forall n, s (S n) = inr (map (tv (S n)) K, map (pm tv (S n)) Mem).
  Proof.
    intros HI HR HA. set (v := fun n => value K Mem T (s n) (w n) (digits (s (S n)))).
    set (mem := fun n => look Mem (memory Mem (s n))).
    assert (Step : forall n, s (S n) = inr (digits (s (S n)), map (upd (v n) (mem n) (w n)) Mem) /\
      length (digits (s (S n))) = length K /\ Ms n = marked 0 (none_pending (mem n) :: map (mark (v n)) K) /\
      match s n with inl b => v n phi = b | inr (k0, _) => map (v n) K = k0 end).
    { intros n; destruct (HR n) as ((k & E & L & EM & EK) & _). unfold v, mem; rewrite E; simpl; auto. }
    assert (HMem : forall n g, In g Mem -> mem n g = pm v n g).
    { induction n as [| n IH]; intros g Hg; unfold mem.
      - rewrite HI; simpl; apply look_map; auto.
      - destruct (Step n) as (E & _); rewrite E; simpl memory; rewrite look_map by auto; simpl. apply upd_ext; auto. }
    assert (HKer : forall n g, In g K -> look K (digits (s (S n))) g = v (S n) g).
    { intros n g Hg. destruct (Step n) as (E & _), (Step (S n)) as (_ & _ & _ & EK).
      rewrite E in EK; rewrite <- EK; apply look_map; auto. }
    assert (C : forall f, has f -> forall n, v n f = val (v (S n)) (pm v n) (w n) f).
    { intros f Hf n; unfold v at 1; apply val_ext; auto; apply HMem. }
    assert (Fair : infinitely_often (fun n => none_pending (mem n) = true) /\
      forall f, In f K -> infinitely_often (fun n => mark (v n) f = true)).
    { apply fair_marks; revert HA; apply sat_ext; intros m; apply io_iff; intros n.
      destruct (Step n) as (_ & _ & -> & _); tauto. }
    destruct Fair as (FairSfx & Fair). assert (FairSfx' : infinitely_often (fun n => none_pending (pm v n) = true)).
    { revert FairSfx; apply io_mono; intros n; rewrite (none_ext (mem n) (pm v n)); auto; apply HMem. }
    assert (HV := unique v C Fair FairSfx'); split.
    - rewrite <- tv_true, <- (HV phi Hphi 0). destruct (Step 0) as (_ & _ & _ & E); rewrite HI in E; rewrite E; tauto.
    - assert (HP : forall n g, In g Mem -> pm v n g = pm tv n g).
      { induction n as [| n IH]; intros g Hg; simpl; auto; apply upd_ext; auto. }
      intros n; destruct (Step n) as (E & _), (Step (S n)) as (_ & _ & _ & EK).
      rewrite E in EK. rewrite E, <- EK. f_equal; f_equal; apply map_ext_in; intros f Hf; auto.
      simpl; apply upd_ext; auto; intros g Hg; rewrite HMem; auto.
  Qed.

  Theorem tableau_correct b :
    accepts (tableau K Mem T phi b) w <-> (holds w 0 phi <-> b = true).
  Proof.
    split.
    - intros (s & Ms & HI & HR & HA); exact (proj1 (run_unique b s Ms HI HR HA)).
    - intros Hb. set (s := fun n => match n with | 0 => inl b
        | S m => inr (map (tv n) K, map (pm tv n) Mem) end : tstate).
      assert (HMem : forall n g, In g Mem -> look Mem (memory Mem (s n)) g = pm tv n g).
      { intros n g Hg; destruct n; simpl memory; rewrite look_map; auto. }
      assert (HV : forall n f, has f -> value K Mem T (s n) (w n) (map (tv (S n)) K) f = tv n f).
      { intros n f Hf; rewrite tv_consistent by auto; unfold value; apply val_ext; auto.
        intros; apply look_map; auto. }
      exists s, (fun n => marked 0 (none_pending (pm tv n) :: map (mark (tv n)) K)); split; [| split].
      + reflexivity.
      + enough (HE : forall n, tedge K Mem T phi (s n) (w n) (marked 0 (none_pending (pm tv n) :: map (mark (tv n)) K)) (s (S n))).
        { intros n; split; eauto. }
        intros n; exists (map (tv (S n)) K); split; [| split; [| split]].
        * simpl; f_equal; f_equal. apply map_ext_in; intros f Hf; symmetry; apply upd_ext; auto.
        * apply map_length.
        * f_equal; f_equal; [symmetry; apply none_ext; auto |].
          apply map_ext_in; intros f Hf; symmetry; apply mark_ext; auto.
        * destruct n; simpl.
          -- rewrite (HV 0) by auto. destruct b.
             ++ apply tv_true; tauto.
             ++ apply not_true_is_false; rewrite tv_true; rewrite Hb; discriminate.
          -- apply map_ext_in; intros f Hf; apply (HV (S n)); auto.
      + apply fair_marks; split; [apply suffixes_fair; exact tv_true | intros f _; apply tv_fair].
  Qed.
End Truth.
