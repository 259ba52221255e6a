(* Sets of letters as cubes, and values that may be open on a cube. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
Require Import Spec.

(* For each of the first propositions its truth, or None: both. The same serves for digits. *)
Definition cube := list (option bool).
Definition inside (c : cube) (l : letter) := forall p b, nth p c None = Some b -> l p = b.

Fixpoint fix_in (c : cube) (p : nat) (b : bool) : cube :=
  match c, p with
  | [], _ => []
  | _ :: c, 0 => Some b :: c
  | x :: c, S p => x :: fix_in c p b
  end.

Lemma inside_all n l : inside (repeat None n) l.
Proof.
  intros p b E; exfalso; revert p E; induction n as [| n IH]; intros [| p] E; simpl in E; try discriminate; eauto.
Qed.

Lemma inside_fix l : forall c p, inside c l -> inside (fix_in c p (l p)) l.
Proof.
  intros c; revert l; induction c as [| x c IH]; intros l p H q b; simpl.
  - destruct q; discriminate.
  - assert (H0 : inside c (fun i => l (S i))) by (intros i d; apply (H (S i))).
    destruct p as [| p], q as [| q]; simpl; intros E.
    + congruence.
    + apply (H (S q)); auto.
    + apply (H 0); auto.
    + apply (IH _ p H0 q b E).
Qed.

Lemma fix_length c p b : length (fix_in c p b) = length c.
Proof. revert p; induction c as [| x c IH]; intros [| p]; simpl; auto. Qed.

(* ---- Values: known on the whole cube, or open because of something of type X ---- *)

Inductive val3 X := Known (b : bool) | Open (x : X).
Arguments Known {X}. Arguments Open {X}.

Definition is {X} (v : val3 X) (b : bool) := match v with Known c => c = b | Open _ => True end.
Definition sure {X} (v : val3 X) := match v with Known b => b | Open _ => false end.
Definition of_cube {X} (c : cube) (p : nat) (x : X) : val3 X :=
  match nth p c None with Some b => Known b | None => Open x end.

Definition not3 {X} (a : val3 X) := match a with Known b => Known (negb b) | Open x => Open x end.
Definition and3 {X} (a b : val3 X) :=
  match a with
  | Known true => b
  | Known false => Known false
  | Open x => match b with Known false => Known false | _ => Open x end
  end.
Definition or3 {X} (a b : val3 X) :=
  match a with
  | Known false => b
  | Known true => Known true
  | Open x => match b with Known true => Known true | _ => Open x end
  end.
Definition bin3 {X} (f : bool -> bool -> bool) (a b : val3 X) :=
  match a, b with Known a, Known b => Known (f a b) | Open x, _ | _, Open x => Open x end.

Lemma is_cube {X} c l p (x : X) : inside c l -> is (of_cube c p x) (l p).
Proof.
  intros H; unfold of_cube; destruct (nth p c None) as [b |] eqn:E; simpl; auto. symmetry; apply H; auto.
Qed.
Lemma is_not {X} (v : val3 X) b : is v b -> is (not3 v) (negb b).
Proof. destruct v; simpl; auto; intros ->; auto. Qed.
Lemma is_and {X} (v u : val3 X) b c : is v b -> is u c -> is (and3 v u) (b && c).
Proof. destruct v as [[|] | x], u as [[|] | y]; simpl; intros; subst; simpl; auto; destruct b; auto. Qed.
Lemma is_or {X} (v u : val3 X) b c : is v b -> is u c -> is (or3 v u) (b || c).
Proof. destruct v as [[|] | x], u as [[|] | y]; simpl; intros; subst; simpl; auto; destruct b; auto. Qed.
Lemma is_bin {X} f (v u : val3 X) b c : is v b -> is u c -> is (bin3 f v u) (f b c).
Proof. destruct v, u; simpl; intros; subst; auto. Qed.

(* ---- Labels ---- *)

Fixpoint beval3 (c : cube) (e : bexp) : val3 nat :=
  match e with
  | BTrue => Known true
  | BFalse => Known false
  | BAtom p => of_cube c p p
  | BNot a => not3 (beval3 c a)
  | BAnd a b => and3 (beval3 c a) (beval3 c b)
  | BOr a b => or3 (beval3 c a) (beval3 c b)
  | BImplies a b => or3 (not3 (beval3 c a)) (beval3 c b)
  | BIff a b => bin3 eqb (beval3 c a) (beval3 c b)
  | BXor a b => bin3 xorb (beval3 c a) (beval3 c b)
  end.

Lemma beval3_is c l e : inside c l -> is (beval3 c e) (beval l e).
Proof.
  intros H; induction e; simpl; rewrite ?implb_orb; auto using is_not, is_and, is_or, is_bin. apply is_cube; auto.
Qed.

(* Some letter of the cube is read. *)
Fixpoint meets (fuel : nat) (c : cube) (e : bexp) : bool :=
  match beval3 c e with
  | Known b => b
  | Open p => match fuel with
              | 0 => true
              | S fuel => meets fuel (fix_in c p false) e || meets fuel (fix_in c p true) e
              end
  end.

Lemma meets_in l e fuel : forall c, inside c l -> beval l e = true -> meets fuel c e = true.
Proof.
  induction fuel as [| fuel IH]; intros c H E; simpl;
    pose proof (beval3_is c l e H) as V; destruct (beval3 c e) as [b | p]; simpl in V; auto; try congruence.
  rewrite orb_true_iff. pose proof (inside_fix l c p H) as HF; destruct (l p); auto.
Qed.

(* The letters of the cube that are read, as cubes. *)
Fixpoint cubes (fuel : nat) (c : cube) (e : bexp) (out : list cube) : option (list cube) :=
  match beval3 c e with
  | Known true => Some (c :: out)
  | Known false => Some out
  | Open p => match fuel with
              | 0 => None
              | S fuel => match cubes fuel (fix_in c p false) e out with
                          | Some out => cubes fuel (fix_in c p true) e out
                          | None => None
                          end
              end
  end.

Lemma cubes_in l e fuel : forall c out res, cubes fuel c e out = Some res ->
  incl out res /\ (inside c l -> beval l e = true -> exists c', In c' res /\ inside c' l).
Proof.
  induction fuel as [| fuel IH]; simpl; intros c out res E;
    destruct (beval3 c e) as [[|] | p] eqn:B; try discriminate.
  1,3: inversion E; subst; split; [intros x Hx; simpl; auto | intros H _; exists c; simpl; auto].
  1,2: inversion E; subst; split; [apply incl_refl |]; intros H Hl;
    pose proof (beval3_is c l e H) as V; rewrite B in V; simpl in V; congruence.
  destruct (cubes fuel (fix_in c p false) e out) as [mid |] eqn:E1; [| discriminate].
  destruct (IH _ _ _ E1) as (I1 & H1), (IH _ _ _ E) as (I2 & H2).
  split; [eapply incl_tran; eauto |]; intros H Hl; pose proof (inside_fix l c p H) as HF.
  destruct (l p); auto. destruct (H1 HF Hl) as (c' & Hc & Hi); exists c'; auto.
Qed.
