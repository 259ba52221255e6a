package report

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Text writes the report for people.
type Text struct {
	W     io.Writer
	Color bool
	// Width is the number of columns of the terminal. With 0, lines are as long as their texts.
	Width int
	// Verbose explains each formula when it is done. Otherwise each problem is explained once, at the
	// end, for which the Summary must have the causes.
	Verbose bool
	// Quiet prints only what decides the exit status, without undecided checks. It omits the
	// closing line if the status is 0.
	Quiet bool
	// NoTotals omits the table of translators.
	NoTotals bool

	b        strings.Builder // what is not written yet
	notes    []string        // what is no problem, for the end
	unnoted  int             // that are too many
	stated   []*failure      // in the table of problems
	commands []string        // lines of commands that are not written yet

	automata bool            // the inputs are automata, not formulas
	starred  bool            // what a star means has been said of the word
	printed  map[string]bool // long commands that this case has printed
}

// Case prints the results of one formula: disagreements, undecided checks, and new failures
// and findings. With Verbose, it prints all failures and findings.
func (t *Text) Case(c *outcome.Case, news News) error {
	c = cmp.Or(c, &outcome.Case{})
	news.Results = slices.Concat(news.Results, make([]bool, len(c.Results))) // a caller may know of no news
	news.Findings = slices.Concat(news.Findings, make([]bool, len(c.Findings)))
	t.automata, t.printed = c.Automaton != nil, map[string]bool{}
	if t.Verbose {
		t.printf("%s %d: %s\n", noun(c), c.Index, c.Title())
	}
	t.errors(c)
	// Problems are explained at the end, with a line for all else.
	later := !t.Verbose && c.Automaton == nil
	say := func(text string) { t.b.WriteString(text) }
	if later {
		say = t.keep
	}
	for i := range c.Results {
		r := &c.Results[i]
		if !news.Results[i] && !t.Verbose || later && r.Failed() {
			continue
		}
		if r.Failed() && c.Automaton != nil && !t.Verbose {
			t.printf("\n%s\n  automaton %d:  %s\n", t.paint(red, "failure"), c.Index, automatonTitle(c))
		}
		say(t.failure(r))
	}
	for i := range c.Findings {
		// False properties and unstable answers decide the status.
		f := &c.Findings[i]
		wrong := f.Class == outcome.FalseProperty
		decides := wrong || f.Class == outcome.Unstable
		// At the end, they have a row in the table of groups, unless that is left out.
		if (news.Findings[i] && (!t.Quiet || decides) || t.Verbose) && !(later && (wrong || !t.Quiet)) {
			say(t.finding(c, f))
		}
	}
	if !t.Quiet {
		for _, u := range c.Undecided {
			say(t.undecided(c, u))
		}
	}
	if !later {
		for _, list := range byWord(c.Disagreements) {
			t.disagreement(c, list)
		}
	}
	return t.flush()
}

func (t *Text) printf(format string, args ...any) { fmt.Fprintf(&t.b, format, args...) }

func (t *Text) flush() error {
	text := t.b.String()
	t.b.Reset()
	if t.Width > 0 {
		var b strings.Builder
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if slices.ContainsFunc(t.commands, func(end string) bool { return end != "" && strings.HasSuffix(line, end) }) {
				b.WriteString(line + "\n") // somebody copies it
				continue
			}
			start := line[:len(line)-len(strings.TrimLeft(line, " "))]
			b.WriteString(strings.Join(table.Wrap(line, t.Width, start+"    "), "\n") + "\n")
		}
		text = b.String()
	}
	t.commands = nil
	return screen.Write(guard.Writer(t.W), screen.Escape(text))
}

// shell returns a command for a line that has a name of so many columns before it. In a terminal, it goes
// on in further lines, as the shell reads them.
func (t *Text) shell(command string, before int) string {
	text := command
	if t.Width > 0 && before+table.Columns(command) > t.Width && !strings.Contains(command, "\n") {
		text = fold(command, before, t.Width)
	}
	t.commands = append(t.commands, strings.Split(text, "\n")...)
	return text
}

// shellWord matches a word of a command, with its quotes.
var shellWord = regexp.MustCompile(`(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+`)

