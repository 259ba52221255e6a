(* What the theorems of docs/verified.md, and two that they need, rest on; compared with assumptions.txt. *)
Require Import Page Checker Tableau.
Print Assumptions check_sound.
Print Assumptions check2_sound.
Print Assumptions run_unique.
Print Assumptions proof_sound.
