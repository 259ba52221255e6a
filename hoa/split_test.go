package hoa_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// pieces feeds a text cut at the given places, and returns the pieces, each taken as
// soon as it is there. No byte of what is fed is kept by reference.
func pieces(text string, cuts ...int) []hoa.Piece {
	var s hoa.Splitter
	var list []hoa.Piece
	take := func() {
		for p, ok := s.Next(); ok; p, ok = s.Next() {
			list = append(list, p)
		}
	}
	from := 0
	for _, to := range append(slices.Clone(cuts), len(text)) {
		data := []byte(text[from:to])
		s.Feed(data)
		clear(data)
		take()
		from = to
	}
	s.Close()
	take()
	return list
}

// describe writes a piece in a compact form: format, ! if complete, and text.
func describe(p hoa.Piece) string {
	mark := ""
	if p.Complete {
		mark = "!"
	}
	name := ""
	if p.Format != nil {
		name = p.Format.Name
	}
	return fmt.Sprintf("%s%s %q", name, mark, p.Text)
}

// examples returns an automaton in each format.
func examples(t testing.TB) (list []string) {
	names, err := filepath.Glob("testdata/formats/*")
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		list = append(list, string(must.Get(os.ReadFile(name))))
	}
	return list
}

const (
	smallNever = "never { x: skip }"
	smallLBTT  = "2 1\n0 1 0 -1\n1 & p0 ! \"a b\"\n-1\n1 0 -1\n0 t\n-1"
	smallEdges = "1 2t\n0 1\n0 1 -1 e p0 f\n0 -1 t\n-1"
	smallDSTAR = "DRA v2 explicit\nComment: \"Safra\"\nStates: 2\nAcceptance-Pairs: 1\nStart: 0\nAP: 1 \"a\"\n---\nState: 0\nAcc-Sig: +0\n0\n1\nState: 1 \"x\"\nAcc-Sig:\n1\n1"
)

