package translators

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/xcheck-ltl/xcheck/internal/process"
)

// A failure is what a program says of itself when it fails: the lines that say why, and the functions of
// its own in which it failed, innermost first, if there is a stack trace.
type failure struct {
	lines, places []string
}

// maxPlaces is how many functions of a stack trace tell failures apart. Functions that come again in a
// recursion count once.
const maxPlaces = 3

// pattern returns the text that all occurrences of a failure have in common.
func (f *failure) pattern(formula string) string {
	var texts []string
	for _, line := range f.lines {
		if text := messagePattern(line, formula); text != gap {
			texts = append(texts, text)
		}
	}
	text := strings.Join(distinct(texts), "; ")
	if text != "" && len(f.places) > 0 {
		text += " (in " + strings.Join(f.places, ", ") + ")"
	}
	return text
}

// messagePattern is the [Pattern] of a message. It keeps the words in quotes, which may be the whole message, and the
// condition of an assertion, which is text of the program.
func messagePattern(line, formula string) string {
	if strings.Contains(line, "ssertion failed: ") {
		return start(lineNumber().ReplaceAllString(line, gap), maxPattern)
	}
	p := patterner{text: start(thread().ReplaceAllString(line, ""), maxPatternText), props: propositions(formula), speak: quoting().MatchString(line)}
	return p.pattern()
}

var (
	lineNumber = expression(`\d+\W*$`)
	quoting    = expression(`(?i)exception|panicked|Error: `)
	thread     = expression(`^thread '[^']*' (?:\(\d+\) )?`)
)

// maxSignature bounds what a signature says of failures, in bytes.
const maxSignature = 2*(maxPattern+2) + maxPlaces*(maxFunction+2) + 6

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
// characters, and spaces at the ends of lines.
func transcript(text string) []string {
	if half := maxFailureText / 2; len(text) > maxFailureText { // the beginning and the end say most
		text = text[:half] + "\n" + gap + "\n" + text[len(text)-half:]
	}
	text = escapes().ReplaceAllLiteralString(text, "")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	text = wrapped().ReplaceAllLiteralString(text, ",")
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return lines
}

// wrapped is where Erlang breaks long terms.
var wrapped = expression(`,\n {8,}`)

// A trace describes a line of a stack trace. Each has samples in testdata/failures; other traces look
// like one of these.
type trace struct {
	line  func() *regexp.Regexp // its first group is the function
	below bool                  // the innermost function comes last, and then the message
	names bool                  // the rest of the line is the message
	above bool                  // it stands above a line with a place in a file
}

var traces = []trace{
	// Python:   File "tool.py", line 5, in parse
	{line: expression(`^[ |]*File "[^"]*", line \d+(?:, in (.+))?`), below: true},
	// Go: main.(*tool).parse(0xc000012345, {0x7ffe1d865ab8, 0x1a})
	//     	/home/me/tool.go:16 +0x16e
	{line: expression(`^([^\s(].*)\(.*\)$`), above: true},
	{line: source},
	// Java, C#, JavaScript: 	at Tool.parse(Tool.java:5)
	{line: expression(`^\s+at (?:async |new )?([^\s(]+)(?:.*[):]| in .*|$)`)},
	// Ruby: tool.rb:3:in 'parse': bad operator (ArgumentError)
	{line: expression("^(?:\\S+: )?[^\\s:]+:\\d+:in [`']([^']*)': "), names: true},
	// 	from tool.rb:7:in 'translate'
	{line: expression("^\\t+(?:\\d+: )?from .*?:\\d+:in [`']([^']*)'")},
	// OCaml: Called from Tool.translate in file "tool.ml", line 10, characters 38-53
	{line: expression(`^(?:Raised|Re-raised|Called)\b.*? (?:at|from) (?:(\S+) .*)?(?:in )?file `)},
	// Erlang:   in function  tool:parse/2 (tool.erl, line 3)
	{line: expression(`^\s+in (?:function|call from|operator)\s+(\S+)`)},
	// Valgrind: ==7266==    at 0x10A3A8: use(int*, int) (tool.cc:22)
	{line: expression(`^==\d+==\s+(?:at|by) 0x[0-9A-Fa-f]+: (.*?) \(`)},
	// Rust, sanitizers, PHP:     #1 0x562c4b7214e3 in use(int*, int) /home/me/tool.cc:22
	{line: expression(`^\s*(?:#\d+|\d+:)\s+(?:\S+\(\d+\): )?(?:0x[0-9a-f]+ (?:- )?)?(?:in )?(.+?)(?: (?:\S*/\S*|\S+:\d+\S*|\(\S+\+0x[0-9a-f]+\)|<null>))*$`)},
	// Perl, Haskell, Lua: 	Tool::parse("Ga", "x") called at tool.pl line 8
	{line: expression(`^\s+(\S+?)(?:\(.*\)|,) called at `)},
	{line: expression(`^\t\S+: in (?:function |upvalue |local |method |field |main chunk)['<]?([^'>]*)`)},
}

