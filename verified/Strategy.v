(* Check 1 of docs/proofs.md, as a program, for any system on the left: states without an accepting
   run, answers on cubes of letters, no bad cycle of answers. *)
From Coq Require Import List Arith Lia Bool Classical PArith FMapPositive.
Import ListNotations.
Require Import Spec Base Cycle Cubes.

(* ---- Lists and tables ---- *)

Section Collect.
  Variables A B : Type.
  Variable f : A -> option (list B).
  Fixpoint collect (l : list A) (out : list B) : option (list B) :=
    match l with
    | [] => Some out
    | x :: l => match f x with None => None | Some o => collect l (rev_append o out) end
    end.
  Lemma collect_in l : forall out res, collect l out = Some res ->
    incl out res /\ forall x, In x l -> exists o, f x = Some o /\ incl o res.
  Proof.
    induction l as [| y l IH]; simpl; intros out res E.
    - inversion E; subst; split; [apply incl_refl | tauto].
    - destruct (f y) as [o |] eqn:Ey; [| discriminate].
      destruct (IH _ _ E) as (H1 & H2); rewrite rev_append_rev in H1.
      split; [eapply incl_tran; [| apply H1]; apply incl_appr, incl_refl |].
      intros x [<- | Hx]; auto. exists o; split; auto.
      intros z Hz; apply H1, in_app_iff; left; rewrite <- in_rev; auto.
  Qed.
End Collect.
Arguments collect {A B}.

Fixpoint number {A} (i : positive) (l : list A) (m : PM.t A) : PM.t A :=
  match l with [] => m | x :: l => number (Pos.succ i) l (PM.add i x m) end.

Lemma number_in {A} (l : list A) : forall i m j x,
  PM.find j (number i l m) = Some x -> In x l \/ PM.find j m = Some x.
Proof.
  induction l as [| y l IH]; simpl; auto. intros i m j x E; apply IH in E; destruct E as [E | E]; auto.
  destruct (Pos.eq_dec j i) as [-> | N].
  - rewrite PM.gss in E; inversion E; auto.
  - rewrite PM.gso in E; auto.
Qed.

Definition pos_in (p : positive) (l : list positive) := existsb (Pos.eqb p) l.
Lemma pos_in_In p l : pos_in p l = true -> In p l.
Proof. unfold pos_in; rewrite existsb_exists; intros (q & Hq & E); apply Pos.eqb_eq in E; subst; auto. Qed.


(* What the untrusted part of the program computes: numbered states, and where each is. *)
Record table S := { entries : PM.t S; index : S -> option positive }.
Arguments entries {S}. Arguments index {S}.

Section Find.
  Variable S : Type.
  Variable eqb : S -> S -> bool.
  Hypothesis eqb_eq : forall s t, eqb s t = true -> s = t.
  Definition find_in (t : table S) (s : S) : option positive :=
    match index t s with
    | Some i => match PM.find i (entries t) with
                | Some s' => if eqb s s' then Some i else None
                | None => None end
    | None => None end.
  Lemma find_in_spec t s i : find_in t s = Some i -> PM.find i (entries t) = Some s.
  Proof.
    unfold find_in; destruct (index t s) as [j |]; [| discriminate].
    destruct (PM.find j (entries t)) as [s' |] eqn:E; [| discriminate]. destruct (eqb s s') eqn:Q; [| discriminate].
    intros HH; inversion HH; subst; apply eqb_eq in Q; subst; auto.
  Qed.
End Find.
Arguments find_in {S}.

Definition key_of {S} (t : table S) (s : S) := match index t s with Some i => i | None => 1%positive end.

(* A function, computed once for the states of a table, and nowhere else. *)
Definition memo {S X} (eqb : S -> S -> bool) (t : table S) (f : S -> option X) : S -> option X :=
  let m := PM.map f (entries t) in
  fun s => match find_in eqb t s with
           | Some i => match PM.find i m with Some x => x | None => None end
           | None => None end.

Lemma memo_some {S X} eqb (t : table S) (f : S -> option X) s x :
  (forall s t, eqb s t = true -> s = t) -> memo eqb t f s = Some x -> f s = Some x.
