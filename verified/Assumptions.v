(* What the theorems of docs/verified.md rest on; compared with assumptions.txt. *)
Require Import Page Checker Tableau Psl.
Print Assumptions check_sound.
Print Assumptions check2_sound.
Print Assumptions run_unique.
Print Assumptions proof_sound.
Print Assumptions breakpoint_least.
Print Assumptions not_closure_ful.
