(* Words, formulas, automata: all that the theorems of Checker.v speak of. Whoever believes that this file says
   what LTL, PSL and HOA say needs no other definition. Excluded middle is assumed; main.ml reads texts as these terms.
   Comments in brackets name the place of the same definition in docs/. *)
From Coq Require Import List PArith Bool.
Import ListNotations.

(* ---- Words ---- *)

(* A letter gives a truth value to each proposition; propositions have numbers.
   A word has a letter at each position 0, 1, 2, ...       [proofs.md, The tableau: "A letter"] *)
Definition letter := nat -> bool.
Definition word := nat -> letter.

(* ---- Boolean formulas: labels of edges, and letters of expressions ---- *)

Inductive bexp :=
| BTrue | BFalse | BAtom (p : nat) | BNot (a : bexp) | BAnd (a b : bexp) | BOr (a b : bexp)
| BImplies (a b : bexp) | BIff (a b : bexp) | BXor (a b : bexp).

Fixpoint beval (l : letter) (e : bexp) : bool :=
  match e with
  | BTrue => true
  | BFalse => false
  | BAtom p => l p
  | BNot a => negb (beval l a)
  | BAnd a b => beval l a && beval l b
  | BOr a b => beval l a || beval l b
  | BImplies a b => implb (beval l a) (beval l b)
  | BIff a b => eqb (beval l a) (beval l b)
  | BXor a b => xorb (beval l a) (beval l b)
  end.

(* ---- Regular expressions ---- *)

(* Each stands for a set of finite words, see lang.         [formulas.md, PSL: "Expressions"] *)
Inductive re :=
| Let (e : bexp) | Eps                                     (* one letter on which e is true  [*0] *)
| Alt (r s : re) | Inter (r s : re) | Both (r s : re)      (* r | s  r && s  r & s *)
| Cat (r s : re) | Fuse (r s : re)                         (* r;s  r:s *)
| Star (r : re) (i : nat) (k : option nat)                 (* r[*i..i+k], or r[*i..]: k is a width *)
| FuseStar (r : re) (i : nat) (k : option nat)             (* r[:*i..i+k], or r[:*i..] *)
| First (r : re).                                          (* first_match(r) *)

Definition language := list letter -> Prop.
Definition any : language := fun u => True.
Definition empty_word : language := fun u => u = [].
Definition one_letter : language := fun u => exists a, u = [a].

(* A word of P before a word of Q. If they are fused, they share a letter. *)
Definition before (P Q : language) : language := fun u => exists x y, u = x ++ y /\ P x /\ Q y.
Definition fused (P Q : language) : language := fun u =>
  exists x a y, u = x ++ a :: y /\ P (x ++ [a]) /\ Q (a :: y).

(* n words of P, joined; unit if n = 0. *)
Fixpoint times (join : language -> language -> language) (unit P : language) (n : nat) : language :=
  match n with 0 => unit | S n => join P (times join unit P n) end.
Definition in_bounds (i : nat) (k : option nat) (n : nat) :=
  i <= n /\ match k with Some k => n <= i + k | None => True end.

Fixpoint lang (r : re) : language := fun u =>
  match r with
  | Let e => exists a, u = [a] /\ beval a e = true
  | Eps => empty_word u
  | Alt r s => lang r u \/ lang s u
  | Inter r s => lang r u /\ lang s u
  | Both r s => (lang r u /\ before (lang s) any u) \/ (before (lang r) any u /\ lang s u)
  | Cat r s => before (lang r) (lang s) u
  | Fuse r s => fused (lang r) (lang s) u
  | Star r i k => exists n, in_bounds i k n /\ times before empty_word (lang r) n u
  | FuseStar r i k => exists n, in_bounds i k n /\ times fused one_letter (lang r) n u
  | First r => lang r u /\ forall x y, u = x ++ y -> lang r x -> y = []
  end.

(* The letters of w at positions i, ..., i+k: at least one, so nothing begins with an empty match. *)
Definition factor (w : word) (i k : nat) : list letter := map w (seq i (S k)).

(* ---- Formulas ---- *)

(* LTL with operators of the past, and PSL.                [proofs.md, The text: "Operators are"] *)
Inductive ltl :=
| Tru | Fls | Atom (p : nat)                               (* 1   0   a proposition *)
| Not (a : ltl) | And (a b : ltl) | Or (a b : ltl)         (* !a  a & b  a | b *)
| Implies (a b : ltl) | Iff (a b : ltl) | Xor (a b : ltl)  (* a -> b  a <-> b  a xor b *)
| Next (a : ltl) | Finally (a : ltl) | Globally (a : ltl)  (* X a  F a  G a *)
| Until (a b : ltl) | Release (a b : ltl)                  (* a U b  a R b *)
| WeakUntil (a b : ltl) | StrongRelease (a b : ltl)        (* a W b  a M b *)
| Yesterday (a : ltl) | WeakYesterday (a : ltl)            (* Y a  Z a *)
| Once (a : ltl) | Historically (a : ltl)                  (* O a  H a *)
| Since (a b : ltl) | Triggered (a b : ltl)                (* a S b  a T b *)
| Closure (r : re)                                         (* {r}, weak: a match, or each beginning goes on to one *)
| SuffixAnd (r : re) (b : ltl)                             (* {r}<>-> b, at the last letter  {r}! is {r}<>-> 1 *)
| SuffixImp (r : re) (b : ltl).                            (* {r}[]-> b  {r}[]=> b is {r;1}[]-> b *)

(* f holds in w at i. The past of b in {r}[]-> b reaches to 0. [formulas.md, Operators] *)
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
  | Closure r => (exists k, lang r (factor w i k)) \/ forall k, exists u, lang r (factor w i k ++ u)
  | SuffixAnd r b => exists k, lang r (factor w i k) /\ holds w (i + k) b
  | SuffixImp r b => forall k, lang r (factor w i k) -> holds w (i + k) b
  end.

(* ---- Acceptance ---- *)

(* t, f, Inf(m), Fin(m), &, |. For Inf(!m), main.ml adds a mark where m is not. [HOA, Acceptance:] *)
Inductive acc :=
| ATrue | AFalse | AInf (m : nat) | AFin (m : nat) | AAnd (a b : acc) | AOr (a b : acc).

(* The condition holds, where I is the set of the marks that are seen infinitely often. *)
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

(* State q of the file has the number q+1; several starts are a choice. [proofs.md, The text: 3.] *)
(* Labels such as [0&!1 | t] have t, f, !, & and |; propositions have the numbers that formulas use. *)
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
