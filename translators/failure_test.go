package translators

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A sample is what a program wrote on standard error when it failed.
type sample struct {
	file, failure, formula, text string
}

// samples reads testdata/failures. A file has the failures of a language or runtime, each
// at least twice: "-- failure number: formula --".
func samples(t testing.TB) (list []sample) {
	t.Helper()
	names, err := filepath.Glob("testdata/failures/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no samples: ", err)
	}
	for _, name := range names {
		text := must.Get(os.ReadFile(name))
		for _, f := range txtar.Parse(text).Files {
			title, formula, ok := strings.Cut(f.Name, ": ")
			failure, number, ok2 := strings.Cut(title, " ")
			if !ok || !ok2 || number == "" || formula == "" {
				t.Fatalf("%s: %q is not of the form \"failure number: formula\"", name, f.Name)
			}
			list = append(list, sample{strings.TrimSuffix(filepath.Base(name), ".txtar"), failure, formula, string(f.Data)})
		}
	}
	return list
}

// signatureOf returns the signature of a call that wrote a text and exited.
func (s *sample) signatureOf(text string) string {
	o := Outcome{Status: outcome.Exit, ExitCode: 1, Stderr: process.Clip([]byte(text), process.MaxStderr)}
	return o.Signature(s.formula).String()
}

// TestSamples: recorded failures are told apart, and occurrences of one are one group.
func TestSamples(t *testing.T) {
	failures := map[string]string{}   // by signature
	signatures := map[string]string{} // by failure
	occurrences := map[string]int{}
	kinds := map[string]map[string]bool{} // signatures by language or runtime
	for _, s := range samples(t) {
		name := s.file + " " + s.failure
		got := s.signatureOf(s.text)
		occurrences[name]++
		if before, ok := signatures[name]; !ok {
			t.Logf("%s: %s", name, got)
			signatures[name] = got
			if kinds[s.file] == nil {
				kinds[s.file] = map[string]bool{}
			}
			kinds[s.file][got] = true
		} else if got != before {
			t.Errorf("%s: two occurrences have different signatures:\n%s\n%s", name, before, got)
		}
		if other, ok := failures[got]; ok && other != name {
			t.Errorf("%s and %s have the same signature: %s", other, name, got)
		}
		if failures[got] = name; len(got) > len("exit 1: ")+maxSignature {
			t.Errorf("%s: a signature of %d bytes: %s", name, len(got), got)
		}
	}
	for name, n := range occurrences {
		if n < 2 {
			t.Errorf("%s: only one occurrence", name)
		}
	}
	for file, list := range kinds {
		if len(list) < 2 {
			t.Errorf("%s: only one failure", file)
		}
	}
	if len(kinds) < 12 {
		t.Errorf("samples of only %d languages and runtimes", len(kinds))
	}
	t.Logf("%d languages and runtimes, %d failures", len(kinds), len(signatures))
}

// TestSamplesNoise: a failure has the same signature when there is a banner or progress
// before it, its lines end in \r\n, or it is in colour.
func TestSamplesNoise(t *testing.T) {
	t.Parallel()
	noises := map[string]func(string) string{
		"banner":   func(text string) string { return "tool 3.14\n(c) 2026\n\n" + text },
		"warnings": func(text string) string { return "warning: 3 rules are not used\n" + text },
		"progress": func(text string) string { return strings.Repeat("[17/99] states: 400\r", 9) + "\n" + text },
		"long":     func(text string) string { return strings.Repeat("[17/99] 400 states\n", 3000) + text },
		"windows":  func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
		"colour":   func(text string) string { return "\x1b[1;31m" + strings.ReplaceAll(text, "\n", "\x1b[0m\n\x1b[31m") },
	}
	names := slices.Sorted(maps.Keys(noises))
	for i, s := range samples(t) {
		want := s.signatureOf(s.text)
		for _, name := range campaign.Alternate(i, names...) {
			noise := noises[name]
			if name == "long" && len(s.text) > process.MaxStderr*3/4 {
				continue // the message may be lost
			}
			if got := s.signatureOf(noise(s.text)); got != want {
				t.Errorf("%s %s with %s:\n%s\nwithout:\n%s", s.file, s.failure, name, got, want)
			}
		}
	}
}

