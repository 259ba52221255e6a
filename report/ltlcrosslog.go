package report

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// An LTLCrossLog writes what ltlcross prints on standard error, in the order in which one process
// would have done all of it. Scripts search it for lines such as these:
//
//	f.ltl:3: G(F(a))
//	Running [P0: mine]: mytool 'G(F(a))' >'lcr-o0-3kq0ab'
//	error: execution returned exit code 1.
//	Performing sanity checks and gathering statistics...
//	error: P0*N1 is nonempty; both automata accept the infinite word:
//	       cycle{a}
//
// P0 is the automaton of the first translator for the formula, N1 the automaton of the second one
// for its negation, and Comp(P0) the complement. Only errors between the automata of translators
// are errors here: no reference of xcheck's own, no truth of the formula.
//
// The log of autcross has automata instead: A0 of the first tool, and the input.
type LTLCrossLog struct {
	W     io.Writer
	Bogus io.Writer // gets the formulas with errors; may be nil
	// Tools are the names in braces of the translators, in the order of the results; "" for those
	// without one. The first References of them are trusted.
	Tools      []string
	References int
	Automata   bool // the inputs are automata

	Quiet, Verbose, Color bool
	// NoChecks says that there were no checks, NoComplement that there were none with complements.
	// The automata were also compared in their products with some random state spaces.
	NoChecks, NoComplement bool
	Products               int
	// Timeouts makes timeouts errors, ExitCodes warnings of exit statuses.
	Timeouts, ExitCodes bool
	BogusName           string // of the file of Bogus, for the last lines
	Statistics          bool   // sizes go to a file, too
	// Done, if set, is called after each case, with whether it has an error.
	Done func(problem bool)

	// Failed is set by an error of a translator or a check, Broken by a line that is no formula, or
	// an internal error.
	Failed, Broken              bool
	timeouts, ignored, unproved int
	text                        strings.Builder // of a case
	written                     string          // of it, while it is under way
	underway                    bool
	problem                     bool // the case has an error
}

// Running writes what is new of a case that is under way: the last line is the command that runs. It may come often.
// After an error, Case writes all of it.
func (l *LTLCrossLog) Running(c *outcome.Case) {
	if c == nil {
		return
	}
	timeouts, ignored := l.timeouts, l.ignored // they count in the end
	l.underway = true
	l.tell(c)
	l.underway, l.timeouts, l.ignored = false, timeouts, ignored
	if l.write() == nil {
		l.written = l.text.String()
	}
}

// write writes what was not written while the case was under way.
func (l *LTLCrossLog) write() error {
	text := strings.TrimPrefix(l.text.String(), l.written)
	l.written = ""
	return screen.Write(guard.Writer(l.W), screen.Escape(text))
}

// tell makes the text of a case.
func (l *LTLCrossLog) tell(c *outcome.Case) {
	line := cmp.Or(c.Line, &outcome.LogLine{})
	l.text.Reset()
	l.problem = false
	switch {
	case line.Wrong != "":
		l.Broken = true
		l.text.WriteString(line.Wrong + "\n")
	case line.Duplicate:
		l.say(true, "%s\n", l.title(c, line))
		l.say(true, "warning: This formula or its negation has already been checked.\n"+
			"         Use --allow-dups if it should not be ignored.\n\n")
	default:
		l.say(true, "%s\n", l.title(c, line))
		if !l.input(c) {
			break
		}
		if l.problem && l.Quiet && l.Automata {
			l.say(false, "input automaton was %s\n", l.title(c, line))
		} else if l.problem && l.Quiet {
			l.say(false, "input formula was %s\n", line.Formula)
		}
		l.say(!l.problem, "\n")
	}
	for _, text := range c.Errors {
		l.Broken = true
		l.say(false, "%s: %s\n", l.program(), text)
	}
}

// Case writes what there is to say of a case, in one piece unless it has been under way for some time.
func (l *LTLCrossLog) Case(c *outcome.Case, _ News) error {
	c = cmp.Or(c, &outcome.Case{})
	l.tell(c)
	// Bogus has the input as it was read, so that ltlcross reads it again.
	if l.problem {
		l.Failed = true
		if l.Bogus != nil {
			text := cmp.Or(c.Line, &outcome.LogLine{}).Text
			if l.Automata {
				text = strings.TrimSpace(cmp.Or(text, given(c).HOA)) // one in another format becomes HOA
			}
			if _, err := io.WriteString(l.Bogus, text+"\n"); err != nil {
				return err
			}
		}
	}
	err := l.write()
	if l.Done != nil {
		l.Done(l.problem)
	}
	return err
}

