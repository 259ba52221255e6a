#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks proofs that an automaton accepts exactly the words of a formula, or of another.

    $ python3 verify.py fa.proof
    fa.proof: proved: Fa

The format, and why the check is enough, is in docs/proofs.md. The exit status is 0
if all proofs are right, 1 if one is refused, 2 if a file cannot be read. PSL is not read.

An example: the formula is Fa, and this automaton has edges 0, 1 and 2:

    State: 0  [!0] 0  [0] 1
    State: 1  [t] 1 {0}

The kernel is Fa, so the tableau has states 1, which promises Fa, and 0. The value of
Fa is a | (Fa)', so 1 goes to 1 on !a, and to 0 and 1 on a; 0 goes to 0 on !a. The mark
of Fa is where !Fa | a holds: on each edge but the one from 1 to 1 on !a. An answer:

    node 1: 0, state 1
      to 0: edge 2, node 1, on !a

Edge 2 leaves state 1, reads !a, and leads to the state of node 1, as it must. The
answer is an arc from node 1 to itself, so a cycle. It sees the mark of Fa, and {0}.

Bit i of the number of a letter is the truth of proposition i. A set of letters is an
integer, with bit n for letter n, so & | ~ work, 0 is no letter, and -1 is all. Values
of formulas are Python expressions on such sets. Sets of marks are integers too.
"""
import re
import sys

NUMBER, STRING = "([0-9]{1,9})", r'"(?:[^"\\]|\\.)*"'
# Values, for operands a and b; x is the digit to look at, in the next state or the memory.
VALUE = {
    "!": "~a", "&": "a & b", "|": "a | b", "->": "~a | b", "<->": "~(a ^ b)", "xor": "a ^ b",
    "X": "x", "F": "a | x", "G": "a & x", "Y": "x", "Z": "x", "O": "a | x", "H": "a & x",
    "U": "b | (a & x)", "W": "b | (a & x)", "R": "b & (a | x)", "M": "b & (a | x)",
    "S": "b | (a & x)", "T": "b & (a | x)"}
MARK = {"F": "~f | a", "U": "~f | b", "M": "~f | (a & b)",  # where an edge has the mark of f
        "G": "~a | f", "R": "~b | f", "W": "~(a | b) | f"}
PAST, UNARY = set("YZOHST"), set("!XFGYZOH")


def need(condition, why, error=ValueError):
    if not condition:
        raise error(why)


def match(pattern, text):
    found = re.fullmatch(pattern, text)
    need(found, f"not in the format: {text!r}")
    return found.groups()


def number(text, limit):
    need(re.fullmatch(NUMBER, text) and int(text) < limit, f"wrong number {text}")
    return int(text)


def scan(pattern, text):
    """Cuts all of the text into matches."""
    pattern, at, text = re.compile(r"\s*(?:" + pattern + ")", re.ASCII), 0, text.rstrip()
    while at < len(text):
        found = pattern.match(text, at)
        need(found, f"cannot read {text[at:].strip().splitlines()[0]!r}")
        yield found.groups()
        at = found.end()


def reach(roots, step):
    found, todo = set(), list(roots)
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo += step(one)
    return found


# Formulas are tuples: ("p", name), ("0",), ("1",), (operator, a), (operator, a, b).

def tokenize(text):
    """Operators and parentheses become strings, propositions and constants formulas."""
    for quoted, constant, sign, word in scan(
            rf"({STRING})|([01])(?!\w)|(<->|->|[!&|()]|[FGX](?![0-9]))|([A-Za-z_][\w.]*)", text):
        need(not word or word.lower() not in ("true", "false"), f"{word} needs quotes")
        if quoted or word and word not in VALUE:
            yield "p", word or re.sub(r"\\(.)", r"\1", quoted[1:-1])
        else:
            yield sign or word or (constant,)


def parse(text):
    tokens = [*tokenize(text), "end"]

    def operand():
        token = tokens.pop(0)
        if token == "(":
            token = formula()
            need(tokens.pop(0) == ")", f"missing ) in {text!r}")
        need(isinstance(token, tuple), f"missing operand or parenthesis in {text!r}")
        return token

    def formula():
        if tokens[0] in UNARY:
            return tokens.pop(0), operand()
        a = operand()
        return (tokens.pop(0), a, operand()) if tokens[0] in VALUE.keys() - UNARY else a
    result = formula()
    need(tokens == ["end"], f"missing parentheses in {text!r}")
    return result


def conjunction(text, where):
    """The letters that satisfy a conjunction, such as a&!b."""
    letters, tokens = -1, [*tokenize(text)]
    match("1|!?p(&!?p)*", "".join(token[0] for token in tokens))
    for before, token in zip([""] + tokens, tokens):
        if token[0] == "p":
            need(token[1] in where, f"{token[1]!r} is no proposition here")
            letters &= ~where[token[1]] if before == "!" else where[token[1]]
    return letters


def python(allowed, text):
    """HOA's labels and conditions mean the same in Python, if ! becomes ~."""
    need(re.fullmatch(rf"(?:{allowed}|[|&()tf\s])*", text), f"cannot read {text!r}")
    return compile(text.strip().replace("!", "~"), "automaton", "eval")


