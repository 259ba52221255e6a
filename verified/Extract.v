(* OCaml of the checker: numbers of marks and propositions become integers. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
Require Import Spec Base Re Ltl Moves Cycle Cubes Successors Strategy Checker.
Extraction Language OCaml.
Extraction Inline and3 or3 not3 of_cube. (* so that an operand is computed only if it matters *)
Extraction "checker.ml" check check2 all_moves moves same alike keys compile tsucc asucc.
