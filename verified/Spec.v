(* What the theorems speak of, and all of it: words, formulas, automata. Whoever reads this file and
   believes that it says what LTL and HOA say need not read any other one; Coq checks the rest.
   Comments in brackets name the place of the same definition in docs/. *)
From Coq Require Import List PArith.
Import ListNotations.

(* ---- Words ---- *)

(* A letter gives a truth value to each proposition; propositions have numbers.
   A word has a letter at each position 0, 1, 2, ...       [proofs.md, The tableau: "A letter"] *)
Definition letter := nat -> bool.
Definition word := nat -> letter.

(* ---- Formulas ---- *)

(* LTL with operators of the past.                         [proofs.md, The text: "Operators are"] *)
Inductive ltl :=
| Tru | Fls | Atom (p : nat)                               (* 1   0   a proposition *)
| Not (a : ltl) | And (a b : ltl) | Or (a b : ltl)         (* !a  a & b  a | b *)
| Implies (a b : ltl) | Iff (a b : ltl) | Xor (a b : ltl)  (* a -> b  a <-> b  a xor b *)
| Next (a : ltl) | Finally (a : ltl) | Globally (a : ltl)  (* X a  F a  G a *)
| Until (a b : ltl) | Release (a b : ltl)                  (* a U b  a R b *)
| WeakUntil (a b : ltl) | StrongRelease (a b : ltl)        (* a W b  a M b *)
| Yesterday (a : ltl) | WeakYesterday (a : ltl)            (* Y a  Z a *)
| Once (a : ltl) | Historically (a : ltl)                  (* O a  H a *)
| Since (a b : ltl) | Triggered (a b : ltl).               (* a S b  a T b *)

(* The formula f holds in the word w at position i.        [formulas.md, Operators] *)
Fixpoint holds (w : word) (i : nat) (f : ltl) : Prop :=
  match f with
  | Tru => True
  | Fls => False
  | Atom p => w i p = true
  | Not a => ~ holds w i a
  | And a b => holds w i a /\ holds w i b
  | Or a b => holds w i a \/ holds w i b
  | Implies a b => holds w i a -> holds w i b
  | Iff a b => holds w i a <-> holds w i b
  | Xor a b => ~ (holds w i a <-> holds w i b)
  | Next a => holds w (S i) a
  | Finally a => exists j, i <= j /\ holds w j a
  | Globally a => forall j, i <= j -> holds w j a
  | Until a b => exists j, i <= j /\ holds w j b /\ forall k, i <= k < j -> holds w k a
  | WeakUntil a b => (exists j, i <= j /\ holds w j b /\ forall k, i <= k < j -> holds w k a)
                     \/ forall j, i <= j -> holds w j a
  | Release a b => forall j, i <= j -> holds w j b \/ exists k, i <= k < j /\ holds w k a
  | StrongRelease a b => exists j, i <= j /\ holds w j a /\ forall k, i <= k <= j -> holds w k b
  | Yesterday a => match i with 0 => False | S k => holds w k a end
  | WeakYesterday a => match i with 0 => True | S k => holds w k a end
  | Once a => exists j, j <= i /\ holds w j a
  | Historically a => forall j, j <= i -> holds w j a
  | Since a b => exists j, j <= i /\ holds w j b /\ forall k, j < k <= i -> holds w k a
  | Triggered a b => forall j, j <= i -> holds w j b \/ exists k, j < k <= i /\ holds w k a
  end.

(* ---- Acceptance ---- *)

(* An acceptance condition: t, f, Inf(m), Fin(m), &, |.    [HOA, Acceptance:] *)
Inductive acc :=
| ATrue | AFalse | AInf (m : nat) | AFin (m : nat) | AAnd (a b : acc) | AOr (a b : acc).

(* The condition holds if exactly the marks of I are seen infinitely often. *)
Fixpoint sat (I : nat -> Prop) (a : acc) : Prop :=
  match a with
  | ATrue => True
  | AFalse => False
  | AInf m => I m
  | AFin m => ~ I m
  | AAnd a b => sat I a /\ sat I b
  | AOr a b => sat I a \/ sat I b
  end.

Definition infinitely_often (P : nat -> Prop) := forall n, exists m, n <= m /\ P m.

(* ---- Automata with states of any type ---- *)

(* step q l M r: an edge leads from q to r, reads the letter l, and has the marks M. *)
Record system := { state : Type; starts : state -> Prop;
                   step : state -> letter -> list nat -> state -> Prop; accepting : acc }.

(* The states s 0, s 1, ... are a run on w; its edges have the marks M 0, M 1, ... *)
Definition run (A : system) (w : word) (s : nat -> state A) (M : nat -> list nat) :=
  forall n, step A (s n) (w n) (M n) (s (S n)).

(* Mark m is on infinitely many edges. *)
Definition recurring (M : nat -> list nat) (m : nat) := infinitely_often (fun n => In m (M n)).

(* Some run on w begins in an initial state, and the marks that recur satisfy the condition. *)
Definition accepts (A : system) (w : word) :=
  exists s M, starts A (s 0) /\ run A w s M /\ sat (recurring M) (accepting A).

(* ---- Automata as HOA writes them ---- *)

(* A label such as [0&!1 | t]; propositions have the numbers that formulas use. *)
Inductive bexp :=
| BTrue | BFalse | BAtom (p : nat) | BNot (a : bexp) | BAnd (a b : bexp) | BOr (a b : bexp).

Fixpoint beval (l : letter) (e : bexp) : bool :=
  match e with
  | BTrue => true
  | BFalse => false
  | BAtom p => l p
  | BNot a => negb (beval l a)
  | BAnd a b => andb (beval l a) (beval l b)
  | BOr a b => orb (beval l a) (beval l b)
  end.

(* State q of the file has the number q+1 here.            [proofs.md, The text: 3.] *)
Record edge := { esrc : positive; elabel : bexp; edst : positive; emarks : list nat }.
Record hoa := { initial : list positive; edges : list edge; acceptance : acc }.

Definition automaton (A : hoa) : system :=
  {| state := positive;
     starts := fun q => In q (initial A);
     step := fun q l M r => exists e, In e (edges A) /\ esrc e = q /\ beval l (elabel e) = true /\
                                      emarks e = M /\ edst e = r;
     accepting := acceptance A |}.

(* ---- What a proof shows ---- *)

(* truth: true: A accepts exactly the words on which f holds; truth: false: exactly the others. *)
Definition exact (A : hoa) (f : ltl) (truth : bool) :=
  forall w, accepts (automaton A) w <-> (holds w 0 f <-> truth = true).

(* Two automata accept the same words.                     [proofs.md, Two automata] *)
Definition equivalent (A B : hoa) :=
  forall w, accepts (automaton A) w <-> accepts (automaton B) w.