// inform adds what only a verbose log has.
func (l *LTLCrossLog) inform(format string, values ...any) {
	if l.Verbose {
		l.say(true, "info: "+format+"\n", values...)
	}
}

// say adds a text, which is for a quiet log only if normal is false.
func (l *LTLCrossLog) say(normal bool, format string, values ...any) {
	if !normal || !l.Quiet {
		fmt.Fprintf(&l.text, format, values...)
	}
}

// fail adds an error, which may have a word below it.
func (l *LTLCrossLog) fail(text, word string) {
	l.problem = true
	text = "error: " + text + "\n"
	if word != "" && l.Color {
		word = "       " + screen.Color("0;1") + word + "\n"
	} else if word != "" {
		word = "       " + word + "\n"
	}
	l.text.WriteString(l.colored("1;31", text+word))
}

func (l *LTLCrossLog) colored(how, text string) string {
	if !l.Color {
		return text
	}
	return screen.Paint(how, text)
}

// program is what the log is like.
func (l *LTLCrossLog) program() string {
	if l.Automata {
		return "autcross"
	}
	return "ltlcross"
}

// title returns the first line of a case.
func (l *LTLCrossLog) title(c *outcome.Case, line *outcome.LogLine) string {
	text, name := line.Formula, ""
	if line.Place != "" {
		text = line.Place + ": " + text
	}
	if g := given(c); l.Automata {
		if text = g.Place(); g.Name != "" {
			name = "\t" + g.Name
		}
	}
	return l.colored("1", text) + name
}

// given returns the automaton of a case.
func given(c *outcome.Case) *outcome.Given { return cmp.Or(c.Automaton, &outcome.Given{}) }

// input adds the calls of a case, and the errors of its checks. It reports whether the calls have ended.
func (l *LTLCrossLog) input(c *outcome.Case) bool {
	if l.Automata {
		g, r := given(c), outcome.Result{}
		r.States, r.Edges, r.Sets, r.Alternating, r.Deterministic = g.States, g.Edges, g.Sets, g.Alternating, g.Deterministic
		l.inform("input\t%s", sizesOf(&r))
	}
	// ltlcross calls all tools for the formula, and then all for its negation.
	for _, p := range outcome.BothPolarities() {
		for i := range l.Tools {
			if x := l.operand(c, i, p); x.result.Asked() && !l.call(c, i, x) {
				return false
			}
		}
	}
	if l.underway {
		return false
	}
	l.inform("collected automata:")
	for i := range l.Tools { // here by tool: P0, N0, P1, …
		for _, p := range outcome.BothPolarities() {
			if x := l.operand(c, i, p); x.ok() {
				l.inform("  %s\t%s", x.name, sizesOf(x.result))
			}
		}
	}
	if l.NoChecks {
		l.say(true, "Gathering statistics...\n")
		return true
	}
	l.say(true, "Performing sanity checks and gathering statistics...\n")
	if l.Automata {
		l.compare(c)
	} else {
		l.checks(c)
	}
	for _, u := range c.Undecided {
		l.unproved++
		l.say(true, "warning: undecided: %s: %s\n", cmp.Or(u.Text, u.Check), u.Why)
	}
	return true
}

// An operand is an automaton of a tool, or its complement.
type operand struct {
	name       string // P0 for the formula, N0 for the negation
	result     *outcome.Result
	complement bool
}

// operand returns what a tool gave. A case has two results for each tool, in order.
func (l *LTLCrossLog) operand(c *outcome.Case, tool int, p outcome.Polarity) *operand {
	x := &operand{name: fmt.Sprintf("%c%d", "PN"[p.Index()], tool), result: &outcome.Result{Status: outcome.Unasked}}
	i := 2*tool + p.Index()
	if l.Automata {
		x.name, i = fmt.Sprintf("A%d", tool), tool+p.Index()*len(c.Results) // only one result for each tool
	}
	if i < len(c.Results) {
		x.result = &c.Results[i]
	}
	return x
}

