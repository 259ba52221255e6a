(* The moves of suffixes, computed: now and next of docs/proofs.md. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
Require Import Spec Base Cubes Re Ltl.

Definition ltl_in (f : ltl) (l : list ltl) := existsb (fun g => if ltl_eq_dec f g then true else false) l.
Lemma ltl_in_In f l : ltl_in f l = true -> In f l.
Proof. unfold ltl_in; rewrite existsb_exists; intros (g & Hg & E); destruct ltl_eq_dec; congruence. Qed.

Fixpoint tmap {X Y} (f : X -> Y) (t : tree X) : tree Y :=
  match t with Leaf x => Leaf (f x) | Split p no yes => Split p (tmap f no) (tmap f yes) end.
Lemma tmap_at {X Y} (f : X -> Y) t l : at_letter (tmap f t) l = f (at_letter t l).
Proof. induction t; simpl; auto; destruct (l p); auto. Qed.

Fixpoint all_some {X} (t : tree (option X)) : option (tree X) :=
  match t with
  | Leaf x => option_map Leaf x
  | Split p no yes => match all_some no, all_some yes with Some a, Some b => Some (Split p a b) | _, _ => None end
  end.
Lemma all_some_at {X} (t : tree (option X)) l : forall s, all_some t = Some s -> at_letter t l = Some (at_letter s l).
Proof.
  induction t as [x | p no IH1 yes IH2]; simpl; intros s E.
  - destruct x; inversion E; auto.
  - destruct (all_some no); [| discriminate]; destruct (all_some yes); inversion E; simpl; destruct (l p); auto.
Qed.

Section Moves.
  Variable n : nat.                        (* propositions *)
  Variable fuel : nat.
  Variable K Mem : list ltl.

  (* Some word is not empty. *)
  Fixpoint inhabited (steps : nat) (seen todo : list re) : bool :=
    match steps, todo with
    | S steps, r :: todo =>
      if existsb (fun s => if re_eq_dec r s then true else false) seen then inhabited steps seen todo
      else match derivs n r with
           | None => false
           | Some t => existsb nullable (leaves t) || inhabited steps (r :: seen) (leaves t ++ todo)
           end
    | _, _ => false
    end.
  Lemma inhabited_word steps : forall seen todo, inhabited steps seen todo = true ->
    exists r a u, In r todo /\ lang r (a :: u).
  Proof.
    induction steps as [| steps IH]; intros seen [| r todo]; simpl; try discriminate. destruct (existsb _ seen).
    - intros E; destruct (IH _ _ E) as (s & a & u & H1 & H2); exists s, a, u; auto.
    - destruct (derivs n r) as [t |] eqn:ET; [| discriminate].
      assert (HL : forall s, In s (leaves t) -> exists a, s = deriv a r) by (intros s; eapply grow_leaves; eauto).
      rewrite orb_true_iff, existsb_exists; intros [(s & Hs & E) | E].
      + destruct (HL s Hs) as (a & ->); exists r, a, []; split; auto; apply deriv_lang, nullable_lang; auto.
      + destruct (IH _ _ E) as (s & a & u & H1 & H2); apply in_app_iff in H1; destruct H1 as [H1 | H1].
        * destruct (HL s H1) as (b & ->); exists r, b, (a :: u); split; auto; apply deriv_lang; auto.
        * exists s, a, u; auto.
  Qed.

  (* The expression of g, if g may be a next of q. *)
  Definition alike (q g : ltl) : option re :=
    match q, g with
    | SuffixAnd _ b, SuffixAnd r c => if ltl_eq_dec b c then Some r else None
    | Not (Closure _), Not (Closure r) => Some r
    | _, _ => None
    end.
  Definition find_next (q : ltl) (d : re) : option ltl :=
    find (fun g => match alike q g with Some r => same n fuel d r | None => false end && ltl_in g K) Mem.

  Definition move_of (q : ltl) (d : re) : option move :=
    let over := same n fuel d none in
    let on b := match find_next q d with Some g => Some {| m_now := b; m_next := Some g |} | None => None end in
    let stop b := Some {| m_now := b; m_next := None |} in
    match q with
    | SuffixAnd _ _ => if over then stop (nullable d) else on (nullable d)
    | _ => if nullable d then stop false else if over then stop true else if inhabited fuel [] [d] then on false else None
    end.

  Definition moves_of (q : ltl) : option (tree move) :=
    match q with
    | SuffixAnd r _ | Not (Closure r) => match derivs n r with Some t => all_some (tmap (move_of q) t) | None => None end
    | _ => None
    end.

  Lemma find_next_spec q d g : find_next q d = Some g ->
    In g K /\ In g Mem /\ exists r, alike q g = Some r /\ same_words d r.
  Proof.
    unfold find_next; intros E; apply find_some in E; destruct E as (H1 & H2); apply andb_true_iff in H2.
    destruct H2 as (H2 & H3); split; [apply ltl_in_In; auto |]; split; auto.
    destruct (alike q g) as [r |]; [| discriminate]; exists r; split; auto; eapply same_spec; eauto.
  Qed.

  Lemma moves_ok q t : moves_of q = Some t -> has_moves K Mem (fun _ => t) q.
  Proof.
    intros E a; cbv beta.
    assert (Over : forall r, same n fuel (deriv a r) none = true -> forall c u, ~ lang r (a :: c :: u)).
    { intros r HS c u H; apply deriv_lang, (same_spec _ _ _ _ HS) in H; apply none_lang in H; auto. }
    assert (Null : forall r, nullable (deriv a r) = true <-> lang r [a]) by (intros; rewrite nullable_lang; apply deriv_lang).
    unfold moves_of in E; destruct q as [| | | q | | | | | | | | | | | | | | | | | | | | r b |]; try discriminate.
    - destruct q as [| | | | | | | | | | | | | | | | | | | | | | r | |]; try discriminate.
      destruct (derivs n r) as [d |] eqn:ED; [| discriminate]; apply (all_some_at _ a) in E.
      rewrite tmap_at, (derivs_at _ _ _ _ ED) in E; specialize (Over r); specialize (Null r); unfold move_of in E; cbn [move_ok].
      destruct (nullable (deriv a r)).
      { inversion E as [E']; simpl; split; [split; [| left; tauto] | discriminate].
        split; [discriminate |]; intros N; exfalso; apply (N []); tauto. }
      assert (N : ~ lang r [a]) by (intros C; apply Null in C; discriminate). destruct (same n fuel (deriv a r) none).
      { assert (HN : forall u, ~ lang r (a :: u)) by (intros [| c u]; auto).
        inversion E as [E']; simpl; split; [split; [tauto | right; auto] | discriminate]. }
      destruct (inhabited fuel [] [deriv a r]) eqn:EI; [| discriminate].
      destruct (find_next _ _) as [g |] eqn:EF; [| discriminate].
      inversion E as [E']; simpl; apply find_next_spec in EF; destruct EF as (HK & HM & s & Hs & HW).
      split; [| intros x Q; inversion Q; subst; auto]; split.
      + split; [discriminate |]; intros C; exfalso.
        apply inhabited_word in EI; destruct EI as (x & c & u & [<- | []] & H); apply (C (c :: u)), deriv_lang; auto.
      + split; auto; destruct g; try discriminate; destruct g; try discriminate; simpl in Hs; inversion Hs; subst.
        exists s; split; auto; intros c u; rewrite <- (HW c u); apply deriv_lang.
    - destruct (derivs n r) as [d |] eqn:ED; [| discriminate]; apply (all_some_at _ a) in E.
      rewrite tmap_at, (derivs_at _ _ _ _ ED) in E; specialize (Over r); specialize (Null r); unfold move_of in E; cbn [move_ok].
      destruct (same n fuel (deriv a r) none).
      { inversion E as [E']; simpl; split; [split; auto | discriminate]. }
      destruct (find_next _ _) as [g |] eqn:EF; [| discriminate].
      inversion E as [E']; simpl; apply find_next_spec in EF; destruct EF as (HK & HM & s & Hs & HW).
      split; [| intros x Q; inversion Q; subst; auto]; split; auto.
      destruct g; try discriminate; simpl in Hs; destruct (ltl_eq_dec b g); inversion Hs; subst.
      exists s; split; auto; intros c u; rewrite <- (HW c u); apply deriv_lang.
  Qed.

  (* The suffixes of a formula. *)
  Fixpoint keys (f : ltl) : list ltl :=
    match f with
    | Tru | Fls | Atom _ => []
    | Not a | Next a | Finally a | Globally a | Yesterday a | WeakYesterday a | Once a | Historically a => keys a
    | And a b | Or a b | Implies a b | Iff a b | Xor a b | Until a b | Release a b | WeakUntil a b
    | StrongRelease a b | Since a b | Triggered a b => keys a ++ keys b
    | Closure r => [Not f]
    | SuffixAnd r b => keys b ++ [f]
    | SuffixImp r b => keys b ++ [SuffixAnd r (Not b)]
    end.

  Definition mtable := list (ltl * tree move).
  Fixpoint table_of (qs : list ltl) : option mtable :=
    match qs with
    | [] => Some []
    | q :: qs => match moves_of q, table_of qs with Some t, Some l => Some ((q, t) :: l) | _, _ => None end
    end.
  Fixpoint moves_in (l : mtable) (q : ltl) : option (tree move) :=
    match l with [] => None | (g, t) :: l => if ltl_eq_dec g q then Some t else moves_in l q end.
  Definition moves (l : mtable) (q : ltl) : tree move :=
    match moves_in l q with Some t => t | None => Leaf {| m_now := false; m_next := None |} end.

  Variable l : mtable.
  Variable qs : list ltl.
  Hypothesis Table : table_of qs = Some l.

  Definition has_movesb (q : ltl) := match moves_in l q with Some _ => true | None => false end.
  Lemma has_movesb_has q : has_movesb q = true -> has_moves K Mem (moves l) q.
  Proof.
    unfold has_movesb; destruct (moves_in l q) as [t |] eqn:E; [| discriminate]; intros _.
    assert (HT : moves_of q = Some t).
    { revert l Table E; induction qs as [| g m IH]; simpl; intros k ET E; [inversion ET; subst; discriminate |].
      destruct (moves_of g) as [x |] eqn:EM; [| discriminate]; destruct (table_of m) as [y |]; [| discriminate].
      inversion ET; subst; simpl in E; destruct (ltl_eq_dec g q); [congruence | eauto]. }
    pose proof (moves_ok q t HT) as H; intros a; unfold moves; rewrite E; apply H.
  Qed.

  Fixpoint hasb (f : ltl) : bool :=
    match f with
    | Tru | Fls | Atom _ => true
    | Not a => hasb a
    | And a b | Or a b | Implies a b | Iff a b | Xor a b => hasb a && hasb b
    | Next a => ltl_in a K && hasb a
    | Finally a | Globally a => ltl_in f K && hasb a
    | Until a b | Release a b | WeakUntil a b | StrongRelease a b => ltl_in f K && (hasb a && hasb b)
    | Yesterday a | WeakYesterday a | Once a | Historically a => ltl_in f Mem && hasb a
    | Since a b | Triggered a b => ltl_in f Mem && (hasb a && hasb b)
    | Closure r => has_movesb (Not f)
    | SuffixAnd r b => has_movesb f && hasb b
    | SuffixImp r b => has_movesb (SuffixAnd r (Not b)) && hasb b
    end.

  Lemma hasb_has f : hasb f = true -> has K Mem (moves l) f.
  Proof. induction f; simpl; rewrite ?andb_true_iff; intuition auto using ltl_in_In, has_movesb_has. Qed.
End Moves.