// fold breaks a command between words, and a word that is wider than a line within it. The shell joins the lines
// to the same words. A blank would end a word, so its next line has no indent:
//
//	command: mine \
//	         'a U b & '\
//	'c U d'
func fold(command string, before, width int) string {
	var b strings.Builder
	column, quote, escaped := before, "", false
	next := func(end, start string) {
		b.WriteString(end + "\\\n" + start)
		column = len(start)
	}
	rest, room := command, width-4 // room for an escaped character, a quote and a backslash
	for _, c := range strings.Split(command, "") {
		if quote == "" && (c == "#" || c == "'" && strings.HasSuffix(b.String(), "$")) {
			return command // a comment, and $'…', may not be broken
		}
		rest = rest[len(c):]
		blank, most := c == " " && !escaped, room
		if blank || c == quote {
			most++ // a line ends with it, and does not begin with it
		}
		if column+table.Columns(c) > most && !escaped {
			end := strings.Trim(quote, `"`) // a line may also end within double quotes
			next(end, end)
		}
		b.WriteString(c)
		column += table.Columns(c)
		switch {
		case escaped:
			escaped = false
		case c == "\\" && quote != "'":
			escaped = true
		case c == quote:
			quote = ""
		case quote == "" && (c == "'" || c == `"`):
			quote = c
		}
		if blank && quote == "" && column+table.Columns(shellWord.FindString(rest)) > room {
			next("", strings.Repeat(" ", before))
		} else if blank && quote == "'" {
			part, _, _ := strings.Cut(rest, " ")
			if n := table.Columns(part); column+n > room && n < room {
				next(quote, quote)
			}
		}
	}
	return b.String()
}

// failure explains a call that failed, or one that was skipped.
func (t *Text) failure(r *outcome.Result) string {
	if !r.Failed() && (r.Status != outcome.Skipped || t.Quiet) {
		return ""
	}
	text := fmt.Sprintf("%s: %s: %s\n", t.paint(yellow, string(r.Status)), nameOf(r.Subject, t.automata), r.Detail)
	if r.Command != "" {
		text += fmt.Sprintf("  command: %s\n", t.command(r.Command, 11))
	}
	if stderr := strings.TrimSpace(r.Stderr); stderr != "" {
		lines := strings.Split(stderr, "\n")
		if n := len(lines) - 5; n > 0 && !t.Verbose { // the last lines say why it failed
			lines = lines[n:]
		}
		for _, line := range lines {
			text += "  stderr:  " + line + "\n"
		}
	}
	return text
}

// command is shell, without the middle of a command that holds a large automaton.
func (t *Text) command(text string, before int) string {
	const head, tail = 12, 2
	lines := strings.Split(text, "\n")
	n := len(lines) - head - tail
	if t.Verbose || n <= maxCommandLines-head-tail {
		return t.shell(text, before)
	}
	return t.shell(strings.Join(lines[:head], "\n")+
		fmt.Sprintf("\n… (%s not shown: use -v or --json)\n", plural.Of(n, "line"))+
		strings.Join(lines[head+n:], "\n"), before)
}

// maxCommandLines is how long a command may be to be shown as a whole.
const maxCommandLines = 60

// byWord groups disagreements with the same word, in the order of their first ones.
func byWord(list []outcome.Disagreement) [][]outcome.Disagreement {
	var groups [][]outcome.Disagreement
	for _, d := range list {
		i := slices.IndexFunc(groups, func(g []outcome.Disagreement) bool { return g[0].Word == d.Word })
		if i < 0 {
			i = len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], d)
	}
	return groups
}

func (t *Text) finding(c *outcome.Case, f *outcome.Finding) string {
	color := yellow
	if f.Class == outcome.Unstable {
		color = red
	}
	about := fmt.Sprintf(" (%s %s)", noun(c), c.Title())
	if f.Formula != "" {
		about = ""
	}
	return fmt.Sprintf("%s: %s: %s%s\n", t.paint(color, string(f.Class)), subjectName(f.Subject, c), f.Text, about)
}

func (t *Text) undecided(c *outcome.Case, u outcome.Undecided) string {
	return fmt.Sprintf("%s: %s: %s (%s %s)\n", t.paint(yellow, "undecided"), cmp.Or(u.Text, u.Check), u.Why, noun(c), c.Title())
}

