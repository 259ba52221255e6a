(* The checker, and what it shows: check_sound for a formula, check2_sound for two automata. *)
From Coq Require Import List Arith Lia Bool Classical PArith FMapPositive.
Import ListNotations.
Require Import Spec Base Re Ltl Tableau Moves Cycle Cubes Successors Strategy.

(* ---- Proofs after reading, and hints, of which nothing is assumed ---- *)

Record proof := { formula : ltl; truth_is : bool; kernel : list ltl; memories : list ltl;
                  aut : hoa; props : nat; nodes : strategy tstate }.
Record proof2 := { aut1 : hoa; aut2 : hoa; props2 : nat;
                   nodes12 : strategy positive; nodes21 : strategy positive }.

Record hints := { states : table tstate; dead : table tstate; pairs : table (positive * tstate);
                  level : positive -> positive; ranks : arcs -> PM.t positive; fuel : nat }.
Record hints2 := { states1 : table positive; states2 : table positive;
                   dead1 : table positive; dead2 : table positive;
                   ranks2 : arcs -> PM.t positive; fuel2 : nat }.

Definition pair_eqb (p q : positive * tstate) := Pos.eqb (fst p) (fst q) && tstate_eqb (snd p) (snd q).
Lemma pair_eqb_eq p q : pair_eqb p q = true -> p = q.
Proof.
  unfold pair_eqb; rewrite andb_true_iff; intros (Q1 & Q2).
  apply Pos.eqb_eq in Q1; apply tstate_eqb_eq in Q2; destruct p, q; simpl in *; subst; auto.
Qed.