// TestSamplesNumbers: addresses, lines and other numbers make no difference.
func TestSamplesNumbers(t *testing.T) {
	t.Parallel()
	seed := campaign.Seed(t, 1)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, s := range samples(t) {
		if strings.Contains(s.text, "ssertion ") {
			continue // numbers in assertions are part of the program
		}
		if got, want := s.signatureOf(renumbered(rng, s.text)), s.signatureOf(s.text); got != want {
			t.Errorf("%s %s with other numbers:\n%s\nwithout:\n%s", s.file, s.failure, got, want)
		}
	}
}

// anyNumber matches addresses and numbers that are no part of a word.
var anyNumber = regexp.MustCompile(`\b0x[0-9a-f]+\b|\b[1-9][0-9]*\b`)

// renumbered returns a text with other numbers of the same lengths, but for those that
// touch what makes them part of a name or of another number.
func renumbered(rng *rand.Rand, text string) string {
	var b strings.Builder
	done := 0
	for _, m := range anyNumber.FindAllStringIndex(text, -1) {
		before, after := text[max(0, m[0]-1):m[0]], text[m[1]:min(len(text), m[1]+1)]
		if strings.ContainsAny(before, ".,$'-+@%`\x1b[;") || strings.ContainsAny(after, ".,$'@%`m") {
			continue
		}
		if r, _ := utf8.DecodeLastRuneInString(text[:m[0]]); letter(r) || unicode.IsDigit(r) || r == utf8.RuneError && m[0] > 0 {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(text[m[1]:]); letter(r) || unicode.IsDigit(r) {
			continue
		}
		b.WriteString(text[done:m[0]])
		number := []byte(text[m[0]:m[1]])
		for i := range number {
			switch {
			case number[i] == 'x' || strings.HasPrefix(string(number), "0x") && i == 0:
			default:
				number[i] = byte('1' + rng.IntN(9))
			}
		}
		b.Write(number)
		done = m[1]
	}
	return b.String() + text[done:]
}

// FuzzFailure: what is found in a text is short, in one line, the same each time, and
// does not depend on numbers.
func FuzzFailure(f *testing.F) {
	for s := range campaign.Sample(slices.Values(samples(f)), 5) {
		f.Add(s.text, s.formula)
	}
	f.Add("==1==ERROR: AddressSanitizer: x\n  #0 \n#1 0x in (\n", "")
	f.Fuzz(func(t *testing.T, text, formula string) {
		o := Outcome{Status: outcome.Exit, ExitCode: 1, Stderr: text}
		got := o.Signature(formula).String()
		if len(got) > len("exit 1: ")+maxSignature || strings.ContainsAny(got, "\n\r\t\x1b") {
			t.Errorf("%q: %q", text, got)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q: %q is no text", text, got)
		}
		if reason := o.reason(); utf8.RuneCountInString(reason) > 201 || strings.ContainsAny(reason, "\n\r\t\x1b") {
			t.Errorf("%q: reason %q", text, reason)
		}
		if again := o.Signature(formula).String(); again != got {
			t.Errorf("%q: first %q, then %q", text, got, again)
		}
		if strings.Contains(text, "ssertion ") || strings.Contains(text, "::") || len(text) > maxPatternText {
			return // numbers may be part of the program, or cut off
		}
		o.Stderr = renumbered(rand.New(rand.NewPCG(1, 2)), text)
		if other := o.Signature(formula).String(); other != got {
			t.Errorf("with other numbers, the signature is another:\n%q: %q\n%q: %q", text, got, o.Stderr, other)
		}
	})
}

// hostileTexts are long and have many starts of failures.
func hostileTexts() map[string]string {
	texts := map[string]string{}
	for name, part := range map[string]string{
		"brackets": "<(", "newlines": "\n", "spaces": " ", "panics": "panic: x\n", "heads": "a: b\n", "files": "  File \"x\", line 1, in f\n",
		"at": "\tat a.b(C.java:1)\n", "jsat": "    at f (x:1:2)\n", "frames": "  #1 0x12 in f x.c:3\n", "numbers": "12 0x12,", "quotes": "\"'`",
		"exceptions": "a.B: c\n\tat a.b(C.java:1)\n", "assertions": "a:1: b: c: Assertion `d\n", "perl": "x at y line 3.\n", "ruby": "a:1:in `b': c (D\n",
		"haskell": "CallStack (from HasCallStack):\na: b\n", "dots": "a.b.c.D", "tracks": "==1== A\n==1==    at 0x1: f (x\n",
	} {
		texts[name] = strings.Repeat(part, 20000/len(part))
	}
	return texts
}

// TestBounded: no text takes long.
func TestBounded(t *testing.T) {
	t.Parallel()
	for name, text := range hostileTexts() {
		began := time.Now()
		(&sample{formula: text}).signatureOf(text)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// TestPattern: messages as tools print them.
func TestPattern(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"out of memory", "out of memory"},
		{"can't open 'x' (errno 2)", "can't open …errno …"},
		{"ltl2ba: expected ')', saw 'p0'", "ltl…: expected …, saw …"},
		{">>> (p0 U ", "…"},
		{"xcheck: formula: 1:3: expected an operator or the end, found \"b\"", "xcheck: formula: …:…: expected an operator or the end, found …"},
		{"terminate called after throwing an instance of 'std::bad_alloc'", "terminate called after throwing an instance of 'std::bad_alloc'"},
		{"no state ':: (p0) -> x' and ':: ::'", "no state … and …"},
		{"*** Error in `./x': double free (out): 0x0000000001c2b010 ***", "*** Error in …: double free (out): …"},
		{"prog: file.c:123: foo: Assertion `p != NULL' failed.", "prog: file.…:…: foo: Assertion `p != NULL' failed."},
		{"==4242==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010", "…ERROR: AddressSanitizer: heap-use-after-free on address …"},
		{"java.lang.Object@1b2c3d4e", "java.lang.Object@…"},
		{"sh: 1: /no/such/translator: not found", "sh: …: …: not found"},
		{"killed after 1.5s", "killed after …"},
		{"killed after 200ms", "killed after …ms"},
		{"cannot translate a formula", "cannot translate … formula"},
		{"cannot translate G(req -> F grant) yet", "cannot translate … yet"},
		{"no room for !Greq | XXgrant yet", "no room for … yet"},
		{"no room for U p0 ! p1 yet", "no room for … yet"},
		{"formula \"G \\\"a b\\\"\" is bad", "formula … is bad"},
		{"formula 'G a is bad", "formula … is bad"},
		{"a run on cycle{a&!b} has to be longer", "… run on … has to be longer"},
		{"a run on a; !a; cycle{a&!b} has to be longer", "… run on … has to be longer"},
		{"don't know 'x'", "don't know …"},
		{"9:3: no state has the label T2_S31", "…:…: no state has the label …"},
		{"9:3: no state has the label accept_S3", "…:…: no state has the label …"},
		{"12:1: label T0_init occurs twice", "…:…: label … occurs twice"},
		{"12:1: label accept_all occurs twice", "…:…: label … occurs twice"},
		{"T2_ and accept_ are no labels", "T… and accept_ are no labels"},
		{"\x1b[31merror\tat\r", "…merror at"},
		{"“a” und ‘b’ und «c» und „d“", "… und … und … und …"},
		{"\xff\xfe bad", "\xff\xfe bad"},
		{strings.Repeat("ä", 150), strings.Repeat("ä", 100)},
	} {
		if got := Pattern(c.text, "G(req -> F grant)"); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// python is the start of a trace.
const python = "Traceback (most recent call last):\n  File \"/tmp/x.py\", line 3, in main\n    find(f)\n  File \"/tmp/x.py\", line 9, in find\n    return t[f]\n"

// TestSignature: what tells failures apart, and what does not.
func TestSignature(t *testing.T) {
	for _, c := range []struct {
		o    Outcome
		want string
	}{
		{Outcome{Status: outcome.OK}, ""},
		{Outcome{Status: outcome.Skipped, Detail: "no X"}, ""},
		{Outcome{Status: outcome.Exit, ExitCode: 7, Detail: "exit status 7"}, "exit 7"},
		{Outcome{Status: outcome.Exit, ExitCode: 1, Detail: "exit status 1: last", Stderr: "\n\r\n  first 3\nlast\n"}, "exit 1: first …; last"},
		{Outcome{Status: outcome.Crash, ExitCode: 11, Detail: "killed by SIGSEGV"}, "crash 11"},
		{Outcome{Status: outcome.Crash, ExitCode: 11, Detail: "killed by SIGSEGV (status 139 of the shell)"}, "crash 11"},
		{Outcome{Status: outcome.Crash, ExitCode: 6, Detail: "killed by SIGABRT", Stderr: "x.c:5: oops"}, "crash 6: ….…:…: oops"},
		{Outcome{Status: outcome.Timeout, ExitCode: -1, Detail: "killed after 2s"}, "timeout: killed after …"},
		{Outcome{Status: outcome.Timeout, ExitCode: -1, Detail: "killed after 2s", Stderr: "state 100000\n"}, "timeout: state …"},
		{Outcome{Status: outcome.Syntax, Detail: `1:5: expected a number; the output starts with "HOA: v2"`, Stderr: "welcome\n"}, "syntax: …:…: expected … number; the output starts with …: …"},
		{Outcome{Status: outcome.Syntax, Detail: `1:1: expected an automaton, found "Error"; the output starts with "Error: can't read G(a) \"x\", out of mem"…`}, "syntax: …:…: expected an automaton, found …; the output starts with Error: can't read …, out of"},
		{Outcome{Status: outcome.MissingState, Detail: "9:1: state 12 has no State: line: every state needs one, even without edges", Stderr: "warning"},
			"missing-state"},
		// What was said on standard output counts if nothing else was said, but no automaton.
		{Outcome{Status: outcome.Exit, ExitCode: 1, said: "HOA: v1\nStates: 3\nValueError: no rule for U\n"}, "exit 1: ValueError: no rule for …"},
		{Outcome{Status: outcome.Exit, ExitCode: 1, said: "HOA: v1\nname: \"Ga\"\nStates: 3\nAP: 1 \"a\"\n"}, "exit 1"},
		{Outcome{Status: outcome.Exit, ExitCode: 1, said: "reading Ga\ntl_spin: expected ')', saw 'a'\n", Stderr: " \n"}, "exit 1: tl_spin: expected …, saw …"},
		{Outcome{Status: outcome.Exit, ExitCode: 1, said: "panic: no\n", Stderr: "oops\n"}, "exit 1: oops"},
		// The last program of a pipe does not fail when the first does.
		{Outcome{Status: outcome.NoOutput, Detail: "exit status 0, but no output", Stderr: python + "KeyError: 'Ga'\n"}, "no-output: KeyError: … (in find, main)"},
		{Outcome{Status: outcome.NoOutput, Detail: "exit status 0, but no output"}, "no-output: exit status …, but no output"},
		{Outcome{Status: outcome.Syntax, Detail: "1:1: expected an automaton", Stderr: python + "KeyError: 'Ga'\n"}, "syntax: …:…: expected an automaton; KeyError: … (in find, main)"},
		{Outcome{Status: outcome.Syntax, Detail: "1:1: expected an automaton", Stderr: python + "ValueError: bad 'Ga'\n"}, "syntax: …:…: expected an automaton; ValueError: bad … (in find, main)"},
		// A program that was killed may have been anywhere.
		{Outcome{Status: outcome.Timeout, ExitCode: -1, Detail: "killed after 2s", Stderr: "phase one\n" + python + "KeyboardInterrupt\n"}, "timeout: phase one"},
		// Of several failures, the first and the last are told.
		{Outcome{Status: outcome.Crash, ExitCode: 6, Stderr: "t: t.c:5: f: Assertion `n' failed.\n" + python + "OSError: 6\n"}, "crash 6: …: ….…:…: …: Assertion `n' failed.; OSError: … (in find, main)"},
		{Outcome{Status: outcome.Exit, ExitCode: 1, Stderr: "AError: a thing\nBError: two\nCError: three\nDError: four\nEError: five\nBError: two\n"}, "exit 1: AError: … thing; BError: two"},
		{Outcome{Status: outcome.Exit, ExitCode: 1, Stderr: "cannot open the cache, going on\nno rule\n"}, "exit 1: cannot open the cache, going on; no rule"},
		{Outcome{Status: outcome.Exit, ExitCode: 1, Stderr: "Error:\n  no rule for 'U'\nsee https://x.org\n"}, "exit 1: Error: no rule for …"},
		{Outcome{Status: outcome.Exit, ExitCode: 1, Stderr: "----\n  \n===\n"}, "exit 1"},
		{Outcome{Status: outcome.Exit, ExitCode: 1, Stderr: "warning: slow\n"}, "exit 1: warning: slow"},
		{Outcome{Status: outcome.Aborted, Detail: "the translator gave up (--ABORT--)"}, "aborted: the translator gave up (--ABORT--)"},
	} {
		if got := c.o.Signature("Ga").String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.o, got, c.want)
		}
	}
}

// TestSignatureProperty: messages that differ only in numbers, addresses, paths,
// quoted text or formulas in any syntax have one signature; other signals,
// statuses and messages another.
func TestSignatureProperty(t *testing.T) {
	t.Parallel()
	seed := campaign.Seed(t, 1)
	rng := rand.New(rand.NewPCG(seed, 0))
	templates := []string{
		"error %d: too many states (%d of %d)",
		"line %d: unexpected %q in %f",
		"assertion failed at %x, %x",
		"can't open %p: no such file",
		"%p:%d: syntax error near %f, giving up",
		"formula %f has no translation",
		"rest of the formula: %r",
		"%f: too big",
		"took %d s and %d bytes for '%f', stop",
		"proposition %n of \"%f\" is not known",
	}
	seen := map[string]string{}
	for _, template := range templates {
		for _, status := range []Outcome{{Status: outcome.Exit, ExitCode: 1}, {Status: outcome.Exit, ExitCode: 2}, {Status: outcome.Crash, ExitCode: 6}, {Status: outcome.Crash, ExitCode: 11}, {Status: outcome.NoOutput}} {
			want := ""
			for range campaign.Inputs(t, 200) {
				names := [][]string{{"a", "b", "c"}, {"p0", "p1", "p10"}, {"req", "grant", "x_1"}}[rng.IntN(3)]
				f := must.Get(must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: rng.Uint64(), Props: names, MinSize: 2, MaxSize: 20, Weights: map[ltl.Op]int{ltl.OpFalse: 0, ltl.OpTrue: 0}})).Next())
				o := status
				o.Stderr = message(rng, template, f) + "\nmore\n"
				got := o.Signature(f.String()).String()
				if want == "" {
					want = got
				}
				if got != want {
					t.Fatalf("%q: for %s (seed %d), %q is not\n%q", template, f, seed, got, want)
				}
			}
			if before, ok := seen[want]; ok {
				t.Errorf("%q and %q have the same signature %q", before, template, want)
			}
			seen[want] = template
		}
	}
}