// disagreement prints those that a word shows.
func (t *Text) disagreement(c *outcome.Case, list []outcome.Disagreement) {
	input := fmt.Sprintf("  formula %d:  %s\n", c.Index, t.paint(bold, c.Formula))
	if c.Automaton != nil {
		input = fmt.Sprintf("  automaton %d:  %s\n", c.Index, automatonTitle(c))
	}
	t.printf("\n%s\n%s", t.paint(red, "disagreement: "+titleOf(c, list)), input)
	t.starred = false
	t.wrong(c, list)
}

// general returns the general words of disagreements that one word shows, each once. A general word leaves out
// propositions that change nothing. If only one kind of disagreement has it, the kind follows: "!a; cycle{1}   (extra)".
func general(list []outcome.Disagreement) (words []string) {
	kinds := map[string][]string{}
	for _, d := range list {
		if d.General == "" {
			continue
		}
		if kinds[d.General] == nil {
			words = append(words, d.General)
		}
		kinds[d.General] = append(kinds[d.General], string(d.Kind))
	}
	for i, word := range words {
		if len(kinds[word]) < len(list) {
			words[i] += "   (" + strings.Join(kinds[word], " and ") + ")"
		}
	}
	return words
}

// settled says what the letters are that settle the truth of the formula.
func settled(d *outcome.Disagreement) string {
	if d.Truth {
		return "good prefix: the formula is true whatever follows"
	}
	return "bad prefix: the formula is false whatever follows"
}

// titleOf names disagreements that a word shows: "missing and extra word", "extra word (negation)".
func titleOf(c *outcome.Case, list []outcome.Disagreement) string {
	var kinds []string
	for _, d := range list {
		kinds = append(kinds, string(d.Kind))
	}
	title := strings.Join(kinds, " and ") + " word"
	if c.Automaton == nil && ofNegation(list) {
		title += " (negation)"
	}
	return title
}

// ofNegation reports whether all automata that are blamed are of the negation of a formula.
func ofNegation(list []outcome.Disagreement) bool {
	return !slices.ContainsFunc(list, func(d outcome.Disagreement) bool {
		return slices.ContainsFunc(d.Blamed, func(s outcome.Subject) bool { return s.Polarity == outcome.Formula })
	})
}

// isBlamed reports whether some disagreement blames an automaton.
func isBlamed(list []outcome.Disagreement, s outcome.Subject) bool {
	return slices.ContainsFunc(list, func(d outcome.Disagreement) bool { return slices.Contains(d.Blamed, s) })
}

// together returns disagreements that a word shows as one, and what the word is, in words.
func together(list []outcome.Disagreement) (*outcome.Disagreement, string) {
	d := list[0]
	shortest := !slices.ContainsFunc(list, func(e outcome.Disagreement) bool { return !e.Shortest })
	about := []string{wordAbout(d.Word, d.Size, shortest)}
	d.Explanations = nil // list has them; to append to its slice would change it
	for _, e := range list {
		if e.Kind == outcome.Extra {
			about = append(about, "accepted by automata that should reject it")
		} else {
			about = append(about, "rejected by automata that should accept it")
		}
		d.Explanations = append(d.Explanations, e.Explanations...)
		d.Opposite = cmp.Or(d.Opposite, e.Opposite)
	}
	return &d, strings.Join(about, ", ")
}

// wrong prints the word, what each automaton says of it, and why. Tools that were given an automaton have one answer each,
// and the input has a line of its own.
func (t *Text) wrong(c *outcome.Case, list []outcome.Disagreement) {
	d, about := together(list)
	for i, r := range c.Results {
		// Both calls of a translator have the same options.
		if len(r.Options) > 0 && (i == 0 || c.Results[i-1].Translator != r.Translator) {
			t.printf("  options:    %s: %s\n", r.Translator, strings.Join(r.Options, " "))
		}
	}
	truth, width := satisfies(d.Truth, ofNegation(list)), 12 // as "formula 1:", and two blanks
	header, answers := []string{"  ", "translator", "formula", "negation", ""}, answersOf(c.Results, d)
	if c.Automaton != nil {
		truth, width = "the input "+says(d.Truth)+" it", 14                              // "automaton 1:"
		header, answers = []string{"  ", "tool", "answer", ""}, answers[:len(c.Results)] // without the last one, of the input
		if c.Results[0].Polarity == outcome.Negation {                                   // the tools complement
			header[2] = "complement"
		}
	}
	t.printf("  %-*s%s   (%s)\n", width, "word:", d.Word, about)
	for _, word := range general(list) {
		t.printf("  %-*s%s\n", width, "in general:", word)
	}
	if d.Prefix != "" {
		t.printf("  settled by: %s   (%s)\n", d.Prefix, settled(d))
	}
	t.printf("  %s\n", truth)
	var rows [][]string
	for _, a := range answers {
		row, wrong := []string{"  ", a.Name, a.Formula, a.Negation}, " ("+strings.Join(a.wrong(), ", ")+")"
		if c.Automaton != nil {
			row, wrong = []string{"  ", a.Name, cmp.Or(a.Formula, a.Negation)}, ""
		}
		if a.WrongP || a.WrongN {
			row = append(row, t.paint(red, "wrong"+wrong))
		}
		rows = append(rows, row)
	}
	t.print(table.Table{Header: header, Rows: rows})
	t.explanations(d)
	t.calls(c, list, fmt.Sprintf("  %-*s", width, "command:"))
}

