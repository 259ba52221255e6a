package faulty

import (
	"bytes"
	"os"
)

// Faults are all of them. They are filled in by init as their functions lead back to them.
var Faults []*Fault

func init() {
	Faults = []*Fault{
		// Those that never end.
		{Name: "hang", Status: "timeout", Slow: true, act: hang},
		{Name: "hang, deaf to SIGTERM", Status: "timeout", Slow: true, act: hangDeaf},
		{Name: "answer to SIGTERM", Status: "timeout", Slow: true, act: answerSignal},
		{Name: "stop", Status: "timeout", Slow: true, act: stop},
		{Name: "drip", Status: "timeout", Slow: true, act: drip},
		{Name: "close output and hang", Status: "timeout", Slow: true, act: func(*call) { os.Stdout.Close(); forever() }},
		{Name: "spin", Status: "cpu-time", Slow: true, act: spin},
		{Name: "children spin", Status: "cpu-time", Slow: true, act: childrenSpin},

		// Those that take too much.
		{Name: "flood of output", Status: "too-big", act: func(c *call) { flood(os.Stdout, c.Big) }},
		{Name: "flood of errors", Status: "ok", act: func(c *call) {
			flood(os.Stderr, c.Big/16) // less, as it has to be over in time
			c.answer()
		}},
		{Name: "allocate", Status: "memory", act: allocate},
		{Name: "open files", Status: "exit", act: openFiles},
		{Name: "litter", Status: "ok", act: litter},

		// Those that leave processes.
		{Name: "child that holds the output", Status: "ok", act: childHolds},
		{Name: "child that escapes", Status: "ok", act: func(c *call) { c.escape(); c.answer() }},
		{Name: "child that escapes, and crash", Status: "crash", act: func(c *call) { c.escape(); die("SEGV") }},

		// Those that end too early.
		{Name: "SIGSEGV", Status: "crash", act: func(*call) { die("SEGV") }},
		{Name: "SIGABRT", Status: "crash", act: abort},
		{Name: "exit 3", Status: "exit", act: exit3},
		{Name: "crash in the middle", Status: "crash", act: crashInTheMiddle},
		{Name: "end in the middle", Status: "syntax", act: endInTheMiddle},
		{Name: "close output and end", Status: "no-output", act: func(*call) { os.Stdout.Close(); os.Exit(0) }},
		{Name: "garbage", Status: "syntax", act: garbage},

		// Those that say too much or too little.
		{Name: "silence", Status: "no-output", Slow: true, act: func(*call) {}},
		{Name: "two automata", Status: "ok", Finding: "second-automaton", act: func(c *call) {
			c.print(bytes.Repeat(c.right, 2))
		}},
		{Name: "text before", Status: "ok", Finding: "text-before", act: around("warning: what follows is right\n", "")},
		{Name: "text after", Status: "ok", Finding: "text-after", act: around("", "that was right\n")},
		{Name: "abort", Status: "aborted", act: func(c *call) { c.print([]byte("HOA: v1\nStates: 7\n--ABORT--\n")) }},
		{Name: "missing state", Status: "missing-state", act: missingState},
		{Name: "terminal", Status: "ok", act: terminal},

		// Those that print odd automata.
		{Name: "CRLF", Status: "ok", act: func(c *call) { c.print(bytes.ReplaceAll(c.right, []byte("\n"), []byte("\r\n"))) }},
		{Name: "byte-order mark", Status: "ok", act: around("\ufeff", "")},
		{Name: "name of bytes", Status: "ok", act: nameOfBytes},
		{Name: "false acc-name", Status: "ok", Finding: "property", act: falseAccName},
		{Name: "unknown header", Status: "ok", Finding: "header", act: func(c *call) {
			c.print(firstLine.ReplaceAll(c.right, []byte("HOA: v1\nStrange: 7 \"seven\"\n")))
		}},
		{Name: "other case", Status: "ok", Finding: "proposition-case", Blame: Maybe, act: otherCase},
		{Name: "foreign proposition", Status: "ok", Finding: "proposition", act: foreignProposition},

		// Those that are wrong.
		{Name: "wrong", Status: "ok", Blame: Always, act: wrong},
		{Name: "another formula", Status: "ok", Finding: "name", Blame: Always, act: another},

		// Those that are right when asked alone.
		{Name: "previous answer", Status: "ok", Stateful: true, act: afterSome("previous answer", func(c *call) { c.print(c.previous) })},
		{Name: "wrong later", Status: "ok", Stateful: true, act: afterSome("wrong later", wrong)},
		{Name: "crash later", Status: "ok", Stateful: true, act: afterSome("crash later", crashInTheMiddle)},
		{Name: "hang later", Status: "ok", Stateful: true, Slow: true, act: afterSome("hang later", hang)},
	}
}
