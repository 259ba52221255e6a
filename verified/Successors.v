(* The successors of a state of the tableau, on cubes of letters. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
Require Import Spec Base Re Ltl Cubes.

(* Formulas with places for digits: of this state, of the next one, of the memory. *)
Inductive cx :=
| CB (b : bool) | CA (p : nat) | CNot (a : cx) | CAnd (a b : cx) | COr (a b : cx)
| CIff (a b : cx) | CCur (i : nat) | CNxt (i : nat) | CMem (i : nat).

Fixpoint ev (cur mm : list bool) (nxt l : nat -> bool) (e : cx) : bool :=
  match e with
  | CB b => b
  | CA p => l p
  | CNot a => negb (ev cur mm nxt l a)
  | CAnd a b => ev cur mm nxt l a && ev cur mm nxt l b
  | COr a b => ev cur mm nxt l a || ev cur mm nxt l b
  | CIff a b => eqb (ev cur mm nxt l a) (ev cur mm nxt l b)
  | CCur i => nth i cur false
  | CNxt i => nxt i
  | CMem i => nth i mm false
  end.

(* What may be open: a proposition, or a digit of the next state. *)
Definition place := (nat + nat)%type.

(* A formula with constants for some places, without operators that have a constant operand. *)
Definition not_of e := match e with CB b => CB (negb b) | _ => CNot e end.
Definition and_of a b := match a, b with CB c, e | e, CB c => if c then e else CB false | _, _ => CAnd a b end.
Definition or_of a b := match a, b with CB c, e | e, CB c => if c then CB true else e | _, _ => COr a b end.
Definition iff_of a b := match a, b with CB c, e | e, CB c => if c then e else not_of e | _, _ => CIff a b end.

Fixpoint put (leaf : cx -> cx) (e : cx) : cx :=
  match e with
  | CNot a => not_of (put leaf a)
  | CAnd a b => and_of (put leaf a) (put leaf b)
  | COr a b => or_of (put leaf a) (put leaf b)
  | CIff a b => iff_of (put leaf a) (put leaf b)
  | _ => leaf e
  end.

Section Ev.
  Variables (cur mm : list bool) (nxt l : nat -> bool).
  Local Notation ev := (ev cur mm nxt l).
  Lemma not_ev e : ev (not_of e) = negb (ev e).
  Proof. destruct e; auto. Qed.
  Lemma and_ev a b : ev (and_of a b) = ev a && ev b.
  Proof. destruct a as [[|] | | | | | | | |], b as [[|] | | | | | | | |]; simpl; rewrite ?andb_true_r, ?andb_false_r; auto. Qed.
  Lemma or_ev a b : ev (or_of a b) = ev a || ev b.
  Proof. destruct a as [[|] | | | | | | | |], b as [[|] | | | | | | | |]; simpl; rewrite ?orb_true_r, ?orb_false_r; auto. Qed.
  Lemma iff_ev a b : ev (iff_of a b) = eqb (ev a) (ev b).
  Proof.
    destruct a as [[|] | | | | | | | |], b as [[|] | | | | | | | |]; simpl; rewrite ?not_ev; auto;
      match goal with |- _ = eqb ?x _ => destruct x | |- _ = if ?x then _ else _ => destruct x end; auto.
  Qed.

  Lemma put_ev leaf : (forall e, ev (leaf e) = ev e) -> forall e, ev (put leaf e) = ev e.
  Proof.
    intros HL; induction e; try apply HL; cbn [put Successors.ev];
      rewrite ?not_ev, ?and_ev, ?or_ev, ?iff_ev, ?IHe, ?IHe1, ?IHe2; auto.
  Qed.

  (* A decision tree, and the disjunction of a list. *)
  Fixpoint ctree (leaf : move -> cx) (t : tree move) : cx :=
    match t with
    | Leaf m => leaf m
    | Split p no yes => or_of (and_of (CNot (CA p)) (ctree leaf no)) (and_of (CA p) (ctree leaf yes))
    end.
  Lemma ctree_ev leaf t : ev (ctree leaf t) = ev (leaf (at_letter t l)).
  Proof.
    induction t; cbn [ctree at_letter]; auto; rewrite or_ev, !and_ev, IHt1, IHt2; simpl; destruct (l p); simpl; auto.
    apply orb_false_r.
  Qed.
  Definition some_of {X} (f : X -> cx) (xs : list X) := fold_right (fun x e => or_of (f x) e) (CB false) xs.
  Lemma some_ev {X} (f : X -> cx) xs : ev (some_of f xs) = existsb (fun x => ev (f x)) xs.
  Proof. induction xs as [| x xs IH]; simpl; auto; rewrite or_ev, IH; auto. Qed.
End Ev.

(* The digits of this state. *)
Definition digits_of (cur mm : list bool) (e : cx) :=
  match e with CCur i => CB (nth i cur false) | CMem i => CB (nth i mm false) | _ => e end.
(* One truth value. *)
Definition truth_of (x : place) (b : bool) (e : cx) :=
  match e, x with
  | CA p, inl q => if Nat.eqb p q then CB b else e
  | CNxt i, inr j => if Nat.eqb i j then CB b else e
  | _, _ => e
  end.

Lemma truth_ev cur mm nxt l x e :
  ev cur mm nxt l (truth_of x (match x with inl p => l p | inr i => nxt i end) e) = ev cur mm nxt l e.
Proof. destruct e, x; simpl; auto; destruct (Nat.eqb_spec p n) || destruct (Nat.eqb_spec i n); subst; auto. Qed.

(* A place that is open: constants are no operands. *)
Fixpoint open_of (e : cx) : place :=
  match e with
  | CNxt i => inr i
  | CNot a | CAnd a _ | COr a _ | CIff a _ => open_of a
  | CA p => inl p
  | CB _ | CCur _ | CMem _ => inl 0
  end.

Fixpoint pos_of (f : ltl) (l : list ltl) : option nat :=
  match l with
  | [] => None
  | g :: l => if ltl_eq_dec g f then Some 0 else option_map S (pos_of f l)
  end.

Lemma pos_of_look K d f :
  look K d f = match pos_of f K with Some i => nth i d false | None => false end.
Proof.
  revert d; induction K as [| g K IH]; intros d; simpl; auto. destruct (ltl_eq_dec g f), d as [| b d]; simpl; auto.
  - destruct (pos_of f K); auto.
  - rewrite IH; destruct (pos_of f K); auto.
Qed.
Lemma pos_of_in K f i : pos_of f K = Some i -> In f K.
Proof.
  revert i; induction K as [| g K IH]; simpl; intros i E; [discriminate |].
  destruct (ltl_eq_dec g f); auto. destruct (pos_of f K); [right; eauto | discriminate].
Qed.

Section Compile.
  Variables K Mem : list ltl.
  Variable T : ltl -> tree move.
  Variable cur : bool.                     (* digits of this state are known: not at a start *)
  Definition nx f := match pos_of f K with Some i => CNxt i | None => CB false end.
  Definition mx f := match pos_of f Mem with Some i => CMem i | None => CB false end.
  Definition short f (e : cx) :=
    if cur then match pos_of f K with Some i => CCur i | None => e end else e.

  Definition cs (q : ltl) (b : cx) : cx :=
    or_of (and_of b (ctree (fun m => CB (m_now m)) (T q)))
          (ctree (fun m => match m_next m with Some g => nx g | None => CB false end) (T q)).

  Fixpoint comp (f : ltl) : cx :=
    match f with
    | Tru => CB true | Fls => CB false | Atom p => CA p
    | Not a => CNot (short a (comp a))
    | And a b => CAnd (short a (comp a)) (short b (comp b))
    | Or a b => COr (short a (comp a)) (short b (comp b))
    | Implies a b => COr (CNot (short a (comp a))) (short b (comp b))
    | Iff a b => CIff (short a (comp a)) (short b (comp b))
    | Xor a b => CNot (CIff (short a (comp a)) (short b (comp b)))
    | Next a => nx a
    | Finally a => COr (short a (comp a)) (nx f)
    | Globally a => CAnd (short a (comp a)) (nx f)
    | Until a b | WeakUntil a b => COr (short b (comp b)) (CAnd (short a (comp a)) (nx f))
    | Release a b | StrongRelease a b => CAnd (short b (comp b)) (COr (short a (comp a)) (nx f))
    | Yesterday _ | WeakYesterday _ => mx f
    | Once a => COr (short a (comp a)) (mx f)
    | Historically a => CAnd (short a (comp a)) (mx f)
    | Since a b => COr (short b (comp b)) (CAnd (short a (comp a)) (mx f))
    | Triggered a b => CAnd (short b (comp b)) (COr (short a (comp a)) (mx f))
    | Closure r => CNot (cs (Not f) (CB true))
    | SuffixAnd r b => cs f (short b (comp b))
    | SuffixImp r b => CNot (cs (SuffixAnd r (Not b)) (CNot (short b (comp b))))
    end.

  Definition now f := short f (comp f).
  Definition cmark f :=
    match f with
    | Finally a => COr (CNot (now f)) (now a)
    | Until a b => COr (CNot (now f)) (now b)
    | StrongRelease a b => COr (CNot (now f)) (CAnd (now a) (now b))
    | Globally a => COr (CNot (now a)) (now f)
    | Release a b => COr (CNot (now b)) (now f)
    | WeakUntil a b => COr (CNot (COr (now a) (now b))) (now f)
    | _ => CB true
    end.
  Definition cnone := not_of (some_of mx (suffixes Mem)).
  (* The moves of q to f where now is false. *)
  Definition clate q f :=
    let late := match q with SuffixAnd _ b => not_of (now b) | _ => CB false end in
    ctree (fun m => if leads m f then if m_now m then late else CB true else CB false) (T q).
  Definition ckept f := some_of (fun q => and_of (clate q f) (or_of (mx q) (and_of cnone (now q)))) (suffixes Mem).
  Definition cupd f :=
    if is_suffix f then ckept f else match f with Yesterday a | WeakYesterday a => now a | _ => now f end.

  Variables k0 k md : list bool.
  Variable l : letter.
  Let v := val T (look K k) (look Mem md) l.
  Let known := fun i => nth i k false.
  Hypothesis Cur : cur = true -> forall f, In f K -> look K k0 f = v f.

  Lemma short_ev f e : ev k0 md known l e = v f -> ev k0 md known l (short f e) = v f.
  Proof.
    intros E; unfold short; destruct cur; auto. destruct (pos_of f K) as [i |] eqn:Ei; auto; simpl.
    rewrite <- (Cur eq_refl f (pos_of_in _ _ _ Ei)), pos_of_look, Ei; auto.
  Qed.

  Lemma nx_ev f : ev k0 md known l (nx f) = look K k f.
  Proof. unfold nx; rewrite pos_of_look; destruct (pos_of f K); auto. Qed.
  Lemma mx_ev f : ev k0 md known l (mx f) = look Mem md f.
  Proof. unfold mx; rewrite pos_of_look; destruct (pos_of f Mem); auto. Qed.

  Lemma cs_ev q b : ev k0 md known l (cs q b) = sval T (look K k) l q (ev k0 md known l b).
  Proof.
    unfold cs, sval; rewrite or_ev, and_ev, !ctree_ev, andb_comm; f_equal.
    destruct (m_next (at_letter (T q) l)); auto; apply nx_ev.
  Qed.

  Lemma comp_ev f : ev k0 md known l (comp f) = v f.
  Proof.
    induction f; simpl; rewrite ?nx_ev, ?mx_ev, ?cs_ev; simpl ev;
      try rewrite (short_ev _ _ IHf); try rewrite (short_ev _ _ IHf1); try rewrite (short_ev _ _ IHf2); auto.
    unfold v; simpl; fold (v f1) (v f2). destruct (v f1), (v f2); auto.
  Qed.

  Lemma now_ev f : ev k0 md known l (now f) = v f.
  Proof. apply short_ev, comp_ev. Qed.
  Lemma cmark_ev f : ev k0 md known l (cmark f) = mark v f.
  Proof. destruct f; simpl ev; rewrite ?now_ev; auto. Qed.
  Lemma cnone_ev : ev k0 md known l cnone = none_pending Mem (look Mem md).
  Proof.
    unfold cnone, none_pending; rewrite not_ev, some_ev.
    induction (suffixes Mem) as [| q qs IH]; simpl; auto; rewrite negb_orb, IH, mx_ev; auto.
  Qed.
  Lemma cupd_ev f : ev k0 md known l (cupd f) = upd Mem T v (look Mem md) l f.
  Proof.
    unfold cupd, upd; destruct (is_suffix f); [| destruct f; apply now_ev].
    unfold ckept, kept; rewrite some_ev; induction (suffixes Mem) as [| q qs IH]; simpl; auto; rewrite IH; f_equal.
    rewrite and_ev, or_ev, and_ev, mx_ev, cnone_ev, now_ev, andb_comm; f_equal.
    unfold clate; rewrite ctree_ev; unfold now_of.
    destruct (leads (at_letter (T q) l) f); [| rewrite andb_false_r; auto]; rewrite andb_true_r.
    destruct (m_now (at_letter (T q) l)); simpl; [destruct q; auto; rewrite not_ev, now_ev; auto | destruct q; auto].
  Qed.
End Compile.

Record code := { c_demands : list cx; c_marks : list cx; c_upds : list cx }.
Record codes := { at_start : code; at_state : code; k_length : nat; s_memory : list bool }.

Definition compile (K Mem : list ltl) (T : ltl -> tree move) (phi : ltl) : codes :=
  {| at_start := {| c_demands := [comp K Mem T false phi]; c_marks := cnone Mem :: map (cmark K Mem T false) K;
                    c_upds := map (cupd K Mem T false) Mem |};
     at_state := {| c_demands := map (comp K Mem T true) K; c_marks := cnone Mem :: map (cmark K Mem T true) K;
                    c_upds := map (cupd K Mem T true) Mem |};
     k_length := length K; s_memory := map start_mem Mem |}.

(* ---- The search ---- *)

Definition put_all leaf C :=
  {| c_demands := map (put leaf) (c_demands C); c_marks := map (put leaf) (c_marks C);
     c_upds := map (put leaf) (c_upds C) |}.

(* Demands: values that must be as given. Some None: no contradiction, and nothing is open. *)
Fixpoint demanded (es : list cx) (bs : list bool) (open : option place) : option (option place) :=
  match es, bs with
  | CB a :: es, b :: bs => if eqb a b then demanded es bs open else None
  | e :: es, _ :: bs => demanded es bs (Some (open_of e))
  | _, _ => Some open
  end.

Lemma demanded_some cur mm nxt l es : forall open,
  demanded es (map (ev cur mm nxt l) es) open <> None.
Proof.
  induction es as [| e es IH]; simpl; intros open; [congruence |]. destruct e; simpl; auto. rewrite eqb_reflx; auto.
Qed.

Fixpoint first_open (es : list cx) : option place :=
  match es with
  | [] => None
  | CB _ :: es => first_open es
  | e :: _ => Some (open_of e)
  end.

Definition sure_of e := match e with CB b => b | _ => false end.

Lemma first_open_sure cur mm nxt l es : first_open es = None -> map sure_of es = map (ev cur mm nxt l) es.
Proof. induction es as [| [] es IH]; simpl; try discriminate; auto; intros E; f_equal; auto. Qed.

Fixpoint first_none (i : nat) (k : cube) : option nat :=
  match k with
  | [] => None
  | None :: _ => Some i
  | Some _ :: k => first_none (S i) k
  end.

Definition digit (o : option bool) := match o with Some b => b | None => false end.

Lemma first_none_digits k : forall i kr, first_none i k = None -> length k = length kr ->
  inside k (fun i => nth i kr false) -> map digit k = kr.
Proof.
  induction k as [| [b |] k IH]; intros i [| d kr] E L H; simpl in *; try discriminate; auto. f_equal.
  - symmetry; apply (H 0); auto.
  - apply (IH (S i)); auto. intros j e; apply (H (S j)).
Qed.

(* A digit of the next state, in the formulas of the kernel there. *)
Definition next_digit (i : nat) (b : bool) (e : cx) :=
  match e with CCur j => if Nat.eqb i j then CB b else e | _ => e end.

(* No edge leaves the next state: a formula of the kernel has another value there (in N) than its digit (in k). *)
Fixpoint clash (N : list cx) (k : cube) : bool :=
  match N, k with
  | CB a :: N, Some b :: k => xorb a b || clash N k
  | _ :: N, _ :: k => clash N k
  | _, _ => false
  end.
Lemma no_clash N mm nxt l : forall k kr all, map (ev all mm nxt l) N = kr -> inside k (fun i => nth i kr false) -> clash N k = false.
Proof.
  induction N as [| e N IH]; intros [| o k] kr all E H; auto; [destruct e; auto |]. destruct kr as [| d kr]; simpl in E; [discriminate |].
  assert (HT : clash N k = false) by (apply (IH k kr all); [congruence | intros j b; apply (H (S j))]).
  destruct e, o; auto; simpl; rewrite HT, orb_false_r; specialize (H 0 b0 eq_refl); simpl in *; inversion E; subst; apply xorb_nilpotent.
Qed.

Section Search.
  Variable truths : list bool.             (* what the demands must be *)
  Definition found := (cube * (list nat * tstate))%type.

  (* Both halves of the letters, or of the next states. C has the truth values of c and k. *)
  Definition halves (go : code -> list cx -> cube -> cube -> list found -> option (list found)) (C : code) (N : list cx)
    (c k : cube) (out : list found) (x : place) : option (list found) :=
    let half b := match x with
      | inl p => go (put_all (truth_of x b) C) N (fix_in c p b) k
      | inr i => go (put_all (truth_of x b) C) (map (put (next_digit i b)) N) c (fix_in k i b) end in
    match half false out with Some out => half true out | None => None end.

  Fixpoint search (fuel : nat) (C : code) (N : list cx) (c k : cube) (out : list found) : option (list found) :=
    match fuel with
    | 0 => None
    | S fuel => if clash N k then Some out else
      match demanded (c_demands C) truths None with
      | None => Some out
      | Some (Some x) => halves (search fuel) C N c k out x
      | Some None =>
        match first_none 0 k with
        | Some i => halves (search fuel) C N c k out (inr i)
        | None =>
          match first_open (c_marks C), first_open (c_upds C) with
          | None, None => Some ((c, (marked 0 (map sure_of (c_marks C)),
                                     inr (map digit k, map sure_of (c_upds C)))) :: out)
          | Some x, _ | None, Some x => halves (search fuel) C N c k out x
          end
        end
      end
    end.

  Variable kr : list bool.                 (* the next digits *)
  Variable l : letter.
  Let known := fun i => nth i kr false.
  Variables cur mm : list bool.            (* of the state *)
  Let values := map (ev cur mm known l).
  Variables (mm' : list bool) (nxt' l' : nat -> bool). (* of an edge from the next state *)
  Let ahead := map (ev kr mm' nxt' l').

  Lemma put_values leaf es : (forall e, ev cur mm known l (leaf e) = ev cur mm known l e) ->
    values (map (put leaf) es) = values es.
  Proof. intros H; unfold values; rewrite map_map; apply map_ext, put_ev, H. Qed.

  Definition finds C N c k (out res : list found) := incl out res /\
    (inside c l -> inside k known -> length k = length kr -> ahead N = kr -> values (c_demands C) = truths ->
     exists c', In (c', (marked 0 (values (c_marks C)), inr (kr, values (c_upds C)))) res /\ inside c' l).
  Lemma search_in fuel : forall C N c k out res, search fuel C N c k out = Some res -> finds C N c k out res.
  Proof.
    induction fuel as [| fuel IH]; intros C N c k out res; simpl; [discriminate |].
    assert (Split : forall x, halves (search fuel) C N c k out x = Some res -> finds C N c k out res).
    { intros x; unfold halves. pose proof (truth_ev cur mm known l x) as HV.
      assert (HP := fun es => put_values _ es HV); clear HV. destruct x as [p | i].
      - destruct (search fuel _ _ (fix_in c p false) k out) as [mid |] eqn:E1; [| discriminate]; intros E2.
        destruct (IH _ _ _ _ _ _ E1) as (I1 & H1), (IH _ _ _ _ _ _ E2) as (I2 & H2); simpl in H1, H2; unfold finds.
        split; [eapply incl_tran; eauto |]; intros Hc Hk HL HN HD; pose proof (inside_fix l c p Hc) as HF.
        destruct (l p); rewrite ?HP in *; [auto |]. destruct (H1 HF Hk HL HN HD) as (c' & Hin & Hi); exists c'; auto.
      - destruct (search fuel _ _ c (fix_in k i false) out) as [mid |] eqn:E1; [| discriminate]; intros E2.
        destruct (IH _ _ _ _ _ _ E1) as (I1 & H1), (IH _ _ _ _ _ _ E2) as (I2 & H2); simpl in H1, H2; unfold finds.
        split; [eapply incl_tran; eauto |]; intros Hc Hk HL HN HD; pose proof (inside_fix known k i Hk) as HF.
        assert (HQ : ahead (map (put (next_digit i (known i))) N) = kr).
        { rewrite <- HN; unfold ahead; rewrite map_map; apply map_ext, put_ev.
          intros []; simpl; auto; match goal with |- context [Nat.eqb ?a ?b] => destruct (Nat.eqb_spec a b); subst; auto end. }
        rewrite fix_length in *. destruct (known i); rewrite ?HP in *; [auto |].
        destruct (H1 Hc HF HL HQ HD) as (c' & Hin & Hi); exists c'; auto. }
    destruct (clash N k) eqn:EC.
    { intros E; inversion E; subst; split; [apply incl_refl |]; intros _ Hk _ HN _.
      rewrite (no_clash N mm' nxt' l' k kr kr HN Hk) in EC; discriminate. }
    destruct (demanded _ _ _) as [[x |] |] eqn:ED; [exact (Split x) | |].
    - destruct (first_none 0 k) as [i |] eqn:EK; [exact (Split (inr i)) |].
      destruct (first_open (c_marks C)) as [x |] eqn:EM; [exact (Split x) |].
      destruct (first_open (c_upds C)) as [x |] eqn:EU; [exact (Split x) |].
      intros E; inversion E; subst; split; [intros z Hz; simpl; auto |].
      intros Hc Hk HL _ _; exists c; split; auto; left; unfold values.
      rewrite <- (first_open_sure _ _ _ _ _ EM), <- (first_open_sure _ _ _ _ _ EU).
      rewrite (first_none_digits k 0 kr EK HL Hk); auto.
    - intros E; inversion E; subst; split; [apply incl_refl |]; intros Hc Hk _ _ HD; exfalso.
      revert ED; rewrite <- HD; apply demanded_some.
  Qed.
End Search.

Section Successors.
  Variables K Mem : list ltl.
  Variable T : ltl -> tree move.
  Variable phi : ltl.
  Variable n : nat.                        (* propositions; any number is sound *)

  Definition tsucc (C : codes) (s : tstate) : option (list found) :=
    let fuel := S (n + k_length C) in
    let all := repeat None n in let k := repeat None (k_length C) in
    match s with
    | inl b => search [b] fuel (put_all (digits_of [] (s_memory C)) (at_start C)) (c_demands (at_state C)) all k []
    | inr (k0, md) => search k0 fuel (put_all (digits_of k0 md) (at_state C)) (c_demands (at_state C)) all k []
    end.

  (* The formulas of the kernel at a state have its digits. *)
  Lemma kernel_ev k0 md l m s' : tedge K Mem T phi (inr (k0, md)) l m s' -> exists nxt,
    map (ev k0 md nxt l) (map (comp K Mem T true) K) = k0.
  Proof.
    intros (k & _ & _ & _ & Ed); exists (fun i => nth i k false); rewrite map_map; etransitivity; [| exact Ed].
    apply map_ext; intros f; apply (comp_ev K Mem T true k0 k md l); intros _ g Hg. rewrite <- Ed; apply look_map; auto.
  Qed.

  (* Every edge of the tableau is among the successors, in a cube that has its letter. *)
  Lemma tsucc_in s l m s' out : tsucc (compile K Mem T phi) s = Some out -> tstep K Mem T phi s l m s' ->
    exists c, In (c, (m, s')) out /\ inside c l.
  Proof.
    intros EO ((k & E & L & Em & Ed) & l2 & m2 & s2 & E2). set (cur := match s with inl _ => false | inr _ => true end).
    assert (Cur : cur = true -> forall f, In f K ->
       look K (digits s) f = val T (look K k) (look Mem (memory Mem s)) l f).
    { unfold cur; destruct s as [b | (k0, md)]; [discriminate |]; intros _ f Hf; simpl.
      rewrite <- Ed at 1; rewrite look_map; auto. }
    assert (EM : map (ev (digits s) (memory Mem s) (fun i => nth i k false) l) (cnone Mem :: map (cmark K Mem T cur) K) =
                 none_pending Mem (look Mem (memory Mem s)) :: map (mark (value K Mem T s l k)) K).
    { simpl; f_equal; [apply cnone_ev |].
      rewrite map_map; apply map_ext; intros f; exact (cmark_ev K Mem T cur _ _ _ _ Cur f). }
    assert (EU : map (ev (digits s) (memory Mem s) (fun i => nth i k false) l) (map (cupd K Mem T cur) Mem) =
                 map (upd Mem T (value K Mem T s l k) (look Mem (memory Mem s)) l) Mem).
    { rewrite map_map; apply map_ext; intros f; exact (cupd_ev K Mem T cur _ _ _ _ Cur f). }
    rewrite E in E2; destruct (kernel_ev _ _ _ _ _ E2) as (nxt2 & HA).
    assert (HI : inside (repeat None (length K)) (fun i => nth i k false)) by apply inside_all.
    assert (HL : length (repeat (@None bool) (length K)) = length k) by (rewrite repeat_length; auto).
    rewrite E, Em, <- EM, <- EU; unfold tsucc in EO.
    assert (HP := fun es => put_values k l (digits s) (memory Mem s) (digits_of _ _) es ltac:(intros []; reflexivity)).
    match type of E2 with tedge _ _ _ _ (inr (_, ?md)) _ _ _ =>
      assert (HS := fun truths => search_in truths k l (digits s) (memory Mem s) md nxt2 l2) end. destruct s as [b | (k0, md)];
      (apply HS in EO; destruct EO as (_ & EO);
       cbn [digits memory compile at_start at_state s_memory k_length put_all c_demands c_marks c_upds] in EO, HP;
       rewrite !HP in EO; apply EO; auto using inside_all).
    - simpl map; f_equal; etransitivity; [apply (comp_ev K Mem T cur _ _ _ _ Cur) | exact Ed].
    - rewrite map_map; etransitivity; [| exact Ed]; apply map_ext; intros f.
      exact (comp_ev K Mem T cur _ _ _ _ Cur f).
  Qed.
End Successors.

Lemma tstate_eq_dec (s t : tstate) : {s = t} + {s <> t}.
Proof. repeat decide equality. Defined.
Definition tstate_eqb s t := if tstate_eq_dec s t then true else false.
Lemma tstate_eqb_eq s t : tstate_eqb s t = true -> s = t.
Proof. unfold tstate_eqb; destruct tstate_eq_dec; congruence. Qed.