Section Pairs.
  Variable pf : proof.
  Variable h : hints.
  Let K := kernel pf.
  Let Mem := memories pf.
  Let phi := formula pf.
  Let b := truth_is pf.
  Let A := aut pf.
  Let leaving := bucket edge esrc (edges A).
  Variable T : ltl -> tree move.
  Let marks_all := all_inf 0 (S (length K)).
  Let fdead := find_in tstate_eqb (dead h).
  Let fpair := find_in pair_eqb (pairs h).

  (* ---- check 2: the pairs are closed, and no cycle is accepted by both ---- *)

  Variable succs : tstate -> option (edges_of tstate).

  Definition pair_arcs : option arcs :=
    let alive := memo tstate_eqb (states h) (fun s => option_map (filter (fun o =>
      match fdead (snd (snd o)) with None => true | _ => false end)) (succs s)) in
    collect (fun x : positive * (positive * tstate) =>
      match alive (snd (snd x)) with
      | None => None
      | Some out =>
        collect (fun e =>
          collect (fun o : cube * (list nat * tstate) =>
            if meets (length (fst o)) (fst o) (elabel e) then
              match fpair (edst e, snd (snd o)) with
              | Some j => within (level h) (Arc (fst x) (both (emarks e) (fst (snd o))) j)
              | None => None end
            else Some []) out []) (get _ leaving (fst (snd x))) []
      end) (PM.elements (entries (pairs h))) [].

  Definition check_pairs :=
    forallb (fun q => match fpair (q, inl (negb b)) with Some _ => true | None => false end) (initial A) &&
    match pair_arcs with
    | Some E => cyc (ranks h) (fuel h) E (AAnd (amap lm (acceptance A)) (amap rm marks_all))
    | None => false end.

  Hypothesis succ_in : forall s l m s' out, succs s = Some out -> tstep K Mem T phi s l m s' ->
    exists c, In (c, (m, s')) out /\ inside c l.

  (* The automaton accepts no word that the tableau of the other truth accepts. *)
  Lemma check_pairs_sound :
    check_dead tstate tstate_eqb marks_all succs (dead h) (ranks h) (fuel h) = true ->
    check_pairs = true ->
    forall w, accepts (automaton A) w -> accepts (tableau K Mem T phi (negb b)) w -> False.
  Proof.
    intros HD; unfold check_pairs; rewrite andb_true_iff, forallb_forall; intros (HI & HC).
    destruct pair_arcs as [E |] eqn:EE; [| discriminate].
    set (ix := fun p => match fpair p with Some i => i | None => 1%positive end).
    apply (disjoint_path (automaton A) (tableau K Mem T phi (negb b)) (fun p => exists i, fpair p = Some i)
      (fun e => exists o, within (level h) (Arc (ix (src e)) (marks e) (ix (dst e))) = Some o /\ incl o E)); [split |].
    - intros q s Hq Hs; simpl in Hq, Hs; subst. specialize (HI q Hq); cbv beta in HI.
      match type of HI with context [fpair ?x] => destruct (fpair x) as [i |] eqn:Ei end;
        [exists i; exact Ei | discriminate HI].
    - intros q s l m m' q' s' (i & Hi) (e & He & Esrc & Elab & Em & Edst) HS HL.
      destruct (collect_in _ _ _ _ _ _ EE) as (_ & EE2). destruct (EE2 (i, (q, s))) as (o1 & Ho1 & I1);
        [apply PM.elements_correct, (find_in_spec _ _ pair_eqb_eq); auto | clear EE2].
      cbv zeta in Ho1; simpl fst in Ho1; simpl snd in Ho1.
      match type of Ho1 with match ?m with _ => _ end = _ => destruct m as [out' |] eqn:EA end; [| discriminate].
      apply memo_some in EA; [| apply tstate_eqb_eq].
      destruct (succs s) as [out |] eqn:EO; [| discriminate]; simpl in EA; inversion EA; subst out'; clear EA.
      destruct (succ_in _ _ _ _ _ EO HS) as (c & H1 & Hc). destruct (collect_in _ _ _ _ _ _ Ho1) as (_ & EE2).
      destruct (EE2 e) as (o2 & Ho2 & I2); [subst q; apply (bucket_in _ esrc); auto | clear EE2].
      destruct (fdead s') as [d |] eqn:Ed.
      { exfalso; revert HL; eapply (dead_not_live tstate tstate_eqb tstate_eqb_eq
          (fun s => s = inl (negb b)) (tstep K Mem T phi) marks_all succs succ_in); eauto. }
      destruct (collect_in _ _ _ _ _ _ Ho2) as (_ & EE2).
      destruct (EE2 (c, (m', s'))) as (o3 & Ho3 & I3); [| clear EE2].
      { apply filter_In; split; auto; simpl; rewrite Ed; auto. }
      simpl in Ho3. rewrite (meets_in l (elabel e) (length c) c Hc Elab) in Ho3. rewrite Edst in Ho3.
      match type of Ho3 with context [fpair ?x] => destruct (fpair x) as [j |] eqn:Ej end; [| discriminate Ho3].
      split; [exists j; first [exact Ej | reflexivity] |].
      assert (X1 : ix (q, s) = i) by (unfold ix; change (fpair (q, s) = Some i) in Hi; rewrite Hi; auto).
      assert (X2 : ix (q', s') = j) by (unfold ix; change (fpair (q', s') = Some j) in Ej; rewrite Ej; auto).
      change (exists o, within (level h) (Arc (ix (q, s)) (both m m') (ix (q', s'))) = Some o /\ incl o E); rewrite X1, X2.
      rewrite <- Em; exists o3; split; [exact Ho3 | intros z Hz; apply I1, I2, I3, Hz].
    - intros r P HE HS. apply (cyc_within _ (level h) _ _ _ HC (fun k => Arc (ix (src (r k))) (marks (r k)) (ix (dst (r k))))).
      + intros k; change (ix (dst (r k)) = ix (src (r (S k)))); f_equal; apply P.
      + exact HE.
      + exact HS.
  Qed.
End Pairs.

(* The moves of all suffixes: of the formula, the kernel and the memory. *)
Definition all_keys (pf : proof) := nodup ltl_eq_dec (flat_map keys (formula pf :: kernel pf ++ memories pf)).
Definition all_moves (pf : proof) (steps : nat) : option mtable :=
  table_of (props pf) steps (kernel pf) (memories pf) (all_keys pf).

Definition check (pf : proof) (h : hints) :=
  match all_moves pf (20 * fuel h) with
  | None => false
  | Some l =>
    let K := kernel pf in let Mem := memories pf in
    let C := compile K Mem (moves l) (formula pf) in
    let succs := memo tstate_eqb (states h) (tsucc (props pf) C) in
    let marks_all := all_inf 0 (S (length K)) in
    hasb K Mem l (formula pf) && forallb (hasb K Mem l) K && forallb (hasb K Mem l) Mem &&
    check_dead tstate tstate_eqb marks_all succs (dead h) (ranks h) (fuel h) &&
    check_strategy tstate tstate_eqb [inl (truth_is pf)] marks_all succs (aut pf)
      (dead h) (ranks h) (fuel h) (nodes pf) (key_of (states h)) (edge_table (aut pf)) &&
    check_pairs pf h succs
  end.

(* If check says true, whatever the hints are, the automaton of the proof accepts exactly the words
   on which the formula has the truth of the proof. *)
Theorem check_sound (pf : proof) (h : hints) : check pf h = true ->
  exact (aut pf) (formula pf) (truth_is pf).
Proof.
  unfold check; destruct (all_moves pf (20 * fuel h)) as [tb |] eqn:ET; [| discriminate].
  set (succs := memo _ _ _); cbv zeta; rewrite !andb_true_iff;
    intros (((((S1 & S2) & S3) & HD) & H1) & H2) w; rewrite !forallb_forall in *.
  assert (HH : forall f, hasb (kernel pf) (memories pf) tb f = true -> has (kernel pf) (memories pf) (moves tb) f).
  { intros f; eapply hasb_has; exact ET. }
  assert (TC := tableau_correct (kernel pf) (memories pf) (moves tb) w (fun f H => HH _ (S3 f H)) (formula pf)
    (HH _ S1) (fun f H => HH _ (S2 f H))).
  assert (SI : forall s l m s' out, succs s = Some out ->
    tstep (kernel pf) (memories pf) (moves tb) (formula pf) s l m s' -> exists c, In (c, (m, s')) out /\ inside c l).
  { intros s l m s' out Eo Hs; unfold succs in Eo; apply memo_some in Eo; [| apply tstate_eqb_eq].
    eapply tsucc_in; eauto. }
  split.
  - intros HA; apply NNPP; intros N. apply (check_pairs_sound pf h (moves tb) succs SI HD H2 w HA), TC.
    destruct (classic (holds w 0 (formula pf))), (truth_is pf); simpl; intuition congruence.
  - intros HF; apply TC in HF; revert HF. apply (strategy_sound tstate tstate_eqb tstate_eqb_eq [inl (truth_is pf)]
             (fun s => s = inl (truth_is pf)) (tstep (kernel pf) (memories pf) (moves tb) (formula pf))
             (all_inf 0 (S (length (kernel pf)))) succs) with (3 := edge_table_in (aut pf)) (4 := HD) (5 := H1); auto.
    intros s ->; simpl; auto.
Qed.

(* ---- Two automata ---- *)

Definition asucc n (A : hoa) : positive -> option (edges_of positive) :=
  let leaving := bucket edge esrc (edges A) in
  fun q => collect (fun e => match cubes n (repeat None n) (elabel e) [] with
                             | Some cs => Some (map (fun c => (c, (emarks e, edst e))) cs)
                             | None => None end) (get _ leaving q) [].

Lemma asucc_in n A q l m q' out : asucc n A q = Some out -> step (automaton A) q l m q' ->
  exists c, In (c, (m, q')) out /\ inside c l.
Proof.
  unfold asucc; intros E (e & He & Es & El & Em & Ed). destruct (collect_in _ _ _ _ _ _ E) as (_ & H).
  destruct (H e) as (o & Ho & I); [subst q; apply (bucket_in _ esrc); auto |].
  destruct (cubes n (repeat None n) (elabel e) []) as [cs |] eqn:EC; [| discriminate].
  destruct (cubes_in l _ _ _ _ _ EC) as (_ & HC). destruct (HC (inside_all n l) El) as (c & Hc & Hi).
  exists c; split; auto; inversion Ho; subst; apply I, in_map_iff; exists c; auto.
Qed.

Definition included n (A B : hoa) (t d : table positive) oracle fuel (s : strategy positive) :=
  let succs := memo Pos.eqb t (asucc n A) in
  check_dead positive Pos.eqb (acceptance A) succs d oracle fuel &&
  check_strategy positive Pos.eqb (initial A) (acceptance A) succs B d oracle fuel s (key_of t) (edge_table B).

Definition check2 (pf : proof2) (h : hints2) :=
  let n := props2 pf in
  included n (aut1 pf) (aut2 pf) (states1 h) (dead1 h) (ranks2 h) (fuel2 h) (nodes12 pf) &&
  included n (aut2 pf) (aut1 pf) (states2 h) (dead2 h) (ranks2 h) (fuel2 h) (nodes21 pf).

Lemma included_sound n A B t d oracle fuel s :
  included n A B t d oracle fuel s = true ->
  forall w, accepts (automaton A) w -> accepts (automaton B) w.
Proof.
  unfold included; cbv zeta; rewrite andb_true_iff; intros (HD & HS).
  apply (strategy_sound positive Pos.eqb (fun s t => proj1 (Pos.eqb_eq s t)) (initial A)
           (fun q => In q (initial A)) (step (automaton A)) (acceptance A) (memo Pos.eqb t (asucc n A)))
    with (3 := edge_table_in B) (4 := HD) (5 := HS); auto.
  intros q l m q' out Eo Hs; apply memo_some in Eo; [| intros x y; apply Pos.eqb_eq]. eapply asucc_in; eauto.
Qed.

(* If check2 says true, whatever the hints are, the two automata accept the same words. *)
Theorem check2_sound (pf : proof2) (h : hints2) : check2 pf h = true -> equivalent (aut1 pf) (aut2 pf).
Proof.
  unfold check2; cbv zeta; rewrite andb_true_iff; intros (I1 & I2) w. split; eapply included_sound; eauto.
Qed.
