(* OCaml of the checker: numbers of marks and propositions become integers. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
Require Import Spec Base Ltl Cycle Cubes Successors Strategy Checker.
Extraction Language OCaml.
Extraction "checker.ml" check check2 compile tsucc asucc.