Proof.
  intros HE; unfold memo; destruct (find_in eqb t s) as [i |] eqn:E; [| discriminate].
  apply (find_in_spec _ _ HE) in E. destruct (PM.find i (PM.map f (entries t))) as [o |] eqn:Ex; [| discriminate].
  intros ->; unfold PM.map in Ex; rewrite PM.gmapi, E in Ex; simpl in Ex; inversion Ex; auto.
Qed.

(* ---- Strategies ---- *)

(* Node i of the text is number i+1. Node 1 has all initial states of both. *)
Record answer S := { a_to : S; a_edge : positive; a_node : positive; a_on : list (bool * nat) }.
Record node S := { n_left : list S; n_at : list positive; n_answers : list (answer S) }.
Arguments a_to {S}. Arguments a_edge {S}. Arguments a_node {S}. Arguments a_on {S}.
Arguments n_left {S}. Arguments n_at {S}. Arguments n_answers {S}.
Definition strategy S := PM.t (node S).

(* Edges of the left, each on a cube of letters. *)
Definition edges_of S := list (cube * (list nat * S)).

(* The literals that are open, if none is false; what is known is given by a function. *)
Definition literals := list (bool * nat).
Fixpoint open_in (known : nat -> option bool) (l : literals) : option literals :=
  match l with
  | [] => Some []
  | (b, p) :: l =>
    match known p with
    | Some d => if eqb b d then open_in known l else None
    | None => option_map (cons (b, p)) (open_in known l)
    end
  end.

(* Edge i of the text is number i+1. *)
Definition edge_table (A : hoa) : PM.t edge := number 1 (edges A) (PM.empty edge).
Lemma edge_table_in A i e : PM.find i (edge_table A) = Some e -> In e (edges A).
Proof. intros H; apply number_in in H; destruct H as [H | H]; auto. rewrite PM.gempty in H; discriminate. Qed.

