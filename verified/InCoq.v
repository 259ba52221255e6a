(* For checks inside Coq (vm_compute): tables from lists, ranks by reachability. No proofs are
   needed about any of this. *)
From Coq Require Import List Arith PArith FMapPositive.
Import ListNotations.
Require Import Spec Base Ltl Cycle Strategy Checker.

Fixpoint place {S} (eqb : S -> S -> bool) (s : S) (i : positive) (l : list S) : option positive :=
  match l with [] => None | x :: l => if eqb s x then Some i else place eqb s (Pos.succ i) l end.
Definition list_table {S} (eqb : S -> S -> bool) (l : list S) : table S :=
  {| entries := number 1 l (PM.empty S); index := fun s => place eqb s 1 l |}.
Definition list_map {S} (l : list S) : PM.t S := number 1 l (PM.empty S).

(* The rank of a node: how many it reaches, then the first of those that reach as many. *)
Definition set := PM.t unit.
Definition has_node (s : set) p := match PM.find p s with Some _ => true | None => false end.
Fixpoint reach (fuel : nat) (out : PM.t (list (arc positive))) (seen : set) (todo : list positive) : set :=
  match fuel, todo with
  | S fuel, p :: todo =>
    if has_node seen p then reach fuel out seen todo
    else reach fuel out (PM.add p tt seen) (map dst (get _ out p) ++ todo)
  | _, _ => seen
  end.
Definition size (s : set) := Pos.of_nat (PM.cardinal s).
Definition reach_ranks (E : arcs) : PM.t positive :=
  let out := bucket _ src E in
  let fuel := length E + length E + 2 in
  let big := fold_left (fun b e => Pos.max b (Pos.max (Pos.succ (src e)) (Pos.succ (dst e)))) E 1%positive in
  let table := fold_left (fun m e =>
      match PM.find (src e) m with
      | Some _ => m
      | None => let s := reach fuel out (PM.empty unit) [src e] in PM.add (src e) (size s, s) m
      end) E (PM.empty (positive * set)) in
  PM.map (fun x =>
      let same q := match PM.find (fst q) table with Some y => Pos.eqb (fst y) (fst x) | None => false end in
      match find same (PM.elements (snd x)) with
      | Some q => Pos.add (Pos.mul (fst x) big) (fst q) | None => 1%positive end) table.
