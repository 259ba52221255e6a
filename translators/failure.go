package translators

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/xcheck-ltl/xcheck/internal/process"
)

// A failure is what a program says of itself when it fails.
type failure struct {
	message string   // in a line, as it was printed
	static  bool     // message is text of the program's source, such as an assertion
	quoting bool     // what message has in quotes is a name, not what is said
	frames  []string // the innermost functions, innermost first; or the source file
	at, end int      // where the message is in the text
}

// maxSignature bounds what a signature says of failures, in bytes.
const maxSignature = maxFailures * (2*maxPattern + maxFrames*(maxFunction+2))

// maxFrames is how many functions of a stack trace tell failures apart. Functions that
// come again in a recursion count once.
const maxFrames = 3

// pattern returns the text that all occurrences of a failure have in common.
func (f *failure) pattern(props map[string]bool) string {
	p := patterner{text: start(f.message, maxPatternText), props: props, speak: !f.quoting}
	text := start(f.message, maxPattern)
	if !f.static {
		text = p.pattern()
	}
	if text != "" && len(f.frames) > 0 {
		text += " (in " + strings.Join(f.frames, ", ") + ")"
	}
	return text
}

// maxFailureText is how much of a text is searched for failures, in bytes: the start
// and the end.
const maxFailureText = 2 * process.MaxStderr // more than what is kept of standard error

// expression returns a regular expression that is compiled when it is first used: most programs
// that import this package never do, and start faster.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// escapes are sequences for terminals: colours, titles.
var escapes = expression(`\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)`)

// transcript returns the lines of what a program wrote, without escape sequences, control
// characters, and spaces at the ends of lines. Each line ends in \n.
func transcript(text string) string {
	if half := maxFailureText / 2; len(text) > maxFailureText { // the beginning and the end say most
		text = text[:half] + "\n" + gap + "\n" + text[len(text)-half:]
	}
	text = escapes().ReplaceAllLiteralString(text, "")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if strings.Contains(text, "Exception Group Traceback") { // Python draws a margin around groups
		text = groupMargin().ReplaceAllLiteralString(text, "")
	}
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight(line, " \t"))
		b.WriteByte('\n')
	}
	return b.String()
}

// groupMargin stands left of the traces of Python's exception groups.
var groupMargin = expression(`(?m)^ +(?:\| |\+-+)`)

// reported returns the failures of the table in a transcript.
func reported(text string) []failure {
	if list := search(text, false); len(list) > 0 {
		return list
	}
	return search(text, true)
}