class Automaton:
    """HOA, a header a line, no aliases or comments. Edges are (state, letters, next, marks)."""

    def __init__(self, text, propositions):
        head, _, body = text.partition("--BODY--")
        header, self.edges, self.all_marks, state = {"Start": []}, [], 0, None
        for name, value in (match(r"([\w-]+):(.*)", line) for line in head.split("\n")[:-1]):
            header.setdefault(name, []).append(value.strip())
            need(name in ("HOA", "States", "Start", "AP", "Acceptance") or name[0].islower(),
                 f"unknown header {name}, with a capital: it changes the meaning")
        self.states = number(*header["States"], 10**9)
        self.initial = {number(start, self.states) for start in header["Start"]}
        count, rest = match(rf"{NUMBER}((?:\s+{STRING})*)", *header.get("AP", ["0"]))
        names = [re.sub(r"\\(.)", r"\1", name[1:-1]) for name in re.findall(STRING, rest)]
        need(int(count) == len(names) == len(set(names)), "wrong AP")
        every, condition = match(NUMBER + r"\s+(.*)", *header["Acceptance"])
        every = range(number(every, 1000))  # mark !i is mark len(every) + i
        condition = re.sub("(!?)([0-9]+)", lambda m: str(
            number(m[2], len(every)) + len(m[1]) * len(every)), condition)
        self.marks, self.condition = 2 * len(every), python(r"(Inf|Fin)\([0-9]+\)", condition)
        self.inf, self.fin = ({int(m) for m in re.findall(kind + r"\(([0-9]+)", condition)}
                              for kind in ("Inf", "Fin"))
        every_name = sorted({*propositions, *names})
        need(len(every_name) <= 16, "more than 16 propositions")
        self.all = 2 ** 2 ** len(every_name) - 1  # all letters, and those with each proposition
        self.where = {name: sum(1 << n for n in range(2 ** len(every_name)) if n >> i & 1)
                      for i, name in enumerate(every_name)}
        for source, label, target, marks in scan(
                rf"State:\s*{NUMBER}(?:\s*{STRING})?|"
                rf"\[([^]]*)\]\s*{NUMBER}(?:\s*{{([0-9\s]*)}})?", body):
            if source:
                state = number(source, self.states)
                continue
            code = python(r"p\[[0-9]+\]|!", re.sub("([0-9]+)", r"p[\1]", label))
            letters = eval(code, {"t": -1, "f": 0, "p": [self.where[name] for name in names]})
            marks = {number(mark, len(every)) for mark in (marks or "").split()}
            self.edges.append((state, letters & self.all, number(target, self.states),
                               sum(1 << i + len(every) * (i not in marks) for i in every)))

    def out(self, state):
        """The edges from a state, or from all initial states for True: (next, letters, marks)."""
        return [(str(target), letters, marks) for source, letters, target, marks in self.edges
                if (source in self.initial if state is True else str(source) == state)]

    def accepts(self, marks):
        return eval(self.condition, {"t": -1, "f": 0, "Inf": lambda i: marks >> i & 1,
                                     "Fin": lambda i: ~marks >> i & 1})