// opposite returns the complement of an operand.
func (x *operand) opposite() *operand {
	name := "Comp(" + x.name + ")"
	if x.complement {
		name = x.name[len("Comp(") : len(x.name)-1]
	}
	return &operand{name, x.result, !x.complement}
}

func (x *operand) ok() bool { return x.result.Status == outcome.OK }

// has reports whether a word is accepted.
func (x *operand) has(w *outcome.Witness) bool {
	i := slices.IndexFunc(w.Accepts, func(a outcome.Answer) bool { return a.Subject == x.result.Subject })
	return i >= 0 && w.Accepts[i].Accepts != x.complement
}

// sizesOf describes an automaton: "(2 st.,3 ed.,1 sets) deterministic complete".
func sizesOf(r *outcome.Result) string {
	text := fmt.Sprintf("(%d st.,%d ed.,%d sets)", r.States, r.Edges, r.Sets)
	for _, property := range []struct {
		has  bool
		name string
	}{{r.Alternating, "univ-edges"}, {r.Deterministic, "deterministic"}, {r.Complete, "complete"}} {
		if property.has {
			text += " " + property.name
		}
	}
	return text
}

// call adds a call of a tool: its command, what it printed, and how it failed. It reports whether it has ended.
func (l *LTLCrossLog) call(c *outcome.Case, tool int, x *operand) bool {
	r, name := x.result, x.name
	if braces := l.Tools[tool]; braces != "" && !l.Automata {
		name += ": " + braces
	}
	// Names of files differ between two runs of ltlcross, but not here: logs can be compared.
	out := fmt.Sprintf("lcr-o%d-%s", tool, suffix(c, r))
	in := fmt.Sprintf("lcr-i%d-%s", c.Index, suffix(c, r))
	ran := inputFile().ReplaceAllLiteralString(strings.ReplaceAll(r.Ran, "lcr-output", out), in)
	running := fmt.Sprintf("Running [%s]: %s\n", name, ran)
	said := r.Said
	if said != "" && !strings.HasSuffix(said, "\n") {
		said += "\n"
	}
	text, isError := "", true
	switch r.Status {
	case outcome.Skipped: // ltlcross would have called the tool
		l.say(true, "warning: %s is not run: %s\n", name, r.Detail)
		return true
	case "":
		if r.Ran != "" {
			l.say(true, "%s", running)
		}
		return false
	case outcome.OK:
		isError = false
	case outcome.Timeout, outcome.CPUTime:
		text, isError = "timeout during execution of command", l.Timeouts
		if !isError {
			l.timeouts++
		}
	case outcome.Exit:
		text, isError = fmt.Sprintf("execution returned exit code %d.", r.ExitCode), !l.ExitCodes
		if !isError {
			l.ignored++
		}
	case outcome.Crash:
		text = fmt.Sprintf("execution terminated by signal %d.", r.ExitCode)
	case outcome.Aborted:
		text = "aborted HOA file."
	case outcome.NoOutput:
		text = "failed to parse the produced automaton.\n" + out + ":1.1: no automaton read (empty input?)"
	case outcome.Syntax, outcome.MissingState:
		text = "failed to parse the produced automaton.\n" + out + ":" + place().ReplaceAllString(r.Detail, "$1.$2:")
	default:
		text = r.Detail
	}
	// A quiet log shows the command of a call only if it failed.
	if !l.Quiet || isError {
		l.text.WriteString(running)
	}
	l.text.WriteString(said)
	if isError {
		l.fail(text, "")
	} else if text != "" {
		l.say(true, "warning: %s\n", text)
	}
	if l.Statistics {
		l.inform("getting statistics")
	}
	return true
}