// TestSplit cuts what is in the table into the pieces that it lists.
func TestSplit(t *testing.T) {
	hoaText := strings.TrimSpace(small)
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", " \r\n\t /* a /* b */ */ \uFEFF\n", nil},
		{"one of each", hoaText + "\n" + smallNever + "\r\n" + smallLBTT + "\n" + smallEdges + "\n" + smallDSTAR + "\n",
			[]string{"hoa! " + q(hoaText), "never! " + q(smallNever), "lbtt! " + q(smallLBTT), "lbtt! " + q(smallEdges), "dstar! " + q(smallDSTAR)}},
		{"a string that is cut off", "2 1\n0 1 0 -1\n1 & p0 ! \"a\n" + smallEdges,
			[]string{"lbtt " + q("2 1\n0 1 0 -1\n1 & p0 ! \"a\n"), "lbtt! " + q(smallEdges)}},
		{"one behind the other", "\uFEFF" + hoaText + hoaText + smallNever + smallLBTT + smallEdges + hoaText,
			[]string{"hoa! " + q(hoaText), "hoa! " + q(hoaText), "never! " + q(smallNever), "lbtt! " + q(smallLBTT), "lbtt! " + q(smallEdges), "hoa! " + q(hoaText)}},
		{"lines of text", "reading HOA: v1\n  never say never {\n" + hoaText + " seconds: 3 \r\n/* ok */ > \n" + smallNever + "\nbye",
			[]string{` "reading HOA: v1"`, ` "never say never {"`, "hoa! " + q(hoaText), ` "seconds: 3"`, ` ">"`, "never! " + q(smallNever), ` "bye"`}},
		{"another automaton ends one that is not complete",
			"HOA: v1 a\n HOA: v1 b\nnever { a {\nnever c\n{\n3 2\n0 1\nDRA v2 a\n2 1t\n0 1\n1 1t\n0 1\nHOA: --ABORT--",
			[]string{`hoa "HOA: v1 a\n "`, `hoa "HOA: v1 b\n"`, `never "never { a {\n"`, `never "never c\n{\n3 2\n0 1\n"`, `dstar "DRA v2 a\n"`, `lbtt "2 1t\n0 1\n"`, `lbtt "1 1t\n0 1\n"`, `hoa! "HOA: --ABORT--"`}},
		{"not within a line", "HOA: v1 HOA: v1 never { --END--", []string{`hoa! "HOA: v1 HOA: v1 never { --END--"`}},
		{"in strings and comments, only its own start ends an automaton",
			"HOA: v1 name: \"\n never {\n--END--\nHOA: x\nHOA: v1 /* --END-- \nHOA: v1 --END--never { /*\nHOA: v1 }\nnever {}",
			[]string{"hoa \"HOA: v1 name: \\\"\\n never {\\n--END--\\nHOA: x\\n\"", "hoa \"HOA: v1 /* --END-- \\n\"", `hoa! "HOA: v1 --END--"`, `never "never { /*\nHOA: v1 }\n"`, `never! "never {}"`}},
		{"automata in a comment between automata", "/*\n" + small + "*/" + smallNever, []string{"never! " + q(smallNever)}},
		{"a comment without an end", "x\n/* y\n" + small, []string{` "x"`, " " + q("/* y\n"+strings.TrimSpace(small))}},
		{"comments of claims don't nest; to the end of the line; strings", "never { /* /* */ // } \"\n \"}\" }", []string{"never! " + q("never { /* /* */ // } \"\n \"}\" }")}},
		{"no states", "0 1\n0 0t\nDRA v2 explicit\nStates: 0\n---\n", []string{`lbtt! "0 1"`, `lbtt! "0 0t"`, `dstar! "DRA v2 explicit\nStates: 0\n---"`}},
		{"behind a prompt", "> " + hoaText + "\r\n$> never { /* [](a) */\r\nx: skip }\n> never { x: skip }\nreading ... never b {\n\tx: skip\n}\n\x00HOA:v1 \n\n name: \"x\" --END--",
			[]string{` ">"`, "hoa! " + q(hoaText), ` "$>"`, `never! "never { /* [](a) */\r\nx: skip }"`, ` "> never { x: skip }"`, ` "reading ..."`, `never! "never b {\n\tx: skip\n}"`, ` "\x00"`, `hoa! "HOA:v1 \n\n name: \"x\" --END--"`}},
		{"not behind other text", "want \"HOA: v1\nname: \nno HOA: v1\nHOA: x\nStates: 1--END-- a HOA: v1 b\n a never {\n HOA: --END-- no never { /* x */ yes\n xnever {\n x: skip}\nnever",
			[]string{` "want \"HOA: v1"`, ` "name:"`, ` "no HOA: v1"`, `hoa! "HOA: x\nStates: 1--END--"`, ` "a HOA: v1 b"`, ` "a never {"`, `hoa! "HOA: --END--"`, ` "no never { /* x */ yes"`, ` "xnever {"`, ` "x: skip}"`, ` "never"`}},
		{"comments of DSTAR", strings.ReplaceAll(smallDSTAR, "\n1", " // DRA v2 } \n1 /* \n */") + " // last\n" + smallDSTAR, []string{"dstar! " + q(strings.TrimSuffix(strings.ReplaceAll(smallDSTAR, "\n1", " // DRA v2 } \n1 /* \n */"), " /* \n */")), "dstar! " + q(smallDSTAR)}},
		{"#line directives", "#line 3 \"x\"\n" + hoaText + "#line 1 \t 2\n#line 1 \"y\" " + smallNever + "\n#line \"\n", []string{"hoa! " + q(hoaText), ` "#line 1 \t 2"`, "never! " + q(smallNever), ` "#line \""`}},
		{"two numbers", "3 5\n2024 11\nyes 1\n" + hoaText + "7 1\n" + smallNever + "4 2\n 8 9\n", []string{` "3 5\n2024 11\nyes 1"`, "hoa! " + q(hoaText), ` "7 1"`, "never! " + q(smallNever), `lbtt "4 2\n 8 9\n"`}},
		{"--END-- in names, and behind other tokens",
			"HOA: v1 a-b: c--END-- d1--ABORT--2 @1--END--x_ 2e--END-- @--END-- --BODY----END--HOA: 0--END--HOA: \"x\"--END--HOA: v1 x\nHOA: ]--ABORT--",
			[]string{`hoa! "HOA: v1 a-b: c--END-- d1--ABORT--2 @1--END--x_ 2e--END-- @--END-- --BODY----END--"`, `hoa! "HOA: 0--END--"`, `hoa! "HOA: \"x\"--END--"`, `hoa "HOA: v1 x\n"`, `hoa! "HOA: ]--ABORT--"`}},
		{"a claim's name and brace on lines of their own", "never\n a \n{ }", []string{`never! "never\n a \n{ }"`}},
	} {
		var got []string
		for _, p := range pieces(c.in) {
			got = append(got, describe(p))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}

func q(s string) string { return fmt.Sprintf("%q", s) }

// TestSplitSoon: the end of an automaton is known when its last byte has been fed,
// but for LBTT without states and for DSTAR, which may end with a number.
func TestSplitSoon(t *testing.T) {
	for _, text := range []string{strings.TrimSpace(small), "HOA: --ABORT--", smallNever, smallLBTT, smallEdges, smallDSTAR + "\n"} {
		var s hoa.Splitter
		for i := range len(text) {
			if _, ok := s.Next(); ok || s.Pending() != (i > 0) {
				t.Errorf("%q: a piece, or pending %v, after %d bytes", text, s.Pending(), i)
			}
			s.Feed([]byte{text[i]})
		}
		if p, ok := s.Next(); !ok || !p.Complete || string(p.Text) != strings.TrimSpace(text) || s.Pending() {
			t.Errorf("%q: got %q, %v, pending %v", text, p.Text, ok, s.Pending())
		}
	}
}

// mixture returns random pieces with random text between them.
func mixture(r *rand.Rand) string {
	parts := []string{strings.TrimSpace(small), smallNever, smallLBTT, smallEdges, smallDSTAR, "HOA: v1 --ABORT--", "HOA: v1 name: \"\\\"HOA: --END--\\\\\" /* /* \" */ */ --END--",
		"never { // {\n /* { */ \"}\" }", "\"", "/*", "*/", "//", "\\", "{", "}", "-1", "--", "--END--", "x--END--", "@1--END--", "1--END--", "HOA:", "HOA: v1", "never", "never {", "never x {", "DRA v2", "DSA v2 explicit", "State:", "AP: 1", "States: 1", "---",
		"3 1", "1 0t", "0 1", "1", "p0", "+0", "\uFEFF", "\xEF", "\xff", "ü", "Usage: x", "> HOA: v1\nname: \"x\"", "> never {\nx: skip }", "> never { /* x */\ny:"}
	const signs = " \n\"\\/*-+!&|0a:{}" // those that mean something somewhere
	separators := []string{"\n", "\n", "\n", " ", "\r\n", "", "/* x */"}
	var b strings.Builder
	for range 1 + r.IntN(8) {
		part := parts[r.IntN(len(parts))]
		switch i := r.IntN(len(part) + 1); r.IntN(12) {
		case 0, 1: // cut off
			part = part[:i]
		case 2: // something in the midst of it
			j := r.IntN(len(part) + 1)
			part = part[:min(i, j)] + parts[r.IntN(len(parts))] + part[max(i, j):]
		case 3:
			part = part[:i] + string(signs[r.IntN(len(signs))]) + part[i:]
		}
		b.WriteString(part + separators[r.IntN(len(separators))])
	}
	return b.String()
}

// checkSplit splits a text whole and cut somehow, and compares the pieces with each other
// and with the text. Each piece is where it says. Between the pieces there are only blanks,
// comments and marks.
func checkSplit(t *testing.T, text string, cuts []int) {
	t.Helper()
	whole := pieces(text)
	if cut := pieces(text, cuts...); !reflect.DeepEqual(cut, whole) {
		t.Fatalf("%q cut at %d:\n%+v\nin one:\n%+v", text, cuts, cut, whole)
	}
	at := 0
	for _, p := range whole {
		i := offset(text, p.Line, p.Column)
		if i < at || !strings.HasPrefix(text[i:], string(p.Text)) || len(p.Text) == 0 {
			t.Fatalf("%q: piece %+v is not there", text, p)
		}
		if between(text[at:i]) {
			t.Fatalf("%q: %q is in no piece", text, text[at:i])
		}
		at = i + len(p.Text)
		if a, _, err := p.Automaton(context.Background()); err == nil && (a == nil || !p.Complete) {
			t.Fatalf("%q: piece %+v is read", text, p)
		}
	}
	if between(text[at:]) {
		t.Fatalf("%q: %q is in no piece", text, text[at:])
	}
}

// offset finds the place of a line and column the slow way.
func offset(text string, line, column int) int {
	l, c := 1, 1
	for i, r := range text {
		if r == '\uFEFF' && l == 1 && c == 1 {
			continue // at the start it is not seen
		}
		if l == line && c == column {
			return i
		}
		if c++; r == '\n' {
			l, c = l+1, 1
		}
	}
	return len(text)
}

// between reports whether there is something else than white space, comments and
// marks.
func between(text string) bool {
	for {
		text = strings.TrimLeft(text, " \t\r\n\f\v\uFEFF")
		if strings.HasPrefix(text, "//") { // in DSTAR, behind the last edge
			_, text, _ = strings.Cut(text, "\n")
			continue
		}
		if !strings.HasPrefix(text, "/*") {
			return text != ""
		}
		depth := 0
		for {
			switch {
			case text == "":
				return true
			case strings.HasPrefix(text, "/*"):
				depth++
				text = text[2:]
			case strings.HasPrefix(text, "*/"):
				depth--
				text = text[2:]
			default:
				text = text[1:]
			}
			if depth == 0 {
				break
			}
		}
	}
}

// TestSplitCuts compares the pieces of random mixtures with themselves, whatever
// the cuts.
func TestSplitCuts(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for range campaign.Inputs(t, 5000) {
		text := mixture(r)
		var all, some []int
		for i := range len(text) {
			all = append(all, i)
			if r.IntN(5) == 0 {
				some = append(some, i)
			}
		}
		checkSplit(t, text, all)
		checkSplit(t, text, some)
	}
}

func FuzzSplit(f *testing.F) {
	r := rand.New(rand.NewPCG(4, 0))
	for range 20 {
		f.Add([]byte(mixture(r)), uint64(r.Uint64()))
	}
	for i, text := range examples(f) {
		f.Add([]byte(text+text), uint64(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		var cuts []int
		for i := range data {
			if r.IntN(4) == 0 {
				cuts = append(cuts, i)
			}
		}
		checkSplit(t, string(data), cuts)
	})
}

// TestSplitMemory: a splitter that is used for long keeps no more than a piece.
func TestSplitMemory(t *testing.T) {
	var s hoa.Splitter
	text := []byte(strings.Repeat(small, 10))
	got := 0
	copies := testing.AllocsPerRun(1, func() {
		for range 1000 {
			s.Feed(text)
			for p, ok := s.Next(); ok; p, ok = s.Next() {
				if !bytes.Equal(p.Text, text[:len(p.Text)]) {
					t.Fatal("other text")
				}
				got++
			}
		}
	})
	if got != 20000 || copies > 10100 { // a copy each
		t.Errorf("%d pieces, %v allocations", got, copies)
	}
}