class Tableau:
    """States are the strings of the page, and True and False for the starts."""

    def __init__(self, formula, kernel, memory, found, automaton):
        self.kernel, self.memory = kernel, memory
        self.all, self.where = automaton.all, automaton.where
        need({f[1] if f[0] == "X" else f for f in found if f[0] == "X" or f[0] in MARK}
             <= set(kernel), "a formula is missing in the kernel")
        need({f for f in found if f[0] in PAST} == set(memory), "this is not the memory")
        marked = [(f, 1 << i) for i, f in enumerate(kernel) if f[0] in MARK]
        self.fin, self.all_marks = set(), sum(bit for _, bit in marked)
        self.accepts = lambda marks: not self.all_marks & ~marks
        self.rules, names = {}, {"p": [*self.where.values()]}

        def function(text):
            return eval("lambda now, memory, then: " + text, names)
        for start in (False, True):
            due = [[] for _ in range(len(kernel) + 1)]  # by the digits that a value needs
            for i, f in enumerate([formula] if start else kernel):
                text = self.source(f, start, VALUE.get(f[0], f[0]))
                uses = max((int(n) + 1 for n in re.findall(r"then\[(\d+)", text)), default=0)
                due[uses].append((i, function(text)))
            # Digits of the next memory, and marks (but no cycle goes through a start).
            changes = [(function(self.source(f[1] if f[0] in "YZ" else f, start)),
                        ("0", 0), ("1", 0)) for f in memory]
            changes += [(function(self.source(f, start, MARK[f[0]])), ("", 0), ("", bit))
                        for f, bit in marked if not start]
            self.rules[start] = due, changes

    def source(self, f, start, template=None):
        """The template for f in Python, or the value of f. In a state, but not at a
        start, a formula of the kernel has the value of its digit."""
        if not template and not start and f in self.kernel:
            return f"now[{self.kernel.index(f)}]"
        if f[0] not in VALUE:
            return {"0": "0", "1": "-1"}.get(f[0]) or f"p[{list(self.where).index(f[1])}]"
        template = template or VALUE[f[0]]
        parts = dict(zip("ab", (f"({self.source(a, start)})" for a in f[1:])))
        if "f" in template:
            parts["f"] = self.source(f, start)
        elif f[0] in PAST:
            parts["x"] = f"memory[{self.memory.index(f)}]"
        elif "x" in template:
            parts["x"] = f"then[{self.kernel.index(f[1] if f[0] == 'X' else f)}]"
        return re.sub("[abfx]", lambda name: parts[name[0]], template)

    def out(self, state):
        """The edges from a state: (next, letters, marks)."""
        (due, changes), result = self.rules[isinstance(state, bool)], []
        if isinstance(state, bool):
            now, memory = [-state], [-(f[0] in "ZHT") for f in self.memory]
        else:
            now, memory = ([-int(d) for d in part] for part in (state + "/").split("/")[:2])

        def choose(then, letters):  # both values of each digit of the next state
            for i, value in due[len(then)]:
                letters &= ~(value(now, memory, then) ^ now[i])
            if letters and len(then) < len(self.kernel):
                choose(then + [0], letters)
                choose(then + [-1], letters)
            elif letters:
                parts = [("".join(str(-d) for d in then) + "/" * bool(memory), letters, 0)]
                for change, no, yes in changes:
                    on = change(now, memory, then)
                    parts = [(name + digit, some & where, marks | mark)
                             for name, some, marks in parts
                             for where, (digit, mark) in ((~on, no), (on, yes)) if some & where]
                result.extend(parts)
        choose([], self.all)
        return result


def explore(left, states):
    """The edges of all reached states, but not to those without an accepting run."""
    edges, before = {}, {}

    def step(state):
        edges[state] = left.out(state)
        for edge in edges[state]:
            before.setdefault(edge[0], []).append(state)
        return [edge[0] for edge in edges[state]]
    reach(states, step)
    arcs = [(a, b, marks) for a in edges for b, _, marks in edges[a]]
    live = reach([part[0][0] for part in cycles(arcs, left.all_marks, left.accepts, left.fin)],
                 lambda state: before.get(state, []))
    return {state: [e for e in edges[state] if e[0] in live] for state in edges}


def components(arcs):
    """The marks and the arcs of strongly connected components. Arcs: (node, node, marks)."""
    after, before, order, visited, component, inside = {}, {}, [], set(), {}, {}
    for a, b, _ in arcs:
        after.setdefault(a, []).append(b)
        before.setdefault(b, []).append(a)
    todo = [(a, False) for a in after]
    while todo:
        node, done = todo.pop()
        if done:
            order.append(node)
        elif node not in visited:
            visited.add(node)
            todo += [(node, True)] + [(b, False) for b in after.get(node, [])]
    for root in reversed(order):
        if root not in component:
            component.update(dict.fromkeys(reach([root], lambda node: [
                a for a in before.get(node, []) if a not in component]), root))
    for arc in arcs:
        if component[arc[0]] == component[arc[1]]:
            part = inside.setdefault(component[arc[0]], [0, []])
            part[0] |= arc[2]
            part[1].append(arc)
    return list(inside.values())


def cycles(arcs, needed, good, avoid):
    """Cycles that see all marks in `needed`, and are good. If a cycle is not good, a part
    of it can only be so without one of the marks in `avoid`."""
    for marks, part in components(arcs):
        if marks & needed == needed and good(marks):
            yield part
        elif marks & needed == needed:
            for mark in avoid:
                if marks >> mark & 1:
                    yield from cycles([arc for arc in part if not arc[2] >> mark & 1],
                                      needed, good, avoid)