// calls prints the commands of the automata that are wrong.
func (t *Text) calls(c *outcome.Case, list []outcome.Disagreement, name string) {
	for _, r := range c.Results {
		switch {
		case !isBlamed(list, r.Subject) || r.Command == "":
		case t.printed[r.Command]:
			t.printf("%sthe same as above\n", name)
		default:
			t.printf("%s%s\n", name, t.command(r.Command, len(name)))
			// One of a single line is easier to read again than to look for.
			t.printed[r.Command] = strings.Contains(r.Command, "\n")
		}
	}
}

// An answer is what the automata of a translator, or of the reference, say of a word.
type answer struct {
	Name              string
	Formula, Negation string
	WrongP, WrongN    bool
}

// wrong says which automata are wrong.
func (a *answer) wrong() (list []string) {
	for i, wrong := range []bool{a.WrongP, a.WrongN} {
		if wrong {
			list = append(list, outcome.BothPolarities()[i].String())
		}
	}
	return list
}

// answersOf returns the answers on the word of a disagreement. A result without one has its status.
func answersOf(results []outcome.Result, d *outcome.Disagreement) (list []*answer) {
	of := func(s outcome.Subject) (text *string, wrong *bool) {
		i := slices.IndexFunc(list, func(a *answer) bool { return a.Name == s.Translator })
		if i < 0 {
			i, list = len(list), append(list, &answer{Name: s.Translator})
		}
		if s.Polarity == outcome.Negation {
			return &list[i].Negation, &list[i].WrongN
		}
		return &list[i].Formula, &list[i].WrongP
	}
	for _, r := range results {
		text, _ := of(r.Subject)
		*text = string(r.Status)
	}
	for _, a := range d.Accepts { // also of the reference, which has no results
		text, wrong := of(a.Subject)
		*text, *wrong = says(a.Accepts), !a.Right
	}
	return list
}

// End prints the problems, the tables of translators, of failures and findings, and of earlier
// runs, and the closing line.
//
// It prints nothing if the run ended with an error before the first input: the error says it all. A stored run, or
// one that was interrupted, is printed all the same.
func (t *Text) End(summary *Summary) error {
	summary = cmp.Or(summary, NewSummary(nil))
	s := &summary.Counts
	if s.Error != "" && s.Formulas+s.Unreadable == 0 && !s.Interrupted && !summary.recorded {
		return t.flush()
	}
	// If all failures have something in common, the way of asking may be wrong: that comes before blame.
	for _, line := range summary.hints() {
		t.printf("%s: %s\n", t.paint(yellow, "note"), line)
	}
	t.problems(summary)
	if !t.Quiet {
		if s.Formulas > 0 && !t.NoTotals {
			x := summary.table(cmp.Or(t.Width, maxWidth), false)
			for i, marks := range x.Marks {
				for k, mark := range marks {
					if mark != "best" && mark != "" {
						x.Rows[i][k] = t.paint(colors[level(mark)], x.Rows[i][k])
					}
				}
			}
			t.printf("\n")
			t.print(x)
			t.printf("(%s)\n", x.Note)
		}
		t.groups(summary)
		if text := summary.power(); text != "" && (t.Verbose || summary.Counts.Formulas >= manyInputs) {
			t.printf("power: %s\n", text)
		}
	}
	if !t.Quiet || summary.Counts.Status != outcome.ExitPassed {
		t.regression(summary)
		t.closing(summary)
	}
	return t.flush()
}

func says(accepts bool) string {
	if accepts {
		return "accepts"
	}
	return "rejects"
}