var place = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d+):(\d+):`) })

var inputFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`lcr-(formula-[fslw]|automaton-[hslb](\.ba)?)`) })

// suffix returns six letters that differ between calls, as in the name of a temporary file.
func suffix(c *outcome.Case, r *outcome.Result) string {
	h := fnv.New64a()
	fmt.Fprintln(h, c.Index, c.Formula, r.Subject)
	const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	text, n := make([]byte, 6), h.Sum64()
	for i := range text {
		text[i], n = letters[n%uint64(len(letters))], n/uint64(len(letters))
	}
	return string(text)
}

// checks adds the errors that the checks have found. If all complements are known, the order is the
// same as in ltlcross:
//
//	P0*N0 Comp(N0)*Comp(P0) P0*N1 P1*N0 P1*N1 Comp(N1)*Comp(P1)
//
// A tool without N1 has no check of its own P1 and N1. Then Comp(N2)*Comp(P1) takes its place, if
// the other one has no P2.
func (l *LTLCrossLog) checks(c *outcome.Case) {
	trustedP, trustedN := l.smallest(c, outcome.Formula), l.smallest(c, outcome.Negation)
	trusting := trustedP >= 0 && trustedN >= 0
	if trusting {
		l.inform("P%d and N%d assumed correct and used as references", trustedP, trustedN)
	}
	for i := range l.Tools {
		p, alone := l.operand(c, i, outcome.Formula), !l.operand(c, i, outcome.Negation).ok()
		for j := range l.Tools {
			n, lonely := l.operand(c, j, outcome.Negation), !l.operand(c, j, outcome.Formula).ok()
			known := i < l.References // references are the first tools
			// The smallest automata of the references are compared with those of all others, and these
			// with none but their own.
			if !p.ok() || !n.ok() || trusting && (known && (j < l.References || i != trustedP) || !known && i != j && j != trustedN) {
				continue
			}
			l.check(c, p, n)
			if (i == j || alone && lonely) && !l.NoComplement {
				l.check(c, n.opposite(), p.opposite())
			}
		}
	}
	if l.Products == 0 {
		l.inform("cross_checks and consistency_checks unnecessary")
	}
	l.spaces(c)
}

// compare adds the errors that the checks of automata have found, in the order of autcross. If the
// first checks, in a circle, find nothing, all automata have one language, and the others are left out:
//
//	A0*Comp(A1) A1*Comp(input) input*Comp(A0)
//	A0*Comp(input) A1*Comp(A0) input*Comp(A1)
func (l *LTLCrossLog) compare(c *outcome.Case) {
	var list []*operand
	for i := range l.Tools {
		list = append(list, l.operand(c, i, outcome.Formula))
	}
	if c.Reference != "" {
		input := &operand{"input", &outcome.Result{Subject: outcome.Subject{Translator: c.Reference}, Status: outcome.OK}, false}
		if len(c.Results) > 0 && c.Results[0].Polarity == outcome.Negation {
			input = input.opposite() // the tools complement it
		}
		list = append(list, input)
	}
	check := func(i, j int) bool { return list[i].ok() && list[j].ok() && l.check(c, list[i], list[j].opposite()) }
	equal, n := true, len(list)
	for i := range list {
		equal = check(i, (i+1)%n) && equal
	}
	for i := range list {
		for j := range list {
			if !equal && i != j && j != (i+1)%n {
				check(i, j)
			}
		}
	}
}

// smallest returns the reference whose automaton has the fewest states and edges, or -1.
func (l *LTLCrossLog) smallest(c *outcome.Case, p outcome.Polarity) int {
	best := -1
	for i := range l.References {
		x := l.operand(c, i, p)
		if !x.ok() {
			continue
		}
		if best >= 0 {
			y := l.operand(c, best, p).result
			if cmp.Or(cmp.Compare(y.States, x.result.States), cmp.Compare(y.Edges, x.result.Edges)) <= 0 {
				continue // of equal ones, the first
			}
		}
		best = i
	}
	return best
}

// check adds the error that two operands share a word, if they do, with the shortest known. It
// reports whether they share none.
func (l *LTLCrossLog) check(c *outcome.Case, x, y *operand) bool {
	l.inform("check_empty %s*%s", x.name, y.name)
	var word *outcome.Witness
	for i := range c.Witnesses {
		if w := &c.Witnesses[i]; x.has(w) && y.has(w) && (word == nil || w.Size < word.Size) {
			word = w
		}
	}
	if word != nil {
		l.fail(x.name+"*"+y.name+" is nonempty; both automata accept the infinite word:", spaced(word.Word))
	}
	return word == nil
}

// spaced writes a word as Spot does: a & !b; cycle{a}.
func spaced(word string) string {
	return quotedOrAnd().ReplaceAllStringFunc(word, func(text string) string {
		if text == "&" {
			return " & "
		}
		return text
	})
}

var quotedOrAnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(\\.|[^"\\])*"|&`) })