// message fills a template.
func message(rng *rand.Rand, template string, f *ltl.Formula) string {
	syntaxes := []ltl.Syntax{ltl.Spot, ltl.Spin, ltl.LBT, ltl.Wring}
	syntax := syntaxes[rng.IntN(len(syntaxes))]
	text, err := f.Parenthesized(syntax, ltl.Every)
	if err != nil {
		text = f.String()
	}
	var b strings.Builder
	for i := 0; i < len(template); i++ {
		if template[i] != '%' {
			b.WriteByte(template[i])
			continue
		}
		i++
		switch template[i] {
		case 'd':
			b.WriteString([]string{
				fmt.Sprint(rng.IntN(1 << rng.IntN(40))), fmt.Sprint(-rng.IntN(100)), fmt.Sprintf("%.3f", rng.ExpFloat64()),
				fmt.Sprintf("%g", rng.ExpFloat64()*1e-9), "1,000,000",
			}[rng.IntN(5)])
		case 'x':
			fmt.Fprintf(&b, "0x%x", rng.Uint64())
		case 'p':
			fmt.Fprintf(&b, "/tmp/xcheck-%d/in%d/tmp.%c%c", rng.IntN(1e9), rng.IntN(100), 'a'+rng.IntN(26), 'A'+rng.IntN(26))
		case 'q':
			b.WriteString([]string{"'x'", "`the end'", `"p0 \"q"`, "‘G a’"}[rng.IntN(4)])
		case 'f':
			b.WriteString(text)
		case 'r':
			// From the start of a word or symbol on, with a word in it.
			from := rng.IntN(1 + strings.LastIndexFunc(text, letter))
			for from > 0 && letter(rune(text[from-1])) {
				from--
			}
			b.WriteString(text[from:])
		case 'n':
			b.WriteString(f.Props()[0])
		}
	}
	return b.String()
}

