package faulty

import "github.com/xcheck-ltl/xcheck/outcome"

// fault is what there is to know of a Fault.
type fault struct {
	name           string
	status         outcome.Status // that of a call
	finding        string         // class, or ""
	blame          Blame
	slow, stateful bool
	act            func(*call)
}

// table has all faults, after that which is none. It is filled by init as the
// functions in it lead back to it.
var table []fault

func init() {
	table = []fault{
		{name: "none", status: "ok", act: (*call).answer},

		// Those that never end.
		{name: "hang", status: "timeout", slow: true, act: hang},
		{name: "hang, deaf to SIGTERM", status: "timeout", slow: true, act: hangDeaf},
		{name: "answer to SIGTERM", status: "timeout", slow: true, act: answerSignal},
		{name: "stop", status: "timeout", slow: true, act: stop},
		{name: "drip", status: "timeout", slow: true, act: drip},
		{name: "close output and hang", status: "timeout", slow: true, act: closeAndHang},
		{name: "spin", status: "cpu-time", slow: true, act: spin},
		{name: "children spin", status: "cpu-time", slow: true, act: childrenSpin},

		// Those that take too much.
		{name: "flood of output", status: "too-big", act: flood},
		{name: "flood of errors", status: "ok", act: floodErrors},
		{name: "allocate", status: "memory", act: allocate},
		{name: "open files", status: "exit", act: openFiles},
		{name: "litter", status: "ok", act: litter},

		// Those that leave processes.
		{name: "child that holds the output", status: "ok", act: childHolds},
		{name: "child that escapes", status: "ok", act: childEscapes},
		{name: "child that escapes, and crash", status: "crash", act: childEscapesCrash},

		// Those that end too early.
		{name: "SIGSEGV", status: "crash", act: segmentationFault},
		{name: "SIGABRT", status: "crash", act: abort},
		{name: "exit 3", status: "exit", act: exit3},
		{name: "crash in the middle", status: "crash", act: crashInTheMiddle},
		{name: "end in the middle", status: "syntax", act: endInTheMiddle},
		{name: "close output and end", status: "no-output", act: closeAndEnd},
		{name: "garbage", status: "syntax", act: garbage},

		// Those that say too much or too little.
		{name: "silence", status: "no-output", slow: true, act: silence},
		{name: "two automata", status: "ok", finding: "second-automaton", act: twoAutomata},
		{name: "text before", status: "ok", finding: "text-before", act: textBefore},
		{name: "text after", status: "ok", finding: "text-after", act: textAfter},
		{name: "abort", status: "aborted", act: giveUp},
		{name: "missing state", status: "missing-state", act: missingState},
		{name: "terminal", status: "ok", act: terminal},

		// Those that print odd automata.
		{name: "CRLF", status: "ok", act: carriageReturns},
		{name: "byte-order mark", status: "ok", act: byteOrderMark},
		{name: "name of bytes", status: "ok", act: nameOfBytes},
		{name: "false acc-name", status: "ok", finding: "property", act: falseAccName},
		{name: "unknown header", status: "ok", finding: "header", act: unknownHeader},
		{name: "other case", status: "ok", finding: "proposition-case", blame: Maybe, act: otherCase},
		{name: "foreign proposition", status: "ok", finding: "proposition", act: foreignProposition},

		// Those that are wrong.
		{name: "wrong", status: "ok", blame: Always, act: wrong},
		{name: "another formula", status: "ok", finding: "name", blame: Always, act: another},

		// Those that are right when asked alone.
		{name: "previous answer", status: "ok", stateful: true, act: previousAnswer},
		{name: "wrong later", status: "ok", stateful: true, act: afterSome("wrong later", wrong)},
		{name: "crash later", status: "ok", stateful: true, act: afterSome("crash later", crashInTheMiddle)},
		{name: "hang later", status: "ok", stateful: true, slow: true, act: afterSome("hang later", hang)},
	}
}
