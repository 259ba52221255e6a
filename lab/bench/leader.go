package bench

import (
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Ring is a model of leader election in a ring of processes, as a Source. It accepts the
// words of all executions. Emptiness checks are made for such inputs: a system in a product
// with a property.
//
// The election follows Chang and Roberts 1979, "An improved algorithm for decentralized
// extrema-finding in circular configurations of processes". Each process has a priority. It
// sends it to the next process, at any time or when the first message arrives. It drops
// messages with a lower priority than its own. It passes on higher ones, and has then lost. A
// process whose own message returns is the leader. Messages between two processes keep their
// order and are not lost. Then the leader sends a token around, and whoever has passed it on
// is in the next round.
//
// Two processes have the priorities 1 and 0. When 0 wakes, it sends 1. Process 1 has lost when that
// arrives, and passes it on. Process 0 receives its own priority, is the leader, and sends the
// token. Process 1 passes it on and sleeps. Process 0 receives it and sleeps: the next round.
//
// There are two variants, as in Geldenhuys and Valmari 2004. Either the same process wins
// every round, or the priorities rotate, so that each process has its turn. Process 0 wins the
// first round.
//
// The propositions are leader0 and leader1, if that process is the leader, and elected, if
// some process is.
type Ring struct {
	processes int
	turns     bool
	alphabet  *omega.Alphabet
	marks     *omega.MarkTable
	states    intern.Lists[byte]
	now, next execution
}

// NewRing returns a ring of processes, at least 2 and at most 16. With turns, each process has its
// turn; otherwise the same one always wins.
func NewRing(processes int, turns bool) *Ring {
	processes = min(max(processes, 2), 16)
	r := &Ring{
		processes: processes,
		turns:     turns,
		alphabet:  omega.NewAlphabet("leader0", "leader1", "elected"),
		marks:     omega.NewMarkTable(0),
	}
	for _, e := range []*execution{&r.now, &r.next} {
		*e = execution{make([]process, processes), make([][]byte, processes)}
	}
	r.state(&r.now)
	return r
}

// process is the state of one.
type process struct{ phase, round byte }

// The phases of a process.
const (
	asleep byte = iota // has not sent its priority yet
	active
	lost
	leader
)

// execution is a state of the ring. channel[i] has the messages to process i, oldest first:
// priorities, or the token, which is the number of processes.
type execution struct {
	process []process
	channel [][]byte
}

// priority returns the priority of a process in its round.
func (r *Ring) priority(e *execution, i int) byte {
	p := r.processes - 1 - i
	if r.turns {
		p = (p + int(e.process[i].round)) % r.processes
	}
	return byte(p)
}

// state returns the number of an execution.
func (r *Ring) state(e *execution) omega.State {
	var key []byte
	for i, p := range e.process {
		key = append(key, p.phase, p.round, byte(len(e.channel[i])))
		key = append(key, e.channel[i]...)
	}
	s, _ := r.states.Number(key)
	return omega.State(s)
}

// load is the inverse of state.
func (r *Ring) load(e *execution, s omega.State) {
	key := r.states.At(int32(s))
	for i := range e.process {
		n := 3 + int(key[2])
		e.process[i] = process{key[0], key[1]}
		e.channel[i] = append(e.channel[i][:0], key[3:n]...)
		key = key[n:]
	}
}

// send appends a message to the channel after a process.
func (e *execution) send(from int, message byte) {
	to := (from + 1) % len(e.process)
	e.channel[to] = append(e.channel[to], message)
}

// wake sends the priority of a process that was asleep.
func (r *Ring) wake(e *execution, i int) {
	e.process[i].phase = active
	e.send(i, r.priority(e, i))
}

// receive takes the first message to process i.
func (r *Ring) receive(e *execution, i int) {
	message := e.channel[i][0]
	e.channel[i] = e.channel[i][:copy(e.channel[i], e.channel[i][1:])]
	p, own := &e.process[i], r.priority(e, i)
	switch {
	case int(message) == r.processes: // the token, which ends with the leader
		if p.phase != leader {
			e.send(i, message)
		}
		p.phase = asleep
		if r.turns {
			p.round = (p.round + 1) % byte(r.processes) // priorities rotate
		}
	case message > own: // also where it has not sent its own yet
		p.phase = lost
		e.send(i, message)
	case message == own:
		p.phase = leader
		e.send(i, byte(r.processes))
	case p.phase == asleep: // a lower priority is dropped, but the election has begun
		r.wake(e, i)
	}
}

func (r *Ring) Alphabet() *omega.Alphabet    { return r.alphabet }
func (r *Ring) Acceptance() omega.Acceptance { return omega.Acceptance{Condition: omega.AllOf()} }
func (r *Ring) Marks() *omega.MarkTable      { return r.marks }
func (r *Ring) Initial() []omega.State       { return []omega.State{0} } // all processes are asleep

// IsWeak returns true, because there are no marks.
func (r *Ring) IsWeak() bool { return true }

// AppendEdges appends an edge for each step of a process: waking up, or receiving a message.
// The label is what holds before the step.
func (r *Ring) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if uint(s) >= uint(r.states.Len()) {
		return buf, nil
	}
	r.load(&r.now, s)
	letter := make(omega.Letter, 3)
	for i, p := range r.now.process {
		if p.phase == leader {
			letter[min(i, 2)], letter[2] = true, true
		}
	}
	label := r.alphabet.LetterLabel(letter)
	for i := range r.now.process {
		for _, step := range []struct {
			can bool
			do  func(*execution, int)
		}{
			{r.now.process[i].phase == asleep, r.wake},
			{len(r.now.channel[i]) > 0, r.receive},
		} {
			if step.can {
				r.load(&r.next, s)
				step.do(&r.next, i)
				buf = append(buf, omega.Edge{Label: label, Dst: r.state(&r.next)})
			}
		}
	}
	return buf, nil
}