Section Strategy.
  Variable S : Type.
  Variable seqb : S -> S -> bool.
  Hypothesis seqb_eq : forall s t, seqb s t = true -> s = t.
  (* The left system, with states S, and a function for its edges. *)
  Variable roots : list S.
  Variable linit : S -> Prop.
  Variable lstep : S -> letter -> list nat -> S -> Prop.
  Variable lcond : acc.
  Let Left := {| state := S; starts := linit; step := lstep; accepting := lcond |}.
  Variable succs : S -> option (edges_of S).
  Hypothesis Roots : forall s, linit s -> In s roots.
  Hypothesis Succ : forall s l m s' out, succs s = Some out -> lstep s l m s' ->
    exists c, In (c, (m, s')) out /\ inside c l.
  Variable A : hoa.
  Variable deads : table S.
  Variable oracle : arcs -> PM.t positive.
  Variable fuel : nat.
  Variable nds : strategy S.

  (* Answers are found by the keys of their states. Two states may have the same key. *)
  Variable key : S -> positive.
  Definition by_key (v : node S) := bucket (answer S) (fun a => key (a_to a)) (rev (n_answers v)).

  (* A parameter, so that the program makes the table once, and not for each answer. *)
  Variable etable : PM.t edge.
  Hypothesis Edges : forall i e, PM.find i etable = Some e -> In e (edges A).

  Definition find_dead := find_in seqb deads.

  (* All edges of dead states lead to dead states, and no cycle of them is accepting. *)
  Definition dead_arcs : option arcs :=
    collect (fun x : positive * S =>
      match succs (snd x) with
      | None => None
      | Some out => collect (fun o : cube * (list nat * S) =>
          match find_dead (snd (snd o)) with
          | Some j => Some [Arc (fst x) (fst (snd o)) j]
          | None => None end) out []
      end) (PM.elements (entries deads)) [].

  Definition check_dead :=
    match dead_arcs with
    | Some E => cyc oracle fuel E lcond | None => false end.

  (* The edge and the node of an answer fit its own node, and each other. *)
  Definition fits (v : node S) (a : answer S) : option edge :=
    match PM.find (a_edge a) etable, PM.find (a_node a) nds with
    | Some e, Some v' =>
      if pos_in (esrc e) (n_at v) &&
         match n_left v' with [s] => seqb s (a_to a) | _ => false end &&
         match n_at v' with [q] => Pos.eqb q (edst e) | _ => false end
      then Some e else None
    | _, _ => None
    end.

  Definition well_formed :=
    forallb (fun x : positive * node S =>
      forallb (fun a => match fits (snd x) a with Some _ => true | None => false end)
        (n_answers (snd x))) (PM.elements nds).

  (* The answers that are possible, each with its open literals. *)
  Definition open_answer := (literals * answer S)%type.
  Fixpoint narrow (known : nat -> option bool) (l : list open_answer) : list open_answer :=
    match l with
    | [] => []
    | (on, a) :: l => match open_in known on with
                      | Some on => (on, a) :: narrow known l
                      | None => narrow known l end
    end.

  (* On all letters of the cube, the first answer that fits; or what to split. *)
  Definition reply (i : positive) (v : node S) (m : list nat) (c : cube) (l : list open_answer)
    : option (nat + arc positive) :=
    match l with
    | [] => None
    | ((_, p) :: _, _) :: _ => Some (inl p)
    | ([], a) :: _ =>
      match fits v a with
      | None => None
      | Some e => match beval3 c (elabel e) with
                  | Known true => Some (inr (Arc i (both m (emarks e)) (a_node a)))
                  | Known false => None
                  | Open p => Some (inl p)
                  end
      end
    end.

  (* Which proposition is split has no influence on what is right, but on how long it takes: it is one of
     the answer with the fewest open literals. *)
  Fixpoint nearest (l : list open_answer) (fewest : nat) (p : nat) : nat :=
    match l with
    | ((_, q) :: _ as on, _) :: l =>
      let n := length on in if n <? fewest then nearest l n q else nearest l fewest p
    | _ => p
    end.

  Fixpoint replies (i : positive) (v : node S) (m : list nat) (steps : nat) (l : list open_answer)
    (c : cube) (out : arcs) : option arcs :=
    match reply i v m c l with
    | None => None
    | Some (inr e) => Some (e :: out)
    | Some (inl p) =>
      match steps with
      | 0 => None
      | Datatypes.S steps =>
        let p := nearest l (length c) p in
        let half b := replies i v m steps (narrow (fun q => if Nat.eqb p q then Some b else None) l) (fix_in c p b) in
        match half false out with
        | Some out => half true out
        | None => None
        end
      end
    end.

  (* For one edge of the left. *)
  Definition answered (i : positive) (v : node S) (answers : PM.t (list (answer S)))
    (o : cube * (list nat * S)) : option arcs :=
    match find_dead (snd (snd o)) with
    | Some _ => Some []
    | None => replies i v (fst (snd o)) (length (fst o))
                (narrow (fun p => nth p (fst o) None)
                   (map (fun a => (a_on a, a)) (filter (fun a => seqb (a_to a) (snd (snd o)))
                      (get _ answers (key (snd (snd o))))))) (fst o) []
    end.

  Definition strategy_arcs : option arcs :=
    collect (fun x : positive * node S =>
      collect (fun s => match succs s with
                        | None => None
                        | Some out => collect (answered (fst x) (snd x) (by_key (snd x))) out []
                        end) (n_left (snd x)) []) (PM.elements nds) [].

  Definition check_root :=
    match PM.find 1%positive nds with
    | Some v => forallb (fun s => existsb (seqb s) (n_left v)) roots &&
                forallb (fun q => pos_in q (initial A)) (n_at v)
    | None => false end.

  Definition check_strategy :=
    check_root && well_formed &&
    match strategy_arcs with
    | Some E => cyc oracle fuel E (AAnd (amap lm lcond) (amap rm (aneg (acceptance A))))
    | None => false end.

  Lemma find_dead_spec s i : find_dead s = Some i -> PM.find i (entries deads) = Some s.
  Proof. apply find_in_spec; auto. Qed.

  (* Dead states have no accepting run. *)
  Lemma dead_not_live s i : check_dead = true -> find_dead s = Some i -> ~ live Left s.
  Proof.
    unfold check_dead; destruct dead_arcs as [E |] eqn:EE; [| discriminate]. intros HC Hi (w & r & M & E0 & HR & HA).
    assert (Step : forall k i, find_dead (r k) = Some i ->
              exists j, find_dead (r (Datatypes.S k)) = Some j /\ In (Arc i (M k) j) E).
    { intros k i' Hi'. destruct (collect_in _ _ _ _ _ _ EE) as (_ & EE2). destruct (EE2 (i', r k)) as (o1 & Ho1 & I1);
        [apply PM.elements_correct, find_dead_spec; auto | clear EE2]; simpl in Ho1.
      destruct (succs (r k)) as [out |] eqn:EO; [| discriminate]. destruct (Succ _ _ _ _ _ EO (HR k)) as (c & H1 & _).
      destruct (collect_in _ _ _ _ _ _ Ho1) as (_ & EE2).
      destruct (EE2 _ H1) as (o2 & Ho2 & I2); clear EE2; simpl in Ho2.
      match type of Ho2 with context [find_dead ?x] => destruct (find_dead x) as [j |] eqn:Ej end;
        [| discriminate Ho2].
      exists j; split; [first [exact Ej | reflexivity] |]. inversion Ho2; subst. apply I1, I2; simpl; auto. }
    set (f := fun k => match find_dead (r k) with Some i => i | None => 1%positive end).
    assert (Hf : forall k, find_dead (r k) = Some (f k)).
    { unfold f; induction k as [| k IH].
      - rewrite E0, Hi; auto.
      - destruct (Step k _ IH) as (j & -> & _); auto. }
    apply (cyc_sound _ _ _ _ HC (fun k => Arc (f k) (M k) (f (Datatypes.S k)))).
    - intros k; reflexivity.
    - intros k; destruct (Step k _ (Hf k)) as (j & Hj & Hin). rewrite Hf in Hj; inversion Hj; subst; auto.
    - exact HA.
  Qed.

  Lemma narrow_in known l a : In a (map snd (narrow known l)) -> In a (map snd l).
  Proof. induction l as [| (on, x) l IH]; simpl; auto. destruct (open_in known on); simpl; tauto. Qed.

  (* A reply has an edge that reads all letters of the cube. *)
  Lemma reply_arc i v m c l e : reply i v m c l = Some (inr e) ->
    exists a r, In a (map snd l) /\ fits v a = Some r /\ e = Arc i (both m (emarks r)) (a_node a) /\
      forall x, inside c x -> beval x (elabel r) = true.
  Proof.
    destruct l as [| ([| (b, p)], a) l]; simpl; try discriminate.
    destruct (fits v a) as [r |] eqn:Ef; [| discriminate].
    destruct (beval3 c (elabel r)) as [[|] | p] eqn:Eb; try discriminate.
    intros E; inversion E; subst; exists a, r; repeat split; auto.
    intros x Hx; pose proof (beval3_is c x (elabel r) Hx) as V; rewrite Eb in V; simpl in V; auto.
  Qed.

  Lemma replies_in i v m steps : forall l c out res, replies i v m steps l c out = Some res ->
    incl out res /\ forall x, inside c x -> exists a r, In a (map snd l) /\ fits v a = Some r /\
      In (Arc i (both m (emarks r)) (a_node a)) res /\ beval x (elabel r) = true.
  Proof.
    induction steps as [| steps IH]; intros l c out res; simpl;
      destruct (reply i v m c l) as [[p | e] |] eqn:ER; try discriminate.
    1,3: intros E; inversion E; subst; split; [intros z Hz; simpl; auto |]; intros x Hx;
      destruct (reply_arc _ _ _ _ _ _ ER) as (a & r & H1 & H2 & -> & H3); exists a, r; simpl; auto.
    generalize (nearest l (length c) p); clear p ER; intros p.
    destruct (replies i v m steps _ (fix_in c p false) out) as [mid |] eqn:E1; [| discriminate].
    intros E2; destruct (IH _ _ _ _ E1) as (I1 & H1), (IH _ _ _ _ E2) as (I2 & H2).
    split; [eapply incl_tran; eauto |]; intros x Hx; pose proof (inside_fix x c p Hx) as HF. destruct (x p).
    - destruct (H2 x HF) as (a & r & Q1 & Q2 & Q3 & Q4); pose proof (narrow_in _ _ _ Q1); exists a, r; auto.
    - destruct (H1 x HF) as (a & r & Q1 & Q2 & Q3 & Q4); pose proof (narrow_in _ _ _ Q1); exists a, r; auto.
  Qed.

  Let lst (i : positive) (s : S) := exists v, PM.find i nds = Some v /\ In s (n_left v).
  Let rst (i : positive) (q : positive) := exists v, PM.find i nds = Some v /\ In q (n_at v).

  (* If the check of a strategy says true, the automaton accepts what the left accepts. *)
  Theorem strategy_sound : check_dead = true -> check_strategy = true ->
    forall w, accepts Left w -> accepts (automaton A) w.
  Proof.
    intros HD; unfold check_strategy; rewrite !andb_true_iff; intros ((HRoot & _) & HC).
    destruct strategy_arcs as [E |] eqn:EE; [| discriminate].
    apply (inclusion_path Left (automaton A) positive lst rst (fun e => In e E));
      [split | apply (cyc_sound _ _ _ _ HC)].
    - intros s Hs; simpl in Hs; unfold check_root in HRoot.
      destruct (PM.find 1%positive nds) as [v |] eqn:E1; [| discriminate].
      apply andb_true_iff in HRoot; destruct HRoot as (R1 & R2). rewrite forallb_forall in R1, R2.
      exists 1%positive; split.
      + exists v; split; auto. specialize (R1 s (Roots s Hs)); apply existsb_exists in R1.
        destruct R1 as (s' & Hs' & Q); apply seqb_eq in Q; subst; auto.
      + intros q (v' & E' & Hq). assert (v' = v) by congruence; subst. apply pos_in_In, R2; auto.
    - intros i s l m s' (v & Ei & Ev) HS HL. destruct (collect_in _ _ _ _ _ _ EE) as (_ & EE2).
      destruct (EE2 (i, v)) as (o1 & Ho1 & I1); [apply PM.elements_correct; auto | clear EE2].
      destruct (collect_in _ _ _ _ _ _ Ho1) as (_ & EE2).
      destruct (EE2 _ Ev) as (o2 & Ho2 & I2); clear EE2; cbv beta in Ho2.
      destruct (succs s) as [out |] eqn:EO; [| discriminate]. destruct (Succ _ _ _ _ _ EO HS) as (c & H1 & Hc).
      destruct (collect_in _ _ _ _ _ _ Ho2) as (_ & EE2).
      destruct (EE2 _ H1) as (o3 & Ho3 & I3); clear EE2; unfold answered in Ho3; simpl in Ho3.
      match type of Ho3 with context [find_dead ?x] => destruct (find_dead x) as [d |] eqn:Ed end.
      { exfalso; eapply dead_not_live; eauto. }
      destruct (replies_in _ _ _ _ _ _ _ _ Ho3) as (_ & HR). destruct (HR l Hc) as (a & e & Ha & Ef & Hin & Hl).
      apply narrow_in in Ha; rewrite map_map, map_id in Ha.
      apply filter_In in Ha; destruct Ha as (_ & Ha); apply seqb_eq in Ha. unfold fits in Ef.
      destruct (PM.find (a_edge a) etable) as [e' |] eqn:Ee; [| discriminate].
      destruct (PM.find (a_node a) nds) as [v' |] eqn:Ev'; [| discriminate].
      match type of Ef with context [if ?c then _ else _] => destruct c eqn:Q end; [| discriminate Ef].
      inversion Ef; subst e'. rewrite !andb_true_iff in Q; destruct Q as ((Q1 & Q3) & Q4). apply Edges in Ee.
      destruct (n_left v') as [| s1 [|]] eqn:Es; try discriminate. apply seqb_eq in Q3; subst s1.
      destruct (n_at v') as [| q [|]] eqn:Eq; try discriminate. apply Pos.eqb_eq in Q4; subst q.
      exists (a_node a), (esrc e), (edst e), (emarks e). split; [exists v; auto using pos_in_In |].
      split; [exists e; auto |]. split; [exists v'; rewrite Es, Ha; simpl; auto |]. split.
      + intros x (v2 & Ev2 & Hx). assert (v2 = v') by congruence; subst.
        rewrite Eq in Hx; destruct Hx as [<- | []]; auto.
      + apply I1, I2, I3; auto.
  Qed.
End Strategy.