def check_missed(nodes, left, right, edges):
    arcs, shift = [], right.marks
    for n, (state, at, answers) in enumerate(nodes):
        for to, edge, node, _ in answers:
            source, _, target, _ = right.edges[number(edge, len(right.edges))]
            need(source in at, f"node {n}: edge {edge} does not leave its state")
            need(nodes[number(node, len(nodes))][:2] == (to, {target}),
                 f"node {n}: edge {edge} does not lead to node {node}, or {to} is not its state")
        for to, letters, marks in edges[state]:
            for where, edge, node, literals in answers:
                if where == to and letters & literals:
                    _, reads, _, more = right.edges[int(edge)]
                    need(not letters & literals & ~reads, f"node {n}: edge {edge} does not fit")
                    arcs.append((n, int(node), marks << shift | more))
                    letters &= ~literals
            need(not letters, f"node {n}: no answer to {to} on some letter")
    avoid = right.inf | {mark + shift for mark in left.fin}
    for cycle in cycles(arcs, left.all_marks << shift, lambda marks: left.accepts(
            marks >> shift) and not right.accepts(marks), avoid):
        need(False, f"node {cycle[0][0]} is on a cycle that is not accepting")


def check_too_much(automaton, tableau, edges, start):
    arcs, shift = [], automaton.marks

    def step(pair):
        found = [(pair, (target, to), marks << shift | more)
                 for source, reads, target, more in automaton.edges if source == pair[0]
                 for to, letters, marks in edges[pair[1]] if reads & letters]
        arcs.extend(found)
        return [arc[1] for arc in found]
    reach([(state, start) for state in automaton.initial], step)
    for cycle in cycles(arcs, tableau.all_marks << shift, automaton.accepts, automaton.fin):
        need(False, "too much is accepted, by a cycle at state %s and %s" % cycle[0][0])


def check(text):
    """What is proved, as text."""
    *parts, text = text.split("\n--END--\n")
    head, = match(r"xcheck-proof: 1\n((?:.*\n)*.*)", parts.pop(0))
    truth = True
    if parts:
        title, (second,) = "the automata accept the same words", parts
        automaton = Automaton(second, Automaton(head, ()).where)
        given = Automaton(head, automaton.where)
        games = [(given, automaton, NUMBER), (automaton, given, NUMBER)]
    else:
        head, _, hoa = head.partition("\nHOA:")
        title, truth, kernel, memory = match(r"formula: (.*)\ntruth: (true|false)"
                                             r"((?:\nkernel: .*)*)((?:\nmemory: .*)*)", head)
        need("{" not in re.sub(STRING, "", title), "PSL is not read", OSError)
        formula, truth = parse(title), truth == "true"
        kernel, memory = ([parse(f) for f in re.findall(": (.*)", s)] for s in (kernel, memory))
        found = reach([formula] + kernel, lambda f: f[1:] if f[0] in VALUE else ())
        automaton = Automaton("HOA:" + hoa, [f[1] for f in found if f[0] == "p"])
        tableau = Tableau(formula, kernel, memory, found, automaton)
        games = [(tableau, automaton, "([01]{%d}%s)" % (
            len(kernel), "/[01]{%d}" % len(memory) if memory else ""))]
    none, *strategies = re.split("^node 0: start\n", text[:-4], flags=re.M)
    need(not none and len(strategies) == len(games) and text.endswith("\nend\n"), "no nodes")
    for (left, right, name), lines in zip(games, strategies):
        nodes = [(truth, right.initial, [])]
        for line in lines.split("\n")[:-1]:
            if line.startswith("node"):
                n, state, at = match(f"node {NUMBER}: {name}, state {NUMBER}", line)
                need(int(n) == len(nodes), f"node {n} is out of order")
                nodes.append((state, {number(at, right.states)}, []))
            else:
                *to, on = match(f"  to {name}: edge {NUMBER}, node {NUMBER}, on (.*)", line)
                nodes[-1][2].append((*to, conjunction(on, right.where)))
        check_missed(nodes, left, right, explore(left, [node[0] for node in nodes]))
    if not parts:
        check_too_much(automaton, tableau, explore(tableau, [not truth]), not truth)
    return title if truth else f"!({title})"


def main(files):
    status = 0
    for name in files or ["-"]:
        try:
            with open(0 if name == "-" else name, encoding="utf-8", newline="\n") as file:
                print(f"{name}: proved: {check(file.read())}")
        except (OSError, UnicodeDecodeError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            status = 2
        except Exception as why:  # unless need says why: it is not in the format, or too large
            print(f"{name}: refused: {why}")
            status = max(status, 1)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
