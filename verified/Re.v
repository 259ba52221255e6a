(* Derivatives of regular expressions (Brzozowski 1964), and whether two have the same words. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
Require Import Spec Base Cubes.

Lemma bexp_eq_dec (a b : bexp) : {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Defined.
Lemma re_eq_dec (r s : re) : {r = s} + {r <> s}.
Proof. repeat decide equality. Defined.

Definition none := Let BFalse.
Definition all := Star (Let BTrue) 0 None.

Fixpoint nullable (r : re) : bool :=
  match r with
  | Let _ | Fuse _ _ | FuseStar _ _ _ => false
  | Eps => true
  | Cat r s | Inter r s | Both r s => nullable r && nullable s
  | Alt r s => nullable r || nullable s
  | Star r i _ => (i =? 0) || nullable r
  | First r => nullable r
  end.

(* ---- Unions have each operand once and in one order, so that an expression has finitely many derivatives ---- *)

(* Any order will do: nothing is proved about it. *)
Definition lex (c d : comparison) := match c with Eq => d | _ => c end.
Fixpoint bcompare (a b : bexp) : comparison :=
  let tag e := match e with BTrue => 0 | BFalse => 1 | BAtom _ => 2 | BNot _ => 3 | BAnd _ _ => 4 | BOr _ _ => 5
    | BImplies _ _ => 6 | BIff _ _ => 7 | BXor _ _ => 8 end in
  match a, b with
  | BAtom p, BAtom q => Nat.compare p q
  | BNot a, BNot b => bcompare a b
  | BAnd a c, BAnd b d | BOr a c, BOr b d | BImplies a c, BImplies b d | BIff a c, BIff b d | BXor a c, BXor b d =>
    lex (bcompare a b) (bcompare c d)
  | _, _ => Nat.compare (tag a) (tag b)
  end.
Fixpoint rcompare (r s : re) : comparison :=
  let tag r := match r with Let _ => 0 | Eps => 1 | Alt _ _ => 2 | Inter _ _ => 3 | Both _ _ => 4 | Cat _ _ => 5
    | Fuse _ _ => 6 | Star _ _ _ => 7 | FuseStar _ _ _ => 8 | First _ => 9 end in
  let bound k := match k with Some k => S k | None => 0 end in
  match r, s with
  | Let a, Let b => bcompare a b
  | Alt r x, Alt s y | Inter r x, Inter s y | Both r x, Both s y | Cat r x, Cat s y | Fuse r x, Fuse s y =>
    lex (rcompare r s) (rcompare x y)
  | Star r i k, Star s j l | FuseStar r i k, FuseStar s j l =>
    lex (Nat.compare i j) (lex (Nat.compare (bound k) (bound l)) (rcompare r s))
  | First r, First s => rcompare r s
  | _, _ => Nat.compare (tag r) (tag s)
  end.

Definition is_none (r : re) := match r with Let BFalse => true | _ => false end.
Definition is_eps (r : re) := match r with Eps => true | _ => false end.

Fixpoint insert (r : re) (l : list re) : list re :=
  match l with
  | [] => [r]
  | s :: m => match rcompare r s with
              | Lt => r :: l
              | Eq => if re_eq_dec r s then l else r :: l
              | Gt => s :: insert r m end
  end.
Fixpoint operands (r : re) (l : list re) : list re :=
  match r with Alt r s => operands r (operands s l) | _ => if is_none r then l else insert r l end.
Fixpoint union (l : list re) : re :=
  match l with [] => none | [r] => r | r :: l => Alt r (union l) end.
Definition alt r s := union (operands r (operands s [])).
Definition cat r s := if is_none r || is_none s then none else if is_eps r then s else if is_eps s then r else Cat r s.
Definition inter r s := if is_none r || is_none s then none else if re_eq_dec r s then r else Inter r s.
Definition fuse r s := if is_none r || is_none s then none else Fuse r s.
Definition first r := if is_none r then none else First r.

Definition less (k : option nat) := match k with Some k => Some (pred k) | None => None end.
Definition is_zero (k : option nat) := match k with Some 0 => true | _ => false end.

(* The words that follow the letter a in words of r. *)
Fixpoint deriv (a : letter) (r : re) : re :=
  match r with
  | Eps => none
  | Let e => if beval a e then Eps else none
  | Alt r s => alt (deriv a r) (deriv a s)
  | Inter r s => inter (deriv a r) (deriv a s)
  | Both r s =>
    let long r := if nullable r then all else cat (deriv a r) all in
    alt (inter (deriv a r) (long s)) (inter (long r) (deriv a s))
  | Cat r s => let d := cat (deriv a r) s in if nullable r then alt d (deriv a s) else d
  | Fuse r s => let d := fuse (deriv a r) s in if nullable (deriv a r) then alt d (deriv a s) else d
  | Star r 0 k => if is_zero k then none else cat (deriv a r) (Star r 0 (less k))
  | Star r (S i) k => cat (deriv a r) (Star r i k)
  | FuseStar r i k =>
    let q := deriv a r in
    (fix chain i := match i with
      | 0 => if is_zero k then Eps else alt Eps (fuse q (FuseStar r 0 (less k)))
      | S i => let d := fuse q (FuseStar r i k) in if nullable q then alt d (chain i) else d
      end) i
  | First r => if nullable r then none else first (deriv a r)
  end.

(* ---- Words ---- *)

Lemma none_lang u : lang none u <-> False.
Proof. simpl; split; [intros (a & _ & E); discriminate | tauto]. Qed.
Lemma is_none_lang r u : is_none r = true -> lang r u <-> False.
Proof. destruct r; try discriminate; destruct e; try discriminate; intros _; apply none_lang. Qed.
Lemma is_eps_eq r : is_eps r = true -> r = Eps.
Proof. destruct r; discriminate || reflexivity. Qed.
Lemma all_lang u : lang all u.
Proof.
  exists (length u); split; [split; simpl; auto; lia |]. induction u as [| a u IH]; simpl; [reflexivity |].
  exists [a], u; repeat split; auto; exists a; auto.
Qed.
Lemma insert_lang r l u : Exists (fun r => lang r u) (insert r l) <-> lang r u \/ Exists (fun r => lang r u) l.
Proof.
  induction l as [| s l IH]; simpl; [rewrite Exists_cons; tauto |].
  destruct (rcompare r s); [destruct (re_eq_dec r s); subst | |]; rewrite !Exists_cons, ?IH; tauto.
Qed.
Lemma operands_lang r u : forall l,
  Exists (fun r => lang r u) (operands r l) <-> lang r u \/ Exists (fun r => lang r u) l.
Proof.
  induction r; intros l; try (apply insert_lang).
  - change (operands (Let e) l) with (if is_none (Let e) then l else insert (Let e) l).
    destruct (is_none (Let e)) eqn:E; [| apply insert_lang]. rewrite (is_none_lang _ u E); tauto.
  - simpl operands; rewrite IHr1, IHr2; simpl; tauto.
Qed.
Lemma union_lang l u : lang (union l) u <-> Exists (fun r => lang r u) l.
Proof.
  induction l as [| r [| s l] IH].
  - rewrite Exists_nil; apply none_lang.
  - rewrite Exists_cons, Exists_nil; simpl; tauto.
  - rewrite Exists_cons, <- IH; reflexivity.
Qed.
Lemma alt_lang r s u : lang (alt r s) u <-> lang r u \/ lang s u.
Proof. unfold alt; rewrite union_lang, !operands_lang, Exists_nil; tauto. Qed.
Lemma cat_lang r s u : lang (cat r s) u <-> before (lang r) (lang s) u.
Proof.
  unfold cat, before; destruct (is_none r) eqn:E1; [| destruct (is_none s) eqn:E2]; simpl orb; cbv iota.
  1: rewrite none_lang; split; [tauto |]; intros (x & y & _ & H1 & _); apply (is_none_lang r x E1) in H1; auto.
  1: rewrite none_lang; split; [tauto |]; intros (x & y & _ & _ & H2); apply (is_none_lang s y E2) in H2; auto.
  destruct (is_eps r) eqn:E3; [apply is_eps_eq in E3; subst | destruct (is_eps s) eqn:E4; [apply is_eps_eq in E4; subst |]].
  - split; [intros H; exists [], u; repeat split; auto | intros (x & y & -> & -> & H); auto].
  - split; [intros H; exists u, []; rewrite app_nil_r; repeat split; auto |].
    intros (x & y & -> & H & ->); rewrite app_nil_r; auto.
  - reflexivity.
Qed.
Lemma inter_lang r s u : lang (inter r s) u <-> lang r u /\ lang s u.
Proof.
  unfold inter; destruct (is_none r) eqn:E1; [| destruct (is_none s) eqn:E2]; simpl orb; cbv iota.
  - rewrite none_lang, (is_none_lang r); tauto.
  - rewrite none_lang, (is_none_lang s); tauto.
  - destruct (re_eq_dec r s); subst; simpl; tauto.
Qed.
Lemma fuse_lang r s u : lang (fuse r s) u <-> fused (lang r) (lang s) u.
Proof.
  unfold fuse, fused; destruct (is_none r) eqn:E1; [| destruct (is_none s) eqn:E2]; simpl orb; cbv iota;
    [| | reflexivity].
  - rewrite none_lang; split; [tauto |]; intros (x & a & y & _ & H1 & _); apply (is_none_lang r _ E1) in H1; auto.
  - rewrite none_lang; split; [tauto |]; intros (x & a & y & _ & _ & H2); apply (is_none_lang s _ E2) in H2; auto.
Qed.
Lemma first_lang r u : lang (first r) u <-> lang (First r) u.
Proof.
  unfold first; destruct (is_none r) eqn:E; [| tauto].
  split; [intros H; apply none_lang in H; tauto | intros (H & _); apply (is_none_lang r u E) in H; tauto].
Qed.
Lemma times_nil (P : language) n : P [] -> times before empty_word P n [].
Proof. intros H; induction n as [| n IH]; simpl; [reflexivity | exists [], []; auto]. Qed.
Lemma nullable_lang r : nullable r = true <-> lang r [].
Proof.
  assert (Nil : forall P Q : language, before P Q [] <-> P [] /\ Q []).
  { intros P Q; split; [| intros (H1 & H2); exists [], []; auto].
    intros (x & y & E & H1 & H2); symmetry in E; apply app_eq_nil in E; destruct E; subst; auto. }
  induction r; simpl.
  - split; [discriminate | intros (a & E & _); discriminate].
  - unfold empty_word; tauto.
  - rewrite orb_true_iff, IHr1, IHr2; tauto.
  - rewrite andb_true_iff, IHr1, IHr2; tauto.
  - rewrite andb_true_iff, IHr1, IHr2, !Nil; unfold any; tauto.
  - rewrite andb_true_iff, IHr1, IHr2, Nil; tauto.
  - split; [discriminate |]; intros (x & a & y & E & _); destruct x; discriminate.
  - rewrite orb_true_iff, Nat.eqb_eq, IHr; split.
    + intros [-> | H]; [exists 0; repeat split; auto; destruct k; auto; lia |].
      exists i; split; [split; auto; destruct k; auto; lia | apply times_nil; auto].
    + intros ([| n] & (B & _) & H); [left; lia | right; apply Nil in H; tauto].
  - split; [discriminate |]; intros ([| n] & _ & H); simpl in H.
    + destruct H as (a & E); discriminate.
    + destruct H as (x & a & y & E & _); destruct x; discriminate.
  - rewrite IHr; split; [| tauto]; intros H; split; auto; intros x y E _. symmetry in E; apply app_eq_nil in E; tauto.
Qed.

(* What follows a in a word of P before a word of Q, or fused with one. *)
Lemma before_cons (P Q : language) a u : before P Q (a :: u) <->
  before (fun x => P (a :: x)) Q u \/ (P [] /\ Q (a :: u)).
Proof.
  split.
  - intros ([| b x] & y & E & H1 & H2); simpl in E; [subst; auto |]. inversion E; subst; left; exists x, y; auto.
  - intros [(x & y & -> & H1 & H2) | (H1 & H2)]; [exists (a :: x), y; auto | exists [], (a :: u); auto].
Qed.
Lemma fused_cons (P Q : language) a u : fused P Q (a :: u) <->
  fused (fun x => P (a :: x)) Q u \/ (P [a] /\ Q (a :: u)).
Proof.
  split.
  - intros ([| b x] & c & y & E & H1 & H2); simpl in E; inversion E; subst; [auto |]. left; exists x, c, y; auto.
  - intros [(x & c & y & -> & H1 & H2) | (H1 & H2)]; [exists (a :: x), c, y; auto | exists [], a, u; auto].
Qed.
Lemma before_ext (P P' Q Q' : language) u : (forall x, P x <-> P' x) -> (forall x, Q x <-> Q' x) ->
  before P Q u <-> before P' Q' u.
Proof. intros HP HQ; split; intros (x & y & E & H1 & H2); exists x, y; rewrite ?HP, ?HQ, <- ?HP, <- ?HQ in *; auto. Qed.
Lemma fused_ext (P P' Q Q' : language) u : (forall x, P x <-> P' x) -> (forall x, Q x <-> Q' x) ->
  fused P Q u <-> fused P' Q' u.
Proof. intros HP HQ; split; intros (x & a & y & E & H1 & H2); exists x, a, y; rewrite ?HP, ?HQ, <- ?HP, <- ?HQ in *; auto. Qed.

(* A word of P that is empty may come first or last. *)
Lemma times_cons (P : language) a u n : times before empty_word P (S n) (a :: u) <->
  before (fun x => P (a :: x)) (times before empty_word P n) u.
Proof.
  simpl times; rewrite before_cons; split; auto.
  intros [H | (H0 & H)]; auto; induction n as [| n IH]; [discriminate |]. simpl times in H; rewrite before_cons in H.
  assert (HB : before (fun x => P (a :: x)) (times before empty_word P n) u) by tauto.
  destruct HB as (x & y & E & H1 & H2); exists x, y; repeat split; auto; exists [], y; auto.
Qed.
Lemma chain_cons (P : language) a u n : times fused one_letter P n (a :: u) ->
  u = [] \/ exists m, m < n /\ fused (fun x => P (a :: x)) (times fused one_letter P m) u.
Proof.
  induction n as [| n IH]; simpl times.
  - intros (b & E); inversion E; auto.
  - rewrite fused_cons; intros [H | (_ & H)]; [right; exists n; auto |].
    destruct (IH H) as [E | (m & L & Hm)]; auto; right; exists m; auto.
Qed.
Lemma deriv_lang a r : forall u, lang (deriv a r) u <-> lang r (a :: u).
Proof.
  assert (Long : forall s v, (forall u, lang (deriv a s) u <-> lang s (a :: u)) ->
    lang (if nullable s then all else cat (deriv a s) all) v <-> before (lang s) any (a :: v)).
  { intros s v H; rewrite before_cons; pose proof (nullable_lang s) as N; destruct (nullable s).
    - split; [intros _; right; split; [tauto | exact I] | intros _; apply all_lang].
    - rewrite cat_lang, (before_ext _ (fun x => lang s (a :: x)) _ any); [| auto |].
      + split; [tauto |]; intros [HB | (HB & _)]; auto; apply N in HB; discriminate.
      + intros x; split; [intros _; exact I | intros _; apply all_lang]. }
  induction r; intros u.
  - cbn [deriv lang]; destruct (beval a e) eqn:E; [| rewrite none_lang]; split.
    + intros ->; exists a; auto.
    + intros (b & Q & _); inversion Q; reflexivity.
    + tauto.
    + intros (b & Q & C); inversion Q; subst; congruence.
  - cbn [deriv lang]; rewrite none_lang; split; [tauto | discriminate].
  - cbn [deriv lang]; rewrite alt_lang, IHr1, IHr2; tauto.
  - cbn [deriv lang]; rewrite inter_lang, IHr1, IHr2; tauto.
  - cbn [deriv lang]; rewrite alt_lang, !inter_lang, (Long r1 u IHr1), (Long r2 u IHr2), IHr1, IHr2; tauto.
  - cbn [deriv lang]; rewrite before_cons; pose proof (nullable_lang r1) as N.
    rewrite <- (before_ext (lang (deriv a r1)) _ (lang r2) (lang r2) u); [| apply IHr1 | tauto].
    destruct (nullable r1); rewrite ?alt_lang, cat_lang, ?IHr2; [tauto |].
    split; [tauto |]; intros [H | (H & _)]; auto; apply N in H; discriminate.
  - cbn [deriv lang]; rewrite fused_cons; pose proof (nullable_lang (deriv a r1)) as N; rewrite IHr1 in N.
    rewrite <- (fused_ext (lang (deriv a r1)) _ (lang r2) (lang r2) u); [| apply IHr1 | tauto].
    destruct (nullable (deriv a r1)); rewrite ?alt_lang, fuse_lang, ?IHr2; [tauto |].
    split; [tauto |]; intros [H | (H & _)]; auto; apply N in H; discriminate.
  - assert (HS : forall i k, lang (cat (deriv a r) (Star r i k)) u <->
       exists n, in_bounds i k n /\ times before empty_word (lang r) (S n) (a :: u)).
    { intros j l; rewrite cat_lang; split.
      - intros (x & y & E & H1 & n & H2 & H3); exists n; split; auto.
        apply times_cons; exists x, y; rewrite <- IHr; auto.
      - intros (n & B & H); apply times_cons in H; destruct H as (x & y & E & H1 & H2).
        exists x, y; rewrite IHr; repeat split; auto; exists n; auto. }
    cbn [deriv lang]; destruct i as [| i]; [destruct k as [[| k] |]; cbn [is_zero less pred] |].
    + rewrite none_lang; split; [tauto |]; intros (n & (_ & B) & H); simpl in B.
      assert (n = 0) by lia; subst; discriminate.
    + rewrite HS; split; intros (n & B & H); unfold in_bounds in *; [exists (S n); split; auto; lia |].
      destruct n; [discriminate |]; exists n; split; auto; lia.
    + rewrite HS; split; intros (n & B & H); unfold in_bounds in *; [exists (S n); split; auto; lia |].
      destruct n; [discriminate |]; exists n; split; auto; lia.
    + rewrite HS; split; intros (n & B & H); unfold in_bounds in *; [exists (S n); split; auto; destruct k; lia |].
      destruct n; [discriminate |]; exists n; split; auto; destruct k; lia.
  - assert (HF : forall i k, lang (fuse (deriv a r) (FuseStar r i k)) u <->
       exists n, in_bounds i k n /\ fused (fun x => lang r (a :: x)) (times fused one_letter (lang r) n) u).
    { intros j l; rewrite fuse_lang; split.
      - intros (x & b & y & E & H1 & n & H2 & H3); exists n; split; auto; exists x, b, y; rewrite <- IHr; auto.
      - intros (n & B & x & b & y & E & H1 & H2); exists x, b, y; rewrite IHr; repeat split; auto; exists n; auto. }
    cbn [deriv lang]; induction i as [| i IHi].
    + destruct (is_zero k) eqn:EZ.
      * destruct k as [[|] |]; try discriminate; split.
        -- intros ->; exists 0; split; [split; auto | exists a; auto].
        -- intros (n & (_ & B) & H); simpl in B; assert (n = 0) by lia; subst; destruct H as (b & E); inversion E; reflexivity.
      * rewrite alt_lang, HF; split.
        -- intros [-> | (n & (_ & B) & H)]; [exists 0; split; [split; auto; destruct k; simpl in *; lia | exists a; auto] |].
           exists (S n); split; [split; [lia |]; destruct k as [[|] |]; simpl in *; try discriminate; auto; lia |].
           simpl times; rewrite fused_cons; auto.
        -- intros (n & (_ & B) & H); apply chain_cons in H; destruct H as [E | (m & L & H)]; [left; exact E |].
           right; exists m; split; auto; split; [lia |]; destruct k as [[|] |]; simpl in *; try discriminate; auto; lia.
    + pose proof (nullable_lang (deriv a r)) as N; rewrite IHr in N.
      transitivity (lang (fuse (deriv a r) (FuseStar r i k)) u \/ (lang r [a] /\ lang (FuseStar r i k) (a :: u))).
      * cbn [lang]; rewrite <- IHi; destruct (nullable (deriv a r)); rewrite ?alt_lang; [tauto |].
        split; [tauto |]; intros [H | (H & _)]; auto; apply N in H; discriminate.
      * rewrite HF; unfold in_bounds in *; split.
        -- intros [(n & B & H) | (H1 & n & B & H)]; unfold in_bounds in *; exists (S n); (split; [destruct k; simpl in *; lia |]); simpl times; rewrite fused_cons; auto.
        -- intros ([| n] & B & H); [unfold in_bounds in B; lia |]; simpl times in H; rewrite fused_cons in H.
           destruct H as [H | (H1 & H)]; [left | right; split; auto]; exists n; unfold in_bounds in *; (split; [destruct k; simpl in *; lia |]); auto.
  - cbn [deriv]; pose proof (nullable_lang r) as N; destruct (nullable r); [rewrite none_lang | rewrite first_lang]; cbn [lang].
    + split; [tauto |]; intros (_ & H); specialize (H [] (a :: u) eq_refl); exfalso.
      assert (a :: u = []) by tauto; discriminate.
    + rewrite IHr; split; intros (H1 & H); split; auto.
      * intros [| b x] y E Hx; [exfalso; apply N in Hx; discriminate |].
        simpl in E; inversion E; subst; apply (H x y); auto; apply IHr; auto.
      * intros x y E Hx; apply (H (a :: x) y); [simpl; congruence | apply IHr; auto].
Qed.

(* ---- Functions of letters, as decision trees over propositions ---- *)

Inductive tree X := Leaf (x : X) | Split (p : nat) (no yes : tree X).
Arguments Leaf {X}. Arguments Split {X}.

Fixpoint at_letter {X} (t : tree X) (l : letter) : X :=
  match t with Leaf x => x | Split p no yes => if l p then at_letter yes l else at_letter no l end.
Fixpoint leaves {X} (t : tree X) : list X :=
  match t with Leaf x => [x] | Split _ no yes => leaves no ++ leaves yes end.
Lemma at_leaves {X} (t : tree X) l : In (at_letter t l) (leaves t).
Proof. induction t; simpl; auto; rewrite in_app_iff; destruct (l p); auto. Qed.

(* The tree of a function f, if need says on which proposition it depends on a cube. *)
Definition some_letter (c : cube) : letter := fun p => match nth p c None with Some b => b | None => false end.
Lemma some_inside c : inside c (some_letter c).
Proof. intros p b E; unfold some_letter; rewrite E; auto. Qed.

Section Grow.
  Variable X : Type.
  Variable need : cube -> option nat.
  Variable f : letter -> X.
  Hypothesis Need : forall c l l', need c = None -> inside c l -> inside c l' -> f l = f l'.
  Fixpoint grow (fuel : nat) (c : cube) : option (tree X) :=
    match need c with
    | None => Some (Leaf (f (some_letter c)))
    | Some p =>
      match fuel with
      | 0 => None
      | S fuel => match grow fuel (fix_in c p false), grow fuel (fix_in c p true) with
                  | Some no, Some yes => Some (Split p no yes)
                  | _, _ => None end
      end
    end.
  Lemma grow_at l fuel : forall c t, grow fuel c = Some t -> inside c l -> at_letter t l = f l.
  Proof.
    induction fuel as [| fuel IH]; simpl; intros c t; destruct (need c) as [p |] eqn:E; try discriminate.
    1,3: intros Q H; inversion Q; subst; apply (Need c); auto using some_inside.
    destruct (grow fuel (fix_in c p false)) as [no |] eqn:E1; [| discriminate].
    destruct (grow fuel (fix_in c p true)) as [yes |] eqn:E2; [| discriminate].
    intros Q H; inversion Q; subst; simpl; pose proof (inside_fix l c p H) as HF. destruct (l p); eauto.
  Qed.
  Lemma grow_leaves x fuel : forall c t, grow fuel c = Some t -> In x (leaves t) -> exists l, x = f l.
  Proof.
    induction fuel as [| fuel IH]; simpl; intros c t; destruct (need c) as [p |]; try discriminate.
    1,3: intros Q H; inversion Q; subst; destruct H as [<- | []]; eauto.
    destruct (grow fuel (fix_in c p false)) as [no |] eqn:E1; [| discriminate].
    destruct (grow fuel (fix_in c p true)) as [yes |] eqn:E2; [| discriminate].
    intros Q; inversion Q; subst; simpl; rewrite in_app_iff; intros [H | H]; eauto.
  Qed.
End Grow.
Arguments grow {X}.

Definition or_else (a b : option nat) := match a with Some p => Some p | None => b end.
(* A proposition on which the derivative depends. *)
Fixpoint needs (r : re) (c : cube) : option nat :=
  match r with
  | Eps => None
  | Let e => match beval3 c e with Known _ => None | Open p => Some p end
  | Alt r s | Inter r s | Both r s => or_else (needs r c) (needs s c)
  | Cat r s => or_else (needs r c) (if nullable r then needs s c else None)
  | Fuse r s => or_else (needs r c) (if nullable (deriv (some_letter c) r) then needs s c else None)
  | Star r _ _ | FuseStar r _ _ | First r => needs r c
  end.

Lemma needs_deriv c l l' r : needs r c = None -> inside c l -> inside c l' -> deriv l r = deriv l' r.
Proof.
  intros E H H'; revert E.
  assert (HO : forall a b, or_else a b = None -> a = None /\ b = None) by (intros [|] b; simpl; auto; discriminate).
  assert (G : forall l, inside c l -> needs r c = None -> deriv l r = deriv (some_letter c) r).
  { clear l l' H H'; intros l H; pose proof (some_inside c) as H'.
    induction r; simpl; intros E; try (apply HO in E; destruct E as (E1 & E2)); auto.
    - pose proof (beval3_is c l e H) as V; pose proof (beval3_is c _ e H') as V'.
      destruct (beval3 c e) in E, V, V'; [| discriminate]; simpl in V, V'; rewrite <- V, <- V'; auto.
    - rewrite IHr1, IHr2; auto.
    - rewrite IHr1, IHr2; auto.
    - rewrite IHr1, IHr2; auto.
    - rewrite IHr1 by auto; destruct (nullable r1); auto; rewrite IHr2; auto.
    - rewrite IHr1 by auto; destruct (nullable (deriv (some_letter c) r1)); auto; rewrite IHr2; auto.
    - rewrite IHr; auto.
    - rewrite IHr; auto.
    - rewrite IHr; auto. }
  intros E; rewrite (G l), (G l'); auto.
Qed.

(* The derivatives, for n propositions; more make no tree. *)
Definition derivs (n : nat) (r : re) : option (tree re) := grow (needs r) (fun l => deriv l r) n (repeat None n).
Lemma derivs_at n r t l : derivs n r = Some t -> at_letter t l = deriv l r.
Proof.
  intros E; apply (grow_at _ (needs r) (fun l => deriv l r)) with (fuel := n) (c := repeat None n); auto using inside_all.
  intros c x y; apply needs_deriv.
Qed.

(* ---- The same words, apart from the empty one ---- *)

Definition same_words r s := forall a u, lang r (a :: u) <-> lang s (a :: u).

Definition pair_in (q r : re) (l : list (re * re)) :=
  existsb (fun p => if re_eq_dec q (fst p) then if re_eq_dec r (snd p) then true else false else false) l.
Lemma pair_in_In q r l : pair_in q r l = true -> In (q, r) l.
Proof.
  unfold pair_in; rewrite existsb_exists; intros ((q' & r') & H & E); simpl in E.
  destruct (re_eq_dec q q'), (re_eq_dec r r'); subst; auto; discriminate.
Qed.

(* Derivatives by the same letter both have the empty word, or both lack it. *)
Section Same.
  Variable n : nat.
  Definition both_derivs (q r : re) : option (tree (re * re)) :=
    grow (fun c => or_else (needs q c) (needs r c)) (fun l => (deriv l q, deriv l r)) n (repeat None n).

  Fixpoint same_from (fuel : nat) (seen todo : list (re * re)) : bool :=
    match todo with
    | [] => true
    | (q, r) :: todo =>
      match fuel with
      | 0 => false
      | S fuel =>
        if re_eq_dec q r then same_from fuel seen todo
        else if pair_in q r seen then same_from fuel seen todo
        else match both_derivs q r with
             | None => false
             | Some t => forallb (fun p => eqb (nullable (fst p)) (nullable (snd p))) (leaves t) &&
                         same_from fuel ((q, r) :: seen) (leaves t ++ todo)
             end
      end
    end.

  Definition good (S : list (re * re)) (p : re * re) :=
    fst p = snd p \/ forall l, nullable (deriv l (fst p)) = nullable (deriv l (snd p)) /\
                               (In (deriv l (fst p), deriv l (snd p)) S).

  Lemma same_from_good fuel : forall seen todo, same_from fuel seen todo = true ->
    exists S, incl seen S /\ incl todo S /\ forall p, In p S -> ~ In p seen -> good S p.
  Proof.
    induction fuel as [| fuel IH]; intros seen [| (q & r) todo]; simpl; try discriminate.
    1,2: intros _; exists seen; split; [apply incl_refl |]; split; [intros x [] | tauto].
    destruct (re_eq_dec q r) as [-> | Ne]; [| destruct (pair_in q r seen) eqn:EP].
    - intros E; destruct (IH _ _ E) as (X & H1 & H2 & H3); exists ((r, r) :: X).
      split; [intros p Hp; right; auto |]; split; [intros p [<- | Hp]; [left | right]; auto |].
      intros p [<- | Hp] N; [left; auto |]; destruct (H3 p Hp N) as [G | G]; [left; auto |].
      right; intros l; destruct (G l); split; auto; right; auto.
    - intros E; destruct (IH _ _ E) as (X & H1 & H2 & H3); exists X; split; auto; split; auto.
      intros p [<- | Hp]; auto; apply H1, pair_in_In; auto.
    - destruct (both_derivs q r) as [t |] eqn:ET; [| discriminate].
      rewrite andb_true_iff, forallb_forall; intros (HN & E).
      destruct (IH _ _ E) as (X & H1 & H2 & H3); exists X; split; [intros p Hp; apply H1; right; auto |].
      split; [intros p [<- | Hp]; [apply H1; left; auto | apply H2, in_app_iff; auto] |]. intros p Hp N.
      destruct (re_eq_dec q (fst p)) as [E1 | N1]; [destruct (re_eq_dec r (snd p)) as [E2 | N2] |].
      2,3: apply H3; auto; intros [C | C]; [subst p; simpl in *; congruence | auto]. subst; right; intros l.
      assert (HL : at_letter t l = (deriv l (fst p), deriv l (snd p))).
      { eapply (grow_at _ _ (fun l => (deriv l (fst p), deriv l (snd p)))); [| exact ET | apply inside_all].
        intros c a b En; simpl in En; destruct (needs (fst p) c) eqn:En1; [discriminate En |]; simpl in En; intros.
        f_equal; eapply needs_deriv; eauto. }
      pose proof (at_leaves t l) as HI; rewrite HL in HI.
      specialize (HN _ HI); apply eqb_prop in HN; split; [exact HN | apply H2, in_app_iff; auto].
  Qed.

  Definition same (fuel : nat) (q r : re) := same_from fuel [] [(q, r)].
  Lemma same_spec fuel q r : same fuel q r = true -> same_words q r.
  Proof.
    intros E; destruct (same_from_good _ _ _ E) as (X & _ & H2 & H3).
    assert (G : forall u a q r, In (q, r) X -> lang q (a :: u) <-> lang r (a :: u)).
    { induction u as [| b u IH]; intros a q' r' Hin; (destruct (H3 _ Hin) as [Q | Q]; [tauto | simpl in Q; subst; tauto |]);
        destruct (Q a) as (Q1 & Q2); simpl in Q1, Q2; rewrite <- (deriv_lang a q'), <- (deriv_lang a r'); auto.
      rewrite <- !nullable_lang, Q1; tauto. }
    intros a u; apply G, H2; left; auto.
  Qed.
End Same.
