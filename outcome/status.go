package outcome

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
	TooBig       Status = "too-big"       // it printed more than the limit, and was killed
	TooLong      Status = "too-long"      // it was not run: its command line would be too long
	Skipped      Status = "skipped"       // it was not run: it can't be given the formula
	Aborted      Status = "aborted"       // it gave up on the automaton (--ABORT--)
	Memory       Status = "memory"        // it took more memory than the limit, and was killed
	CPUTime      Status = "cpu-time"      // it took more CPU time than the limit, and was killed
	MissingState Status = "missing-state" // it printed an automaton with states that have no State: line
	Unasked      Status = "unasked"       // it was not called: nobody needs the answer
)

// Statuses are those that a call can have, in the order of tables.
var Statuses = []Status{OK, Skipped, Timeout, Crash, Exit, NoOutput, Syntax, Unsupported, TooBig, TooLong,
	Aborted, Memory, CPUTime, MissingState}

// Failed reports whether the translator was called and gave no automaton.
func (s Status) Failed() bool { return s != OK && s != Skipped && s != Unasked }

// TimedOut reports whether the translator took too long.
func (s Status) TimedOut() bool { return s == Timeout || s == CPUTime }
