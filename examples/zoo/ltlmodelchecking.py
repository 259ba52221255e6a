# Reads a formula a line in LBT's syntax, with t, !, &, X, U and propositions. Prints the Büchi
# automaton of LTLModelChecking in HOA.
import sys

import TS  # first: the modules import each other
from Automata import GNBA, NBA
from LTLComponent import AtomicTrue, Conjunction, Identifier, Next, Until
from utils import getNegation


def formula(tokens):
    token = next(tokens)
    if token == "t":
        return AtomicTrue()
    if token in "!X":
        return {"!": getNegation, "X": Next}[token](formula(tokens))
    if token in "&U":
        return {"&": Conjunction, "U": Until}[token](formula(tokens), formula(tokens))
    return Identifier(token)


def show(automaton):
    props = sorted(str(p) for p in automaton.atomic_propositions)
    number = {s: i for i, s in enumerate(automaton.states)}
    print("HOA: v1")
    for s in automaton.initial_states:
        print("Start:", number[s])
    print("AP:", len(props), *(f'"{p}"' for p in props))
    print("Acceptance: 1 Inf(0)\n--BODY--")
    for s in automaton.states:
        print("State:", number[s], "{0}" if s in automaton.final_state_family else "")
        for symbol, successors in automaton.delta[s].items():
            true = {str(p) for p in symbol.subset.subset}
            label = "".join(f"&{'' if p in true else '!'}{i}" for i, p in enumerate(props))
            for to in successors:
                print(f"[t{label}] {number[to]}")
    print("--END--", flush=True)


for line in sys.stdin:
    show(NBA(GNBA(formula(iter(line.split())))))
