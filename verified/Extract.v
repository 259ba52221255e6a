(* OCaml of the checker: numbers of marks and propositions become integers. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
Require Import Spec Base Re Ltl Moves Cycle Cubes Successors Strategy Checker.
Extraction Language OCaml.
Extraction "checker.ml" check check2 all_moves moves same alike keys compile tsucc asucc.
