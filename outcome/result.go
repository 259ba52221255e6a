package outcome

// A Result is what a translator made of a formula, or of its negation. The sizes count
// the reachable part of the automaton as printed. They are set if Status is ok, and for
// automata that were read but can't be checked.
type Result struct {
	Subject
	Status   Status `json:"status"`
	Detail   string `json:"detail,omitempty"` // of a failure or a skip, for people
	ExitCode int    `json:"exit_code"`        // or the number of the signal; -1 after a timeout
	Command  string `json:"command,omitempty"`
	// Options are those that were drawn for the formula and are part of Command.
	Options       []string `json:"options,omitempty"`
	Stderr        string   `json:"stderr,omitempty"`
	Failure       Class    `json:"group,omitzero"`      // of a failure: the same for all that failed alike
	Coverage      string   `json:"signature,omitempty"` // a hash of what the command "signature" printed
	Seconds       float64  `json:"time"`
	CPU           float64  `json:"cpu_time"`
	MaxRSS        int64    `json:"max_rss"` // bytes
	Props         int      `json:"ap"`
	States        int      `json:"states"`
	Unreachable   int      `json:"unreachable"` // states that all other fields leave out
	Edges         int      `json:"edges"`
	Universal     int      `json:"universal_edges,omitempty"` // to several states at once
	Transitions   float64  `json:"transitions"`
	Sets          int      `json:"acc"`
	Components    int      `json:"scc"`
	Largest       int      `json:"largest_scc"` // states
	Nondet        int      `json:"nondet_states"`
	NondetEdges   int      `json:"nondet_edges"`
	Deterministic bool     `json:"deterministic"`
	Complete      bool     `json:"complete"`
	StateMarks    bool     `json:"state_acc"`
	VeryWeak      bool     `json:"very_weak"`
	Alternating   bool     `json:"alternating"`
	Acceptance    string   `json:"acceptance,omitempty"` // the name, or the condition if it has none
	// Strength is nil if unknown.
	*Strength
	// Ambiguous is nil if unknown.
	Ambiguous *bool `json:"ambiguous,omitempty"`
	// Excess says by how many letters the shortest accepting run is longer than the shortest word
	// that is accepted. It is nil if unknown, or if nothing is accepted.
	Excess *int `json:"excess,omitempty"`
	// The reachable part of the product with each state space, from the first state of both.
	// They end before the first product that was given up.
	ProductStates      []int     `json:"product_states,omitempty"`
	ProductTransitions []float64 `json:"product_transitions,omitempty"`
	ProductSCC         []int     `json:"product_scc,omitempty"`
	// Automaton is the text in HOA, on one line.
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
func (r *Result) Nondeterministic() bool { return r.Nondet > 0 || !r.Deterministic && !r.Alternating }

// Strength counts components; see omega.Strength. Alternating automata have none.
type Strength struct {
	Class        string `json:"strength"` // "terminal", "weak" or "strong"
	Nonaccepting int    `json:"nonacc_scc"`
	Terminal     int    `json:"terminal_scc"`
	Weak         int    `json:"weak_scc"`
	Strong       int    `json:"strong_scc"`
	Transient    int    `json:"transient_scc"`
	Mixed        int    `json:"mixed_scc"`
}