// search returns the failures of the table in a text, in their order in the text.
func search(text string, weak bool) (list []failure) {
	for _, r := range table() {
		if r.weak != weak || !strings.Contains(text, r.hint) {
			continue
		}
		for _, f := range r.find(text) {
			// What was found before has precedence.
			overlaps := func(other failure) bool { return f.at < other.end && other.at < f.end }
			if !slices.ContainsFunc(list, overlaps) {
				list = append(list, f)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b failure) int { return cmp.Compare(a.at, b.at) })
	if serious := slices.DeleteFunc(slices.Clone(list), func(f failure) bool { return warning().MatchString(f.message) }); len(serious) > 0 {
		return serious
	}
	return list
}

// table returns the recognizers, compiled.
var table = sync.OnceValue(func() []recognizer {
	list := make([]recognizer, len(failureKinds))
	for i, k := range failureKinds {
		list[i] = recognizer{failureKind: k, head: regexp.MustCompile("(?m)" + k.head)}
		if k.frame != "" {
			list[i].frame = regexp.MustCompile("(?m)" + k.frame)
		}
		if k.runtime != "" {
			list[i].runtime = regexp.MustCompile(k.runtime)
		}
	}
	return list
})

// A recognizer finds failures of a kind.
type recognizer struct {
	failureKind
	head, frame, runtime *regexp.Regexp
}

// find returns the failures of the kind in a text.
func (r *recognizer) find(text string) []failure {
	if r.below {
		return r.belowTraces(text)
	}
	var list []failure
	heads := r.head.FindAllStringSubmatchIndex(text, -1)
	for i, m := range heads {
		rest := len(text)
		if i+1 < len(heads) {
			rest = heads[i+1][0]
		}
		// The trace of a failure ends where the next one begins.
		f := r.failure(text, m)
		f.place(r, text, m, r.trace(text, m[1], rest))
		if f.message != "" && (len(f.frames) > 0 || !r.traced || r.hasFrame(text[m[1]:rest])) {
			list = append(list, f)
		}
	}
	return list
}

// hasFrame reports whether a stack trace comes next, even if all of it is the runtime's.
func (r *recognizer) hasFrame(text string) bool {
	m := r.frame.FindStringIndex(text)
	return m != nil && strings.Count(text[:m[0]], "\n") <= maxLead
}

// belowTraces is find where the message is below the trace, whose last function is the
// innermost.
func (r *recognizer) belowTraces(text string) (list []failure) {
	for pos := 0; ; {
		functions, from, end := r.chain(text[pos:])
		if end <= from {
			return list
		}
		pos += end
		if m := r.head.FindStringSubmatchIndex(text[pos:]); m != nil && m[0] == 0 {
			f := r.failure(text[pos:], m)
			f.at, f.end = f.at+pos, f.end+pos
			slices.Reverse(functions)
			f.place(r, text, nil, functions)
			list = append(list, f)
		}
	}
}

// group returns the first group of a match whose name starts with prefix and that is
// not empty.
func group(re *regexp.Regexp, text string, match []int, prefix string) string {
	for i, name := range re.SubexpNames() {
		if i > 0 && match[2*i] >= 0 && match[2*i] < match[2*i+1] && strings.HasPrefix(name, prefix) {
			return text[match[2*i]:match[2*i+1]]
		}
	}
	return ""
}

// failure returns the failure of a match, without its functions.
func (r *recognizer) failure(text string, match []int) failure {
	f := failure{message: group(r.head, text, match, "msg"), at: match[0], end: match[1]}
	if static := group(r.head, text, match, "static"); static != "" {
		f.message, f.static = static, true
	}
	f.message = strings.Join(strings.Fields(wrapped().ReplaceAllLiteralString(f.message, ",")), " ")
	if name := group(r.head, text, match, "type"); name != "" {
		f.message = strings.TrimSuffix(name+": "+f.message, ": ")
	}
	if f.message != "" {
		f.message = r.prefix + f.message
	}
	return f
}

// wrapped is where Erlang breaks long terms.
var wrapped = expression(`,\s*\n\s*`)

// maxLead is how many lines may stand between a message and its trace.
const maxLead = 15

// trace returns the functions of the first trace between two places that has some of
// the program's own.
func (r *recognizer) trace(text string, from, to int) []string {
	if r.frame == nil {
		return nil
	}
	rest := text[from:to]
	for first := true; ; first = false {
		functions, at, end := r.chain(rest)
		if end <= at || first && strings.Count(rest[:at], "\n") > maxLead {
			return nil
		}
		if len(functions) > 0 {
			return functions
		}
		rest = rest[end:]
	}
}

// chain returns the functions of the first consecutive frames in a text, without the frames
// of the runtime, and where these frames begin and end.
func (r *recognizer) chain(text string) (functions []string, at, end int) {
	for pos := 0; ; {
		m := r.frame.FindStringSubmatchIndex(text[pos:])
		if m == nil || end > 0 && m[0] > 0 || m[1] == 0 {
			return functions, at, end // frames follow each other directly
		}
		if end == 0 {
			at = m[0]
		}
		frame := text[pos+m[0] : pos+m[1]]
		name := function(group(r.frame, text[pos:], m, "func"))
		if name != "" && (r.runtime == nil || !r.runtime.MatchString(frame)) {
			functions = append(functions, name)
		}
		pos += m[1]
		end = pos
	}
}

// overflow matches the messages of programs whose recursion was too deep. Where exactly
// it ends is by chance.
var overflow = expression(`(?i)stack.?overflow|overflowed its stack|recursion depth|call stack size|stack level too deep`)

// place sets what is known of where the failure happened.
func (f *failure) place(r *recognizer, text string, match []int, functions []string) {
	file := ""
	if match != nil {
		if name := function(group(r.head, text, match, "func")); name != "" {
			functions = append([]string{name}, functions...)
		}
		path := group(r.head, text, match, "file")
		file = start(generated().ReplaceAllString(path[strings.LastIndexAny(path, `/\`)+1:], ""), maxFunction)
	}
	// A recursion repeats its functions, by chance more or less often.
	counts := map[string]int{}
	var names []string
	for _, name := range functions {
		if counts[name]++; counts[name] == 1 {
			names = append(names, name)
		}
	}
	// The overflow may come in any function of the recursion. So all of them, in order, identify it.
	if overflow().MatchString(f.message) {
		recurs := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return counts[name] < 2 })
		if len(recurs) > 0 {
			names = recurs
		}
		slices.Sort(names)
	}
	if len(names) == 0 && file != "" { // better than nothing
		names = []string{file}
	}
	f.frames = names[:min(len(names), maxFrames)]
}

// reason returns what a command says of why it failed, fit for a terminal and not too
// long.
func (o *Outcome) reason() string {
	var texts []string
	for _, f := range o.failures() {
		texts = append(texts, f.message)
	}
	text := strings.ReplaceAll(strings.Join(distinct(texts), "; "), "\t", " ")
	const maxReason = 200
	if runes := []rune(text); len(runes) > maxReason {
		text = string(runes[:maxReason]) + gap
	}
	return strings.TrimSpace(text)
}

// likelyLines returns what a program of an unknown kind says: the first line that looks
// like an error message, or else the first, and the last that means something. Progress,
// warnings and excerpts with a caret below are left out, unless there is nothing else.
func likelyLines(text string) []failure {
	lines := meaningful(text)
	if len(lines) == 0 {
		return nil
	}
	first := 0
	for _, re := range []*regexp.Regexp{complaint(), addressed()} { // a complaint is better than a line with a place
		if i := slices.IndexFunc(lines, func(f failure) bool { return re.MatchString(f.message) }); i >= 0 {
			first = i
			break
		}
	}
	last := len(lines) - 1
	if first == last {
		return lines[last:]
	}
	message := lines[first]
	if strings.HasSuffix(message.message, ":") { // the next line says what; this is not the last one
		message.message += " " + lines[first+1].message
	}
	return []failure{message, lines[last]}
}

// complaints returns the first and the last line of a text that look like error messages.
func complaints(text string) []failure {
	list := slices.DeleteFunc(meaningful(text), func(f failure) bool { return !complaint().MatchString(f.message) })
	if len(list) > 2 {
		list = []failure{list[0], list[len(list)-1]}
	}
	return list
}

// meaningful returns the lines of a text that may say what went wrong.
func meaningful(text string) []failure {
	var all, most, best []failure
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || line == gap || strings.Trim(line, "-=*#~_^|. ") == "" {
			continue
		}
		f := failure{message: line, quoting: true}
		all = append(all, f)
		// Not the message itself.
		if i+1 < len(lines) && caret().MatchString(lines[i+1]) || checker().MatchString(line) || traceLine().MatchString(lines[i]) {
			continue
		}
		most = append(most, f)
		if !warning().MatchString(line) && !chatter().MatchString(line) {
			best = append(best, f)
		}
	}
	for _, list := range [][]failure{best, most} {
		if len(list) > 0 {
			return list
		}
	}
	return all
}

var (
	// caret is below an excerpt from the input: the line above it is one.
	caret = expression(`^[ \t|.~-]*\^[ \t^~-]*$`)
	// checker starts the lines of valgrind and its like.
	checker = expression(`^==\d+==`)
	// traceLine is part of a stack trace of some kind.
	traceLine = expression(`^\s+at |^\s*#\d+\s|^\s+from `)

	warning = expression(`(?i)^(?:[\w./+-]+: )?(?:[^\s:]+:[\d:]+ ?)?(?:\[?warn(?:ing)?\b|note:|info:|debug:|use of uninitialized|deep recursion|deprecat)`)
	// chatter is what programs print whatever happens: hints, progress.
	chatter = expression(`(?i)^(?:usage:|hint:|help:|try ['\x60"]|for more info|see (?:also|the|http)|please (?:report|see)|bye|\[\s*\d+\s*/\s*\d+\s*\]|\(core dumped\))` +
		`|\b\d+(?:\.\d+)? ?%(?:\s|$)|\.\.\. ?(?:done|ok)\.?$`)

	// complaint has a word that error messages have.
	complaint = expression(`(?i)\b(?:error|fatal|fail(?:ed|ure|s)?|exception|abort(?:ed|ing)?|assert(?:ion)?|panic|cannot|can.?t|could ?n.?t|could not|unable|invalid|` +
		`illegal|unexpected|expected|unknown|unsupported|not (?:supported|found|implemented|permitted|allowed)|undefined|unbound|missing|no such|denied|` +
		`corrupt(?:ed)?|internal|out of|overflow|underflow|exceed(?:ed|s)?|too (?:many|large|long|deep|big)|bad|syntax|killed|segmentation|bug)\b`)
	// addressed starts with the name of the program, as error messages do.
	addressed = expression(`^[A-Za-z][\w./+-]*: `)
)