// runtimes are functions that are not the program's own.
var runtimes = expression(`^(?:(?:java|jdk|sun|javax|node|internal|runtime|sync|std|core|alloc|backtrace|__rustc)\b[.:/]|<?(?:std|core|alloc)::|Stdlib\.|panic\b` +
	`|rust_begin_unwind|__rust_|__interceptor_|__(?:a|ub|t|m|l)san|__libc_|__GI_|operator (?:new|delete)|System\.|erl_eval|error$|_start$|raise$|abort$` +
	`|(?:m|c|re)alloc\b|free\b|(?:__)?(?:mem|str)(?:cpy|set|move|len|cmp|cat|chr|dup|n\w+)\b)`)

// overflow matches the messages of programs whose recursion was too deep. Where exactly
// it ends is by chance.
var overflow = expression(`(?i)stack.?overflow|overflowed its stack|recursion depth|call stack size|stack level too deep`)

// withoutTraces returns the lines of a transcript that belong to no stack trace, and the places in the
// first trace that has a function of the program's own.
func withoutTraces(lines []string) (rest, places []string) {
	var of, from *trace // that the last line was of, and that the places are from
	ended := false      // that trace
	for i, line := range lines {
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		match, name := traceOf(line, next)
		switch {
		case match == nil && checker().MatchString(line):
			if match, _ = traceOf(next, ""); match == nil {
				continue // valgrind says what it does
			}
			match = nil
		case match != nil && name != "" && !ended:
			places, from = append(places, name), match
		case match == nil && of != nil && line != "" && (line[0] == ' ' || line[0] == '\t'):
			match = of // more about the same function
		}
		ended = ended || match == nil && len(places) > 0
		if of = match; match != nil && match.names {
			line = line[len(match.line().FindString(line)):]
		}
		if match == nil || match.names {
			rest = append(rest, line)
		}
	}
	if from != nil && from.below {
		slices.Reverse(places)
	}
	places = distinct(places)
	return rest, places[:min(len(places), maxPlaces)]
}

// traceOf returns the trace that a line is of, and the function there.
func traceOf(line, next string) (*trace, string) {
	for k := range traces {
		x := &traces[k]
		if m := x.line().FindStringSubmatch(line); m != nil && (!x.above || source().MatchString(next)) {
			return x, function(m[1])
		}
	}
	return nil, ""
}

// source is a place in a file, in a trace of Go.
var source = expression(`^()\t[^\s(]+:\d+(?: |$)`)

// failed returns what the lines of a transcript say: the first line that looks like an error message,
// or else the first, and the last that means something. Progress, warnings and excerpts with a caret
// below are left out, unless there is nothing else. If strict is set, only error messages count.
func failed(text string, strict bool) *failure {
	f := &failure{}
	var lines []string
	lines, f.places = withoutTraces(transcript(text))
	if lines = meaningful(lines); strict {
		lines = slices.DeleteFunc(lines, func(line string) bool { return !complaint().MatchString(line) })
	}
	if len(lines) == 0 {
		return f
	}
	first := 0
	for _, re := range []*regexp.Regexp{complaint(), addressed()} { // a complaint is better than a line with a place
		if i := slices.IndexFunc(lines, re.MatchString); i >= 0 {
			first = i
			break
		}
	}
	f.lines = []string{lines[first]}
	if strings.HasSuffix(lines[first], ":") && first+1 < len(lines) { // the next line says what
		f.lines[0] += " " + lines[first+1]
	}
	if last := len(lines) - 1; !strings.HasSuffix(f.lines[0], lines[last]) {
		f.lines = append(f.lines, lines[last])
	}
	if slices.ContainsFunc(f.lines, overflow().MatchString) {
		f.places = nil
	}
	return f
}

// reason returns what a command says of why it failed, fit for a terminal and not too
// long.
func (o *Outcome) reason() string {
	text := strings.ReplaceAll(strings.Join(distinct(o.failure().lines), "; "), "\t", " ")
	const maxReason = 200
	if runes := []rune(text); len(runes) > maxReason {
		text = string(runes[:maxReason]) + gap
	}
	return strings.TrimSpace(text)
}

// meaningful returns the lines that may say what went wrong.
func meaningful(lines []string) []string {
	var all, most, best []string
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || line == gap || strings.Trim(line, "-=*#~_^|. ") == "" {
			continue
		}
		all = append(all, line)
		// Not the message itself, or half a line.
		if i+1 < len(lines) && (caret().MatchString(lines[i+1]) || lines[i+1] == gap) || i > 0 && lines[i-1] == gap {
			continue
		}
		most = append(most, line)
		if !chatter().MatchString(line) && (!warning().MatchString(line) || strings.Contains(line, "Sanitizer: ") || strings.Contains(line, "DATA RACE")) {
			best = append(best, line)
		}
	}
	for _, list := range [][]string{best, most} {
		if len(list) > 0 {
			return list
		}
	}
	return all
}

