package outcome

// An ExitStatus is the exit status of a run.
type ExitStatus int

// The exit statuses of a run.
const (
	ExitPassed      ExitStatus = 0   // no disagreement
	ExitFailed      ExitStatus = 1   // a disagreement, a false property, or a failure that counts as one
	ExitBroken      ExitStatus = 2   // the run could not do its work
	ExitIncomplete  ExitStatus = 3   // no disagreement, but a translator failed, or a check is undecided
	ExitInterrupted ExitStatus = 130 // the run was interrupted before its last input
)

// exits have the first word of the line that closes a report, and what the status means.
var exits = map[ExitStatus]struct{ word, meaning string }{
	ExitPassed:      {"PASS", "success"},
	ExitFailed:      {"FAIL", "disagreement found"},
	ExitBroken:      {"ERROR", "the run failed"},
	ExitIncomplete:  {"INCOMPLETE", "no disagreement, but some failures or undecided checks"},
	ExitInterrupted: {"INTERRUPTED", "interrupted"},
}

// Word returns PASS, FAIL, ERROR, INCOMPLETE or INTERRUPTED, or "" for another number.
func (e ExitStatus) Word() string { return exits[e].word }

// Meaning says in a few words how the run ended.
func (e ExitStatus) Meaning() string {
	if x, ok := exits[e]; ok {
		return x.meaning
	}
	return "unknown"
}