// TestMisquoted: quotes around a formula are found, with what to write instead.
func TestMisquoted(t *testing.T) {
	for _, c := range []struct {
		text, reason string // "" if it is right
		at           int
	}{
		{"mytool '%f'", "%f is inside single quotes, but its value is already quoted: write %f instead of '%f'", 8},
		{`mytool "%s" > %O`, `%s is inside double quotes, but its value is already quoted, so the tool would get the quotes: write %s instead of "%s"`, 8},
		{`mytool '%[MW]l'`, "%[MW]l is inside single quotes, but its value is already quoted: write %[MW]l instead of '%[MW]l'", 8},
		{"sh -c 'mytool %f'", "%f is inside single quotes, but its value is already quoted: move it out of the quotes, as in 'mytool '%f, or pass it on as an argument, as in sh -c 'mytool \"$1\"' sh %f", 14},
		{`mytool --formula="%w"`, `%w is inside double quotes, but its value is already quoted, so the tool would get the quotes: write %w instead of "%w"`, 18},
		{`mytool "!(%f)"`, `%f is inside double quotes, but its value is already quoted, so the tool would get the quotes: move it out of the quotes, as in 'mytool '%f, or pass it on as an argument, as in sh -c 'mytool "$1"' sh %f`, 10},
		{"x=$(mytool '%f'); echo \"$x\"", "%f is inside single quotes, but its value is already quoted: write %f instead of '%f'", 12},
		{"x=`mytool '%f'`; echo $x", "%f is inside single quotes, but its value is already quoted: write %f instead of '%f'", 11},
		{"mytool '-x %f", "missing single quote: the last one is not closed", 13},
		{`mytool "$(case %f in a) echo '%f';; esac)"`, "%f is inside single quotes, but its value is already quoted: write %f instead of '%f'", 30},
		{"mytool `echo %f` \"`echo '%f'`\"", "%f is inside single quotes, but its value is already quoted: write %f instead of '%f'", 25},
		{`mytool %f "`, "missing double quote: the last one is not closed", 11},
		{"mytool %f '", "missing single quote: the last one is not closed", 11},
		{"mytool `%f", "missing backquote: the last one is not closed", 10},

		{text: `mytool 'x'%f'y' "z"%f`},
		{text: `sh -c "mytool %f"`},
		{text: `bash -lc "%f"`},
		{text: `eval "f=%f"; mytool "$f"`},
		{text: `wrapper "mytool %f"`},
		{text: `mytool "$(sed s/U/W/ %f)"`},
		{text: "mytool %f # don't '%f'"},
		{text: "mytool <<EOF\ndon't %f\nEOF"},
		{text: "mytool '%F' \"%S\" > '%O'"},
		{text: `mytool \'%f\'`},
		{text: `mytool ${x:-'%f'}`},
		{text: `case %f in *X*) echo "it's";; *) mytool %f;; esac`},
	} {
		_, err := ParseCommand(c.text, Spawn)
		var bad *CommandError
		switch errors.As(err, &bad); {
		case c.reason == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.reason != "" && (bad == nil || bad.Reason != c.reason || bad.Offset != c.at):
			t.Errorf("%s: got %+v, want %q at %d", c.text, bad, c.reason, c.at)
		}
	}
	for text, wrong := range map[string]bool{"autfilt --name='%M' %H": true, "autfilt --name=%M '%H'": false, `autfilt "%[none]M" %H`: true} {
		if _, err := ParseAutomatonCommand(text, Spawn); (err != nil) != wrong {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestMisquotedShell gives random templates to the shell: none that is refused would have
// given the formula to the tool.
func TestMisquotedShell(t *testing.T) {
	number, seed := campaign.Seeded(t, 150, 1)
	random := rand.New(rand.NewPCG(seed, 0))
	pieces := []string{"'", "'", `"`, `"`, "%f", "%f", "%f", " ", " ", "x", "=", `\`, "$(", ")", "`", "# ", "\n", "tool ", "sh -c ", "eval ", "; ", "echo ", "case y in y) ", ";; esac", "$", "${z:-", "}"}
	const formula = `p U !"q r"`
	refused, good := 0, 0
	for range number {
		text := "tool "
		for range 1 + random.IntN(9) {
			text += pieces[random.IntN(len(pieces))]
		}
		if !strings.Contains(text, "%f") {
			text += "%f"
		}
		c := &Command{text: text}
		if bad := c.parse(); bad != nil {
			continue
		}
		line := must.Get(c.expand(func(byte) (string, error) { return formula, nil }))
		// The tool prints each of its arguments between two lines.
		shell := exec.Command("sh", "-c", "tool() { printf '<%s>\\n' \"$@\"; }\n"+line)
		shell.Dir = t.TempDir()
		out, err := shell.Output()
		works := err == nil && slices.Contains(strings.Split(string(out), "\n"), "<"+formula+">")
		bad := c.misquoted()
		switch {
		case works:
			good++
			// Another placeholder of the same template may be wrong.
			if bad != nil && strings.Count(text, "%f") == 1 {
				t.Errorf("seed %d: %q works, but %v", seed, text, bad)
			}
		case bad != nil:
			refused++
		}
	}
	t.Logf("%d templates: %d work, %d were refused", number, good, refused)
	if refused == 0 || good == 0 {
		t.Error("no template was refused, or none works")
	}
}
