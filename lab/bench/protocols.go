package bench

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A protocol is a program of a few processes that take turns at random, one
// guarded command a step, and a Büchi automaton that watches for what should not
// happen. All of it is small numbers: the places of the processes, then variables,
// 4 bits each; and the state of the watching automaton.
type protocol struct {
	name, about string
	first, last uint8 // places of the critical section
	processes   int
	commands    func(i int) []command // of process i
	initial     vars
	watch       []watchEdge
	steps       [][]command // what commands returns for each process, once asked for
}

// vars are the places of the processes, and the variables after them.
type vars [15]uint8

// A command takes a process from one place to another where the guard holds.
type command struct {
	at, to uint8
	guard  func(v *vars) bool // nil: always
	effect func(v *vars)      // nil: none
}

// A watchEdge is taken beside a command, if it holds before that.
type watchEdge struct {
	from, to  uint8
	holds     func(v *vars) bool // nil: always
	accepting bool
}

// protocols lists the protocols of Gastin, Moro, Zeitoun 2004, Table 1, and two more. The paper
// prints no programs and no properties. These are textbook programs; a statement is a step, as in
// Promela. Each has a property whose shortest run is as long as in the paper. A run of n edges here
// has 2n + 1 states there, because Spin takes a step of the claim after each step of the program.
func protocols() []protocol {
	return []protocol{peterson(), dekker(), dijkstra(), hyman(), dekkerStarves(), dijkstraStarves()}
}

// critical appends the steps of a critical section, from one place on. The first step counts this
// process in, the second one asserts that it is alone, and the third one counts it out.
func critical(list []command, first uint8) []command {
	for k := range uint8(3) {
		list = append(list, command{at: first + k, to: first + k + 1})
	}
	return list
}

// responds watches for a trigger after which process p is never in its critical section again.
func (c *protocol) responds(p int, trigger func(v *vars) bool) []watchEdge {
	outside := func(v *vars) bool { return v[p] < c.first || v[p] > c.last }
	return []watchEdge{
		{from: 0, to: 0},
		{from: 0, to: 1, holds: func(v *vars) bool { return trigger(v) && outside(v) }},
		{from: 1, to: 1, holds: outside, accepting: true},
	}
}

// peterson: see Peterson 1981. Both start at 7, with an assertion about their numbers.
func peterson() protocol {
	const again, start = 0, 7
	const flag, turn = 2, 4
	p := protocol{
		name: "peterson", about: "Peterson 1981, 2 processes: one is about to ask, and never gets in",
		first: 3, last: 5, processes: 2,
		commands: func(i int) []command {
			other := 1 - i
			return critical([]command{
				{at: start, to: again},
				{at: again, to: 1, effect: func(v *vars) { v[flag+i] = 1 }},
				{at: 1, to: 2, effect: func(v *vars) { v[turn] = uint8(i) }},
				{at: 2, to: 3, guard: func(v *vars) bool { return v[flag+other] == 0 || v[turn] == uint8(other) }},
				{at: 6, to: again, effect: func(v *vars) { v[flag+i] = 0 }},
			}, 3)
		},
		initial: vars{start, start},
	}
	p.watch = p.responds(1, func(v *vars) bool { return v[1] == again })
	return p
}

// starves watches for a process that waits for ever while another one gets in again and again.
func starves(waits, in func(v *vars) bool) []watchEdge {
	inside := func(v *vars) bool { return waits(v) && in(v) }
	outside := func(v *vars) bool { return waits(v) && !in(v) }
	return []watchEdge{
		{from: 0, to: 0},
		{from: 0, to: 1, holds: waits},
		{from: 1, to: 1, holds: outside},
		{from: 1, to: 2, holds: inside},
		{from: 2, to: 2, holds: inside},
		{from: 2, to: 1, holds: outside, accepting: true},
	}
}

// between tells whether process p is at one of the places from first to last.
func between(p int, first, last uint8) func(v *vars) bool {
	return func(v *vars) bool { return first <= v[p] && v[p] <= last }
}

// dekker: see Dijkstra 1965, "Cooperating sequential processes". Whose turn it is waits for the
// flag of the other one, and gets in.
func dekker() protocol {
	p := dekkerStarves()
	p.name, p.about = "dekker", "Dekker's algorithm, 2 processes: one waits for its turn forever, the other keeps getting in"
	const flag = 2
	loops := p.commands
	p.commands = func(i int) []command {
		list := loops(i)
		for k := range list { // whose turn it is waits at 8, and does not ask again
			if list[k].at == 2 && list[k].to == 1 {
				list[k].to = 8
			}
		}
		return append(list, command{at: 8, to: 6, guard: func(v *vars) bool { return v[flag+1-i] == 0 }})
	}
	p.watch = starves(between(1, 4, 4), between(0, p.first, p.last))
	return p
}

