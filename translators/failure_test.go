package translators

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
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
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
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
	for name, text := range hostileTexts() {
		began := time.Now()
		(&sample{formula: text}).signatureOf(text)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: %v", name, took)
		}
	}
}
