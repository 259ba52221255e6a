#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants faults in a copy of this folder, and says what notices each.

    $ make vcheck && python3 planted.py PROOF...

A fault in Coq must break a theorem. A fault in main.ml may only make vcheck refuse more: it is run on
the proofs, and on damaged copies of them, and compared with the vcheck that was built before.
"""
import os, random, re, shutil, subprocess, sys, tempfile

COQ = [  # file, old text, new text
    ("Spec.v", "| Until a b => exists j, i <= j /\\ holds w j b /\\ forall k, i <= k < j", "| Until a b => exists j, i <= j /\\ holds w j b /\\ forall k, i <= k <= j"),
    ("Spec.v", "| Once a => exists j, j <= i /\\", "| Once a => exists j, j < i /\\"),
    ("Spec.v", "| AFin m => ~ I m", "| AFin m => I m"),
    ("Spec.v", "exists s M, starts A (s 0) /\\ run", "exists s M, run"),
    ("Ltl.v", "| Globally a => negb (v a) || v f", "| Globally a => true"),
    ("Ltl.v", "WeakYesterday _ | Historically _ | Triggered _ _ => true", "Historically _ | Triggered _ _ => true"),
    ("Ltl.v", "| Next a => In a K /\\ has a", "| Next a => has a"),
    ("Base.v", "AInf m => AFin m | AFin m => AInf m", "AInf m => AInf m | AFin m => AFin m"),
    ("Cubes.v", "| Open x => match b with Known false => Known false | _ => Open x end", "| Open x => b"),
    ("Cycle.v", "forallb (fun e => Pos.leb (rank (dst e)) (rank (src e))) E &&", ""),
    ("Cycle.v", "(level (src e)) then Some [e]", "(level (src e)) then Some []"),
    ("Cycle.v", "else if Pos.leb (level (dst e)) (level (src e)) then Some [] else None", "else Some []"),
    ("Cycle.v", "if f x then x :: out else out) l []", "if f x then out else x :: out) l []"),
    ("Checker.v", "match fdead (snd (snd o)) with None => true | _ => false end", "match fdead (snd (snd o)) with None => false | _ => true end"),
    ("Cycle.v", "| AInf m => seen m | AFin m => true", "| AInf m => seen m | AFin m => negb (seen m)"),
    ("Successors.v", "if c then CB true else e", "if c then e else e"),
    ("Successors.v", "xorb a b || clash N k", "eqb a b || clash N k"),
    ("Successors.v", "(map (put (next_digit i b)) N) c", "(map (put (next_digit i true)) N) c"),
    ("Successors.v", "CNot (CIff (short a", "(CIff (short a"),
    ("Successors.v", "| None, None => Some ((c,", "| _, None => Some ((c,"),
    ("Moves.v", "| Finally a | Globally a => ltl_in f K && hasb", "| Finally a | Globally a => hasb"),
    ("Strategy.v", "if pos_in (esrc e) (n_at v) &&", "if"),
    ("Strategy.v", "| Some out => half true out", "| Some out => Some out"),
    ("Strategy.v", "| Known false => None\n", "| Known false => Some (inr (Arc i (both m (emarks e)) (a_node a)))\n"),
    ("Strategy.v", "forallb (fun s => existsb (seqb s) (n_left v)) roots &&", ""),
    ("Checker.v", "check_dead tstate tstate_eqb marks_all succs (dead h) (ranks h) (fuel h) &&\n    check_s", "check_s"),
    ("Checker.v", "match fpair (q, inl (negb b)) with Some _ => true | None => false end", "true"),
    # Of PSL.
    ("Spec.v", "| SuffixAnd r b => exists k, lang r (factor w i k) /\\ holds w (i + k) b", "| SuffixAnd r b => exists k, lang r (factor w i k) /\\ holds w (S i + k) b"),
    ("Spec.v", "| Closure r => (exists k, lang r (factor w i k)) \\/ forall k,", "| Closure r => forall k,"),
    ("Spec.v", "in_bounds i k n /\\ times fused one_letter", "in_bounds i k n /\\ times fused empty_word"),
    ("Re.v", "| Star r i _ => (i =? 0) || nullable r", "| Star r i _ => true"),
    ("Re.v", "| First r => if nullable r then none else first", "| First r => first"),
    ("Re.v", "| Cat r s => or_else (needs r c) (if nullable r then needs s c else None)", "| Cat r s => needs r c"),
    ("Re.v", "forallb (fun p => eqb (nullable (fst p)) (nullable (snd p))) (leaves t) &&", ""),
    ("Ltl.v", "(mem q || none_pending mem && v q)", "(mem q || v q)"),
    ("Ltl.v", "negb (now_of v q m) && leads m f", "leads m f"),
    ("Ltl.v", "marked 0 (none_pending mem :: map", "marked 0 (true :: map"),
    ("Moves.v", "if ltl_eq_dec b c then Some r else None", "Some r"),
    ("Moves.v", "if over then stop (nullable d) else", "if nullable d then stop true else"),
    ("Moves.v", "if inhabited fuel [] [d] then on false else None", "on false"),
    ("Moves.v", "same n fuel d r | None => false end && ltl_in g K", "same n fuel d r | None => false end"),
    ("Checker.v", "included n (aut2 pf) (aut1 pf) (states2 h)", "included n (aut1 pf) (aut2 pf) (states2 h)"),
]
OCAML = [
    ('"U", (fun a b -> Until (a, b))', '"U", (fun a b -> WeakUntil (a, b))'),
    ('| name -> need t name; Atom (prop name)', '| name -> need t name; Atom (prop (String.lowercase_ascii name))'),
    ('if eat t "!" then BNot (inner t)', 'if eat t "!" then inner t'),
    ('if inf then AInf m else AFin m)', 'AInf m)'),
    ('edst = pos (q + 1)', 'edst = pos 1'),
    ('emarks = marks @ lacks', 'emarks = lacks'),
    ('{ a_to; a_edge; a_node; a_on } :: answers', '{ a_to; a_edge = XH; a_node; a_on } :: answers'),
    ('truth, prop (if sees t "\\""', 'true, prop (if sees t "\\""'),
    ('| "truth: true" -> true | "truth: false" -> false', '| "truth: true" -> true | "truth: false" -> true'),
    ('headed "end" ignore;', ''),
    ('dead = table x key (fun i -> not live.(i))', 'dead = table x key (fun _ -> true)'),
    ('dead = table x key (fun i -> not live.(i))', 'dead = table x key (fun _ -> false)'),
    ('List.iter (fun q -> pair q (place root) root) pf.aut.initial;', ''),
    ('on.(u) <- false; component.(u) <- !found;', 'on.(u) <- false; component.(u) <- 1;'),
    ('on.(u) <- false; component.(u) <- !found;', 'on.(u) <- false; component.(u) <- n - !found;'),
    ('| Some i when keep i -> Some (pos (i + 1))', '| Some i when keep i -> Some (pos (i + 2))'),
    ('pairs = table pairs (fun (q, s) -> int q, place s)', 'pairs = table pairs (fun (q, _) -> int q, 0)'),
    ('level = (fun p -> levels.(int p - 1))', 'level = Fun.id'),
    ('again (Star (r, 1, None))', 'again (Star (r, 0, None))'),
    ('(let b = repeated prop t in Fuse (a, b))', '(let b = repeated prop t in Cat (a, b))'),
    ('(i, Some (j - i))', '(i, Some j)'),
    ('if List.exists known l then l else q :: l', 'q :: l'),
    # Which the printers of formulas and automata would not notice alone.
    ('let complements = complements count acceptance in', 'let complements = [] in'),
    ('(fun i -> !names.(i) = name)', '(fun i -> i > 0 && !names.(i) = name)'),
    # Of the printers.
    ('| Both (r, s) -> inner r ^ " & "', '| Both (r, s) -> inner r ^ " && "'),
    ('"!" ^ around a\n', 'around a\n'),
    ('| AInf m -> "Inf', '| AInf m -> "Fin'),
]

def planted(text, old, new):
    if text.count(old) != 1:
        sys.exit(f"{old!r} occurs {text.count(old)} times")
    return text.replace(old, new)

def damaged(text):
    places = [m for m in re.finditer(r"(?<=[^a-z])\d+|[!&|{};:]|Inf|Fin|true|false|\b[UWRMFGX]\b", text)]
    m = random.choice(places)
    other = {"Inf": "Fin", "Fin": "Inf", "true": "false", "false": "true", "!": "", "&": "|", "|": "&", ";": ":", ":": ";"}
    new = other.get(m[0]) if m[0] in other else random.choice("012") if m[0].isdigit() else random.choice("UWRM")
    return text[:m.start()] + new + text[m.end():]

def verdicts(vcheck, folder):
    files = sorted(os.listdir(folder))
    out = subprocess.run([vcheck] + files, cwd=folder, capture_output=True, text=True, errors="replace")
    proved = {m[1] for m in re.finditer(r"^(\S+): proved", out.stdout, re.M)}
    return [f in proved for f in files]

random.seed(1)
here = os.path.dirname(os.path.abspath(__file__))
work = tempfile.mkdtemp()
pool = os.path.join(work, "pool")
os.mkdir(pool)
for i, name in enumerate(sys.argv[1:]):
    text = open(name, encoding="utf-8").read()
    for k in range(5):
        open(f"{pool}/{i:04}-{k}", "w", encoding="utf-8").write(text if k == 0 else damaged(text))
faults = COQ + [("main.ml", old, new) for old, new in OCAML]
for file, old, new in faults:
    planted(open(os.path.join(here, file), encoding="utf-8").read(), old, new)
right = verdicts(os.path.join(here, "vcheck"), pool)
print(f"{len(right)} texts, {sum(right)} proved\n")
missed = 0
for file, old, new in faults:
    copy = os.path.join(work, "copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(here, copy)
    path = os.path.join(copy, file)
    text = planted(open(path, encoding="utf-8").read(), old, new)
    open(path, "w", encoding="utf-8").write(text)
    made = subprocess.run(["make", "-s", "-C", copy, "vcheck"], capture_output=True, text=True)
    if made.returncode:
        m = re.search(r'File "(?:\./)?(\S+)", line (\d+)', made.stderr)
        lines = open(os.path.join(copy, m[1]), encoding="utf-8").read().split("\n")[:int(m[2])]
        names = [x[1] for x in map(re.compile(r"\s*(?:Lemma|Theorem|let|Fixpoint|Definition) (?:rec )?(\w+)").match, lines) if x]
        answer = f"{m[1]}: {names[-1]} fails" if file != "main.ml" else "is not compiled: " + made.stderr[:200]
    elif file != "main.ml":
        missed, answer = missed + 1, "NOT NOTICED"
    else:
        now = verdicts(os.path.join(copy, "vcheck"), pool)
        wrong = sum(a and not b for a, b in zip(now, right))
        fewer = sum(b and not a for a, b in zip(now, right))
        answer = f"{fewer} of {sum(right)} right proofs refused" if fewer else "no effect on these proofs"
        if wrong:
            missed, answer = missed + 1, f"{wrong} WRONG PROOFS ACCEPTED"
    print(f"| {file} | `{' '.join(old.split())}` → `{' '.join(new.split())}` | {answer} |", flush=True)
shutil.rmtree(work)
sys.exit(missed > 0)