// dekkerStarves is Dekker's algorithm, where the one whose turn it is asks for the other's flag
// again.
func dekkerStarves() protocol {
	const idle, critical = 0, 6
	const flag, turn = 2, 4
	return protocol{
		name: "dekker-starves", about: "Dekker's algorithm, 2 processes: one waits forever, the other keeps getting in",
		first: critical, last: critical, processes: 2,
		commands: func(i int) []command {
			other := 1 - i
			mine := func(v *vars) bool { return v[turn] == uint8(i) }
			return []command{
				{at: idle, to: 1, effect: func(v *vars) { v[flag+i] = 1 }},
				{at: 1, to: critical, guard: func(v *vars) bool { return v[flag+other] == 0 }},
				{at: 1, to: 2, guard: func(v *vars) bool { return v[flag+other] != 0 }},
				{at: 2, to: 1, guard: mine},
				{at: 2, to: 3, guard: func(v *vars) bool { return !mine(v) }},
				{at: 3, to: 4, effect: func(v *vars) { v[flag+i] = 0 }},
				{at: 4, to: 5, guard: mine},
				{at: 5, to: 1, effect: func(v *vars) { v[flag+i] = 1 }},
				{at: critical, to: 7, effect: func(v *vars) { v[turn] = uint8(other) }},
				{at: 7, to: idle, effect: func(v *vars) { v[flag+i] = 0 }},
			}
		},
		watch: starves(between(0, idle+1, critical-1), between(1, critical, critical)),
	}
}

// dijkstra is dijkstraStarves where each process may also do something else for ever, before it
// asks. It watches for two processes in the critical section, which never happens, and then for one
// that never gets in: F(both) | G !in, with the first edge for the first part.
func dijkstra() protocol {
	p := dijkstraStarves()
	p.name, p.about = "dijkstra", "Dijkstra 1965, 3 processes: two get in at once, or one never does"
	asks := p.commands
	p.commands = func(i int) []command { return append(asks(i), command{at: 0, to: 0}) }
	in := func(i int) func(v *vars) bool { return between(i, p.first, p.last) }
	both := func(v *vars) bool { return in(0)(v) && in(1)(v) }
	out := func(v *vars) bool { return !in(0)(v) }
	p.watch = []watchEdge{
		{from: 0, to: 1},
		{from: 0, to: 3, holds: out},
		{from: 1, to: 1},
		{from: 1, to: 2, holds: both},
		{from: 2, to: 2, accepting: true},
		{from: 3, to: 3, holds: out, accepting: true},
	}
	return p
}

// dijkstraStarves: see Dijkstra 1965, "Solution of a problem in concurrent programming
// control"; b and c are true at first.
func dijkstraStarves() protocol {
	const users, idle, critical = 3, 0, 7
	const b, c, j, k = 3, 6, 9, 12
	p := protocol{
		name: "dijkstra-starves", about: "Dijkstra 1965, 3 processes: one waits forever, another keeps getting in",
		first: critical, last: critical, processes: users,
		commands: func(i int) []command {
			first := func(v *vars) bool { return v[k] == uint8(i) }
			free := func(v *vars) bool { return v[b+v[k]] != 0 }
			asks := func(v *vars) bool { return v[j+i] < users }
			passes := func(v *vars) bool { return v[j+i] == uint8(i) || v[c+v[j+i]] != 0 }
			return []command{
				{at: idle, to: 1, effect: func(v *vars) { v[b+i] = 0 }},
				{at: 1, to: 2, guard: func(v *vars) bool { return !first(v) }},
				{at: 1, to: 4, guard: first},
				{at: 2, to: 3, effect: func(v *vars) { v[c+i] = 1 }},
				{at: 3, to: 5, guard: free},
				{at: 3, to: 1, guard: func(v *vars) bool { return !free(v) }},
				{at: 5, to: 1, effect: func(v *vars) { v[k] = uint8(i) }},
				{at: 4, to: 6, effect: func(v *vars) { v[c+i], v[j+i] = 0, 0 }},
				{at: 6, to: 6, guard: func(v *vars) bool { return asks(v) && passes(v) }, effect: func(v *vars) { v[j+i]++ }},
				{at: 6, to: 1, guard: func(v *vars) bool { return asks(v) && !passes(v) }},
				{at: 6, to: critical, guard: func(v *vars) bool { return !asks(v) }},
				{at: critical, to: 8, effect: func(v *vars) { v[c+i] = 1 }},
				{at: 8, to: idle, effect: func(v *vars) { v[b+i], v[j+i] = 1, 0 }},
			}
		},
		watch: starves(between(0, idle+1, critical-1), between(1, critical, critical)),
	}
	for i := range users {
		p.initial[b+i], p.initial[c+i] = 1, 1
	}
	return p
}