// spaces adds the errors of products with random state spaces, by the words that they found.
func (l *LTLCrossLog) spaces(c *outcome.Case) {
	for space := range l.Products {
		the, within := "the state-space", ""
		if l.Products > 1 {
			the = fmt.Sprintf("state-space #%d/%d", space, l.Products)
			within = " for " + the
		}
		found := slices.DeleteFunc(slices.Clone(c.Witnesses), func(w outcome.Witness) bool { return w.Space != space+1 })
		// Several words may show the same disagreement. ltlcross tells it once.
		told := map[string]bool{}
		for _, p := range outcome.BothPolarities() {
			for i := range found {
				yes, no := l.sides(c, &found[i], p)
				text := fmt.Sprintf("{%s} disagree with {%s} when evaluating %s", strings.Join(yes, ","), strings.Join(no, ","), the)
				if len(yes) == 0 || len(no) == 0 || told[text] {
					continue
				}
				told[text] = true
				l.fail(text, fmt.Sprintf("the following word(s) are not accepted by {%s}:", strings.Join(no, ",")))
				for _, who := range yes {
					l.say(false, "  %s accepts: %s\n", who, spaced(found[i].Word))
				}
			}
		}
		// A word that both automata of one tool reject is an inconsistency.
		for i := range found {
			_, no := l.sides(c, &found[i], outcome.Formula)
			_, neither := l.sides(c, &found[i], outcome.Negation)
			for _, p := range no {
				if n := "N" + p[1:]; slices.Contains(neither, n) && !told[p] { // P3 and N3 are of one tool
					told[p] = true
					l.fail(fmt.Sprintf("inconsistency between %s and %s%s", p, n, within), "")
				}
			}
		}
	}
}

// sides returns the automata of a polarity that accept a word, and those that reject it.
func (l *LTLCrossLog) sides(c *outcome.Case, w *outcome.Witness, p outcome.Polarity) (yes, no []string) {
	for i := range l.Tools {
		x := l.operand(c, i, p)
		if x.has(w) {
			yes = append(yes, x.name)
		} else if x.ok() {
			no = append(no, x.name)
		}
	}
	return yes, no
}

// End writes the last lines: whether there were errors.
func (l *LTLCrossLog) End(t *Summary) error {
	l.text.Reset()
	t = cmp.Or(t, NewSummary(nil))
	if t.Counts.Error != "" || t.Counts.Interrupted {
		l.Broken = true
	}
	// Spot's ltlcross calls it no problem if a translator is never asked, or only times out.
	if gaps := t.Gaps(); gaps != "" && !l.Broken && !l.Failed {
		l.Failed = true
		l.say(false, "%s", l.colored("1;31", "error: "+gaps+"\n\n"))
	}
	if !l.Broken {
		l.verdict()
	}
	return screen.Write(guard.Writer(l.W), screen.Escape(l.text.String()))
}

func (l *LTLCrossLog) verdict() {
	var more []string
	count := func(n int, one, many string) {
		if n == 1 {
			more = append(more, "1 "+one)
		} else if n > 1 {
			more = append(more, fmt.Sprintf("%d %s", n, many))
		}
	}
	count(l.timeouts, "timeout occurred", "timeouts occurred")
	count(l.ignored, "non-zero exit status was ignored", "non-zero exit statuses were ignored")
	count(l.unproved, "check was not decided", "checks were not decided")
	however := "Additionally, "
	switch {
	case l.Failed && l.BogusName != "":
		inputs := "formulas"
		if l.Automata {
			inputs = "automata"
		}
		l.say(true, "%s", l.colored("1;31", "error: some error was detected during the above runs.\n       Check file "+l.BogusName+" for problematic "+inputs+".\n"))
	case l.Failed:
		l.say(true, "%s", l.colored("1;31", "error: some error was detected during the above runs,\n       please search for 'error:' messages in the above trace.\n"))
	case len(more) > 0:
		l.say(true, "No major problem detected.\n")
		however = "However, "
	default:
		l.say(true, "No problem detected.\n")
	}
	switch len(more) {
	case 0:
	case 1:
		l.say(true, "%s%s.\n", however, more[0])
	default:
		l.say(true, "%s\n  - %s\n", however, strings.Join(more, "\n  - "))
	}
}
