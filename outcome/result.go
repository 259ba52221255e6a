package outcome

import "github.com/xcheck-ltl/xcheck/omega"

// A Result is what a translator made of a formula, or of its negation. The sizes count
// the reachable part of the automaton as printed. They are set if Status is ok, and for
// automata that were read but can't be checked.
type Result struct {
	Subject
	Status Status `json:"status"`           // how the call ended
	Detail string `json:"detail,omitempty"` // of a failure or a skip: what happened
	// exit status, or number of the signal; -1 after a timeout
	ExitCode int `json:"exit_code"`
	// a command for the shell that reproduces this
	Command string   `json:"command,omitempty"`
	Options []string `json:"options,omitempty"` // options that were drawn for the formula
	// the line that was run, as in translators.Outcome, and what the call printed on standard error,
	// for a log of a run
	Ran  string `json:"-"`
	Said string `json:"-"`
	// start and end of the standard error of the call
	Stderr string `json:"stderr,omitempty"`
	// of a failure: the same for all calls that failed alike
	Failure Class   `json:"group,omitzero"`
	Seconds float64 `json:"time"`     // time in seconds
	CPU     float64 `json:"cpu_time"` // CPU time in seconds
	MaxRSS  int64   `json:"max_rss"`  // memory in bytes; 0 if it is not known
	omega.Sizes
	// true if it is proved that the automaton accepts what the formula says, or the automaton that
	// tools were given
	Proved bool `json:"proved"`
	// why that is not proved; missing if it is, or if no proof was tried
	Unproved Unproved `json:"unproved,omitempty"`
	omega.Shape
	*omega.Strength // nil if unknown, as for alternating automata
	// with --ambiguous: true if a word has two accepting runs; missing if unknown
	Ambiguous *bool `json:"ambiguous,omitempty"`
	// by how many letters the shortest accepting run is longer than the shortest word; missing if
	// nothing is accepted, or if unknown
	Excess *int `json:"excess,omitempty"`
	// with --products: reachable states of the product with each state space
	ProductStates []int `json:"product_states,omitempty"`
	// with --products: transitions of each product
	ProductTransitions []float64 `json:"product_transitions,omitempty"`
	// with --products: components of each product
	ProductSCC []int `json:"product_scc,omitempty"`
	// with --automata: the automaton in HOA format, on one line
	Automaton string `json:"automaton,omitempty"`
}

// Failed reports whether a result is a failure of the translator: it was called, and gave no
// automaton.
func (r *Result) Failed() bool { return r.Status.Failed() }

// Asked reports whether the translator was to get the formula at all. Without checks, it does
// not get negations.
func (r *Result) Asked() bool { return r.Status != Unasked }

// Nondeterministic reports whether a state, or the start, leaves a choice, as in ltlcross.
// Universal branching is no choice.
func (r *Result) Nondeterministic() bool {
	return r.NondetStates > 0 || !r.Deterministic && !r.Alternating
}

// Unproved says why an automaton is not proved.
type Unproved string

const (
	NoStrategy       Unproved = "no strategy found"
	NoProofTime      Unproved = "no time left"
	LargeProof       Unproved = "too large"
	AlternatingProof Unproved = "alternating automaton"
	LineBreakProof   Unproved = "a proposition with a line break"
	AcceptsMore      Unproved = "a word too much" // by the check of the proof, so it should have been found before
	RefusedProof     Unproved = "proof refused"   // an internal error
)

// A Status says how a call of a translator ended.
type Status string

const (
	OK           Status = "ok"
	Timeout      Status = "timeout"       // it took too long, and was killed
	Crash        Status = "crash"         // it was killed by a signal
	Exit         Status = "exit"          // it ended with a status other than 0
	NoOutput     Status = "no-output"     // it printed nothing but white space
	Syntax       Status = "syntax"        // what it printed is no automaton
	Unsupported  Status = "unsupported"   // it printed an automaton that can't be checked
	TooBig       Status = "too-big"       // it printed more than the limit or filled TMPDIR, and was killed
	TooLong      Status = "too-long"      // it was not run: its command line would be too long
	Skipped      Status = "skipped"       // it was not run: it can't be given the formula
	Aborted      Status = "aborted"       // it gave up on the automaton (--ABORT--)
	Memory       Status = "memory"        // it took more memory than the limit, and was killed
	CPUTime      Status = "cpu-time"      // it took more CPU time than the limit, and was killed
	MissingState Status = "missing-state" // it printed an automaton with states that have no State: line
	Unasked      Status = "unasked"       // it was not called: nobody needs the answer
)

// Statuses returns those that a call can have, in the order of tables.
func Statuses() []Status {
	return []Status{OK, Skipped, Timeout, Crash, Exit, NoOutput, Syntax, Unsupported, TooBig, TooLong,
		Aborted, Memory, CPUTime, MissingState}
}

// Failed reports whether the translator was called and gave no automaton.
func (s Status) Failed() bool { return s != OK && s != Skipped && s != Unasked }

// TimedOut reports whether the translator took too long.
func (s Status) TimedOut() bool { return s == Timeout || s == CPUTime }