// hyman: see Hyman 1966, "Comments on a problem in concurrent programming control". Both get in at
// the same time, too, as Knuth found.
func hyman() protocol {
	const first, last = 4, 6
	const flag, turn = 2, 4
	return protocol{
		name: "hyman", about: "Hyman 1966, 2 processes: one asks whose turn it is forever, the other keeps getting in",
		first: first, last: last, processes: 2,
		commands: func(i int) []command {
			other := 1 - i
			return critical([]command{
				{at: 0, to: 1, effect: func(v *vars) { v[flag+i] = 1 }},
				{at: 1, to: 2, guard: func(v *vars) bool { return v[turn] != uint8(i) }},
				{at: 1, to: first, guard: func(v *vars) bool { return v[turn] == uint8(i) }},
				{at: 2, to: 3, guard: func(v *vars) bool { return v[flag+other] == 0 }},
				{at: 3, to: 1, effect: func(v *vars) { v[turn] = uint8(i) }},
				{at: last + 1, to: 0, effect: func(v *vars) { v[flag+i] = 0 }},
			}, first)
		},
		watch: starves(between(1, 1, 1), between(0, first, last)),
	}
}

// after appends what the commands that are enabled lead to. A program that can't go on stays where it is.
func (p *protocol) after(list []vars, v *vars) []vars {
	if p.steps == nil { // commands make closures, so only once
		for i := range p.processes {
			p.steps = append(p.steps, p.commands(i))
		}
	}
	n := len(list)
	for i, commands := range p.steps {
		for k := range commands {
			c := &commands[k]
			if v[i] != c.at || c.guard != nil && !c.guard(v) {
				continue
			}
			w := *v // the guards of other commands see the state before the step
			w[i] = c.to
			if c.effect != nil {
				c.effect(&w)
			}
			list = append(list, w)
		}
	}
	if len(list) == n { // then it waits for ever: words are infinite
		list = append(list, *v)
	}
	return list
}

// running is a protocol as a Source.
type running struct {
	protocol
	alphabet *omega.Alphabet
	marks    *omega.MarkTable
	states   intern.Words // the variables, and in the last 4 bits the watching automaton
	next     []vars
}

func (p protocol) source() *running {
	r := &running{protocol: p, alphabet: omega.NewAlphabet(), marks: omega.NewMarkTable(1)}
	r.number(&p.initial, 0)
	return r
}

func (r *running) Alphabet() *omega.Alphabet    { return r.alphabet }
func (r *running) Acceptance() omega.Acceptance { return omega.Buchi() }
func (r *running) Marks() *omega.MarkTable      { return r.marks }
func (r *running) Initial() []omega.State       { return []omega.State{0} }

// Memory makes a running program known to omega.MemoryOf.
func (r *running) Memory() int64 { return r.states.Memory() }

func (r *running) number(v *vars, watch uint8) omega.State {
	var packed uint64
	for i, x := range v {
		if x > 15 {
			panic(fmt.Sprintf("%s: variable %d is %d, but has four bits", r.name, i, x))
		}
		packed |= uint64(x) << (4 * i)
	}
	packed |= uint64(watch) << 60
	s, _ := r.states.Number(packed)
	return omega.State(s)
}

// AppendEdges appends an edge for each command that is enabled and each edge of the
// watching automaton.
func (r *running) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	packed := r.states.At(int32(s))
	var v vars
	for i := range v {
		v[i] = uint8(packed >> (4 * i) & 15) // four bits each; the watching automaton has the last four
	}
	r.next = r.after(r.next[:0], &v)
	// The watching automaton sees the state before the step.
	for i := range r.next {
		for k := range r.watch {
			e := &r.watch[k]
			if e.from != uint8(packed>>60) || e.holds != nil && !e.holds(&v) {
				continue
			}
			edge := omega.Edge{Label: r.alphabet.True(), Dst: r.number(&r.next[i], e.to)}
			if e.accepting {
				edge.Marks = r.marks.Of(0)
			}
			buf = append(buf, edge)
		}
	}
	return buf, nil
}