var (
	// caret is below an excerpt from the input: the line above it is one.
	caret = expression(`^[ \t|.~-]*\^[ \t^~-]*$`)

	warning = expression(`(?i)^(?:[\w./+-]+: )?(?:[^\s:]+:[\d:]+ ?)?(?:\[?warn(?:ing)?\b|note:|info:|debug:|use of uninitialized|deep recursion|deprecat)`)
	// chatter is what programs print whatever happens: hints, progress.
	chatter = expression(`(?i)^(?:usage:|summary:|hint:|help:|try ['\x60"]|for more info|see (?:also|the|http)|please (?:report|see)|bye|\[\s*\d+\s*/\s*\d+\s*\]|\(core dumped\)|\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|==\d+==abort|[0-9a-f]+-[0-9a-f]+ [r-][w-]|goroutine |created by |\S+\[0x[0-9a-f]+\]$|=+ Backtrace)` +
		`|\b\d+(?:\.\d+)? ?%(?:\s|$)|\.\.\. ?(?:done|ok)\.?$`)

	// checker starts the lines of valgrind.
	checker = expression(`^==\d+==(?: |$)`)
	// complaint has a word that error messages have.
	complaint = expression(`(?i)\b(?:\w*error|fatal|\w*fail(?:ed|ure|s)?|\w*exception|abort(?:ed|ing)?|terminate|assert(?:ion)?|panic(?:ked)?|detected|\w+sanitizer|cannot|can.?t|could ?n.?t|could not|unable|invalid|` +
		`illegal|unexpected|expected|unknown|unsupported|not (?:supported|found|implemented|permitted|allowed)|undefined|unbound|missing|no such|denied|` +
		`corrupt(?:ed)?|internal|out of|overflow|underflow|exceed(?:ed|s)?|too (?:many|large|long|deep|big)|bad|syntax|killed|segmentation|bug|lost|data race|uninitialised)\b| at \S+ line \d+`)
	// addressed starts with the name of the program, as error messages do.
	addressed = expression(`^[A-Za-z][\w./+-]*: `)
)

// maxFunction is how much of a function's name is kept, in bytes.
const maxFunction = 60

// generated are the parts of names that compilers make up: numbers of closures, hashes,
// names of clones.
var generated = expression(`\[[0-9a-f]{8,}\]|::h[0-9a-f]{16}\b|/0x[0-9a-f]+|\+0x[0-9a-f]+|\$+\d+|@\w+$|\[(?:clone|abi)[^\]]*\]` +
	`|\.(?:constprop|isra|part|cold|lto_priv|llvm)\b(?:\.\d+)*|#\d+\b|/\d+$|:\d+|\(\d+ levels\)|\b0x[0-9a-f]+\b|\b\d+\b` +
	`|\b(?:func|gowrap|fun|lambda|anon|closure)[_-]?\d+(?:\.\d+)*`)

// templates are the arguments of templates and generic functions, from the inside; and unnamed functions.
var templates = expression(`<[^<>]*>|\[[^\[\]]*\]`)

// arguments follow a name, but not in Go's main.(*tool).parse.
var arguments = expression(`\((?:[^*].*)?$|\(\*[^)]*\)?(?:[^.)].*)?$`)

// packages matches the package of a name in Java and C#, where names of classes start with
// a capital.
var packages = expression(`^(?:[\w.]+/)?(?:[a-z_]\w*\.)+([A-Z])`)

// function returns the name of a function without arguments, template arguments,
// numbers and hashes, or "" if it is not one of the program's:
//
//	int ltl::parser<T>::parse(const string&) [with T = int] = ltl::parser::parse
//	github.com/me/tool.(*parser).parse.func1               = tool.(*parser).parse.func
//	java.base/java.util.ArrayList.get                       = ArrayList.get
//	block in translate                                      = translate
func function(name string) string {
	name, _, _ = strings.Cut(strings.TrimSpace(start(name, maxPatternText)), " [with ")
	if runtimes().MatchString(name) {
		return ""
	}
	name = generated().ReplaceAllString(name, "")
	for templates().MatchString(name) {
		name = templates().ReplaceAllString(name, "")
	}
	name = arguments().ReplaceAllString(strings.TrimSuffix(name, " const"), "")
	if words := strings.Fields(name); len(words) > 0 {
		name = words[len(words)-1]
	}
	name = packages().ReplaceAllString(name[strings.LastIndexByte(name, '/')+1:], "$1")
	if name = strings.Trim(name, " .*&,;:"); !strings.ContainsFunc(name, letter) {
		return ""
	}
	return start(name, maxFunction)
}
