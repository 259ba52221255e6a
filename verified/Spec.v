(* Words, formulas, automata: what "exact" and "equivalent", at the end of this file, mean. A theorem that vcheck --coq
   prints speaks of nothing else. The theorems of Checker.v also name parts of a proof: its formula, its truth and its
   automaton. They assume two axioms of Coq's library, classic and constructive_indefinite_description; this file uses
   none. "See" names the place of the same definition in docs/. *)
From Coq Require Import List PArith Bool.
Import ListNotations.

(* ---- Words ---- *)

(* A letter gives a truth value to each proposition; propositions have numbers, the same ones in formulas and automata.
   A word is infinite, and need not be a lasso: a letter at each position 0, 1, 2, ... (Regular expressions speak of
   finite words, which are lists of letters.)              See proofs.md, The tableau: "A letter". *)
Definition letter := nat -> bool.
Definition word := nat -> letter.

(* ---- Boolean formulas: labels of edges, and atoms of regular expressions ---- *)

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

(* Each stands for a set of finite words: lang, below.     See formulas.md, PSL: "Expressions". *)
Inductive re :=
| Let (e : bexp)                                           (* e: one letter, on which e is true *)
| Eps                                                      (* [*0]: the empty word *)
| Alt (r s : re)                                           (* r | s *)
| Inter (r s : re)                                         (* r && s: a word of each *)
| Both (r s : re)                                          (* r & s: a word of one, begun by a word of the other *)
| Cat (r s : re)                                           (* r;s *)
| Fuse (r s : re)                                          (* r:s: they share a letter *)
| Star (r : re) (i : nat) (k : option nat)                 (* r[*i..i+k], or r[*i..] for None: k is a width *)
| FuseStar (r : re) (i : nat) (k : option nat)             (* r[:*i..i+k], or r[:*i..] *)
| First (r : re).                                          (* first_match(r): no shorter word of r at its beginning *)

Definition language := list letter -> Prop.
Definition any : language := fun u => True.
Definition empty_word : language := fun u => u = [].
Definition one_letter : language := fun u => exists a, u = [a].

(* A word of P before a word of Q. If they are fused, they share a letter. *)
Definition before (P Q : language) : language := fun u => exists x y, u = x ++ y /\ P x /\ Q y.
Definition fused (P Q : language) : language := fun u =>
  exists x a y, u = x ++ a :: y /\ P (x ++ [a]) /\ Q (a :: y).

(* n words of P, joined, and then a word of unit. So r[:*1] is r without the empty word, and r[:*0] is one letter. *)
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

(* The letters of w at positions i, ..., i+k: at least one, so an empty match never counts. {[*0]} is false, and
   {[*0]}[]-> b true. *)
Definition factor (w : word) (i k : nat) : list letter := map w (seq i (S k)).

(* ---- Formulas ---- *)

(* LTL with operators of the past, and PSL as Spot has it. The rest is written out before: {r}! is {r}<>-> 1, {r}[]=> b
   is {r;1}[]-> b, and b[->i..j], r[+] and others are too. See proofs.md, The text: "Operators are". *)
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
| Closure (r : re)                                         (* {r}: a match, or each beginning goes on to a word of r *)
| SuffixAnd (r : re) (b : ltl)                             (* {r}<>-> b: some match, and b at its last letter *)
| SuffixImp (r : re) (b : ltl).                            (* {r}[]-> b: b at the last letter of each match *)

(* f holds in w at i.                                      See formulas.md, Operators and PSL.
   In {r}[]-> b, operators of the past in b also see letters before the match. {r} is Spot's: beginnings go on with
   letters. In IEEE 1850, a[*];0 would hold where a stays true; here it has no word, and {a[*];0} is false. *)
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

(* t, f, Inf(m), Fin(m), &, |, as in HOA. Inf(!m) is Inf(m') with a mark m' that all edges without m have; Fin(!m) too.
   main.ml adds m', and its printer demands it. *)
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

(* ---- Automata with states of any type; a tableau is one ---- *)

(* step q l M r: an edge leads from q to r, reads the letter l, and has the marks M. *)
Record system := { state : Type; starts : state -> Prop;
                   step : state -> letter -> list nat -> state -> Prop; accepting : acc }.

(* The states s 0, s 1, ... are a run on w, from any state s 0; its edges have the marks M 0, M 1, ... *)
Definition run (A : system) (w : word) (s : nat -> state A) (M : nat -> list nat) :=
  forall n, step A (s n) (w n) (M n) (s (S n)).

(* At infinitely many steps, the run takes an edge with mark m. *)
Definition recurring (M : nat -> list nat) (m : nat) := infinitely_often (fun n => In m (M n)).

(* Some run on w begins in an initial state, and the marks that recur satisfy the condition. *)
Definition accepts (A : system) (w : word) :=
  exists s M, starts A (s 0) /\ run A w s M /\ sat (recurring M) (accepting A).

(* ---- Automata as HOA writes them ---- *)

(* An edge leads to one state, and has the marks. Several initial states are a choice; without any, no word is accepted.
   State q of the file has the number q+1. Labels have t, f, !, & and | only. BAtom p is not a number of the AP: line:
   vcheck numbers the names of the formulas in the order of their bytes, then those that only the automaton has; those
   of two automata as their AP: lines come.                See proofs.md, The text: 3. *)
Record edge := { esrc : positive; elabel : bexp; edst : positive; emarks : list nat }.
Record hoa := { initial : list positive; edges : list edge; acceptance : acc }.

Definition automaton (A : hoa) : system :=
  {| state := positive;
     starts := fun q => In q (initial A);
     step := fun q l M r => exists e, In e (edges A) /\ esrc e = q /\ beval l (elabel e) = true /\
                                      emarks e = M /\ edst e = r;
     accepting := acceptance A |}.

(* ---- What a proof shows ---- *)

(* If truth is true, A accepts exactly the words on which f holds; if it is false, exactly the others. *)
Definition exact (A : hoa) (f : ltl) (truth : bool) :=
  forall w, accepts (automaton A) w <-> (holds w 0 f <-> truth = true).

(* Two automata accept the same words.                     See proofs.md, Two automata. *)
Definition equivalent (A B : hoa) :=
  forall w, accepts (automaton A) w <-> accepts (automaton B) w.