// satisfies says what the formula is on a word, or its negation if only that is wrong.
func satisfies(truth, negation bool) string {
	switch {
	case negation && truth:
		return "the word does not satisfy the negation, so its automaton should reject it"
	case negation:
		return "the word satisfies the negation, so its automaton should accept it"
	case truth:
		return "the word satisfies the formula"
	}
	return "the word does not satisfy the formula"
}

// closing prints the clauses that have no room in the last line, the counts, and last how the run ended.
func (t *Text) closing(summary *Summary) {
	v := summary.Verdict()
	last, rest := v.split()
	for _, clause := range rest {
		t.printf("%s\n", clause)
	}
	var counts []string
	for _, x := range summary.tiles() {
		if x.Level != "" {
			counts = append(counts, t.paint(colors[x.Level], x.Value+" "+x.Name))
		}
	}
	if len(counts) > 0 && !t.Quiet { // without counts, the last line says it all
		t.printf("%s\n", strings.Join(counts, " · "))
	}
	word, end, _ := strings.Cut(last, ":")
	color := yellow
	switch v.Status {
	case outcome.ExitPassed:
		color = green
	case outcome.ExitFailed, outcome.ExitBroken:
		color = red
	}
	t.printf("%s:%s\n", t.paint("1;"+color, word), end)
}

const (
	red    = "31"
	green  = "32"
	yellow = "33"
	bold   = "1"
)

// colors paint what has a level. Levels without a color stay plain.
var colors = map[level]string{bad: red, poor: yellow}

func (t *Text) paint(color, text string) string {
	if !t.Color || color == "" {
		return text
	}
	return screen.Paint(color, text)
}

// errors prints why the input could not be read, and the internal errors of the case.
func (t *Text) errors(c *outcome.Case) {
	if c.Error != "" {
		text := ""
		if title := line(c.Title(), 80); title != "" {
			text = " (" + title + ")"
		}
		t.printf("%s: %s%s\n", t.paint(yellow, "invalid "+noun(c)), c.Error, text)
	}
	for _, e := range c.Errors {
		t.printf("%s\n", t.paint(red, e))
	}
}

// automatonTitle returns where an automaton comes from, and its name.
func automatonTitle(c *outcome.Case) string {
	if c.Automaton.Name == "" {
		return c.Automaton.Source
	}
	return c.Automaton.Source + ", " + line(c.Automaton.Name, 80)
}

// How much of an explanation is shown if not all is asked for: so much that it is below
// the disagreement on a screen.
const (
	maxExplanations = 2
	maxStepRows     = 12
	maxTruthRows    = 12
)

// explanations prints how the blamed automata of a disagreement come to their answers, and the
// one on the other side that accepts an extra word too.
func (t *Text) explanations(d *outcome.Disagreement) {
	if t.Quiet {
		return
	}
	shown := d.Explanations
	if len(shown) > maxExplanations && !t.Verbose {
		shown = shown[:maxExplanations]
	}
	for i := range shown {
		t.explanation(&shown[i], "")
	}
	if n := len(d.Explanations) - len(shown); n > 0 {
		t.printf("  (%s: use -v)\n", plural.Of(n, "more explanation"))
	}
	if d.Opposite != nil {
		t.explanation(opposite(d), ", right")
	}
	if d.Table == nil {
		return
	}
	truths, n := truthTable(d.Table), len(d.Table.Rows)
	if t.Verbose || n+min(d.Table.LeftOut, 1) <= maxTruthRows && truths.Width() <= cmp.Or(t.Width, maxWidth) {
		t.truths(d.Table)
	} else {
		t.printf("  (truth of %s along the word: use -v)\n", plural.Of(n+d.Table.LeftOut, "subformula"))
	}
}

// opposite returns the explanation of the automaton on the other side, with one of its names: a
// translator that is not blamed, if there is one.
func opposite(d *outcome.Disagreement) *outcome.Explanation {
	e := *d.Opposite
	blamed := func(s outcome.Subject) bool {
		return slices.ContainsFunc(d.Blamed, func(b outcome.Subject) bool { return b.Translator == s.Translator })
	}
	i := max(0, slices.IndexFunc(e.Automata, func(s outcome.Subject) bool { return !blamed(s) }))
	e.Automata = e.Automata[i:min(i+1, len(e.Automata))]
	return &e
}
