package hoa_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
)

// draft returns a text in version 1.1, or in another one, with some header items.
func draft(version, items, body string) string {
	return fmt.Sprintf("HOA: %s\nStates: 1\nStart: 0\n%s\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n%s\n--END--\n", version, items, body)
}

// TestDraft: what version 1.1 has in addition is read behind its version line only, except dots in
// names. Otherwise the error or the warning names the version.
func TestDraft(t *testing.T) {
	const since = " needs version v1.1 of the format: change the first line to HOA: v1.1"
	for _, c := range []struct{ items, body, want string }{
		{`AP: 1 "a"` + "\nAlias: @a.b-c.0 0", "[@a.b-c.0] 0 {0}", "5:9: the name \"a.b-c.0\"" + since},
		{`AP: 1 "a"` + "\nspot.highlight.states: 0 1", "[0] 0 {0}", "5:1: the name \"spot.highlight.states\"" + since},
		{`AP: 1 "a"` + "\nproperties: x.y", "[0] 0 {0}", "5:13: the name \"x.y\"" + since},
		{`AP: 1 "a"` + "\nother: x.y", "[0] 0 {0}", "5:8: the name \"x.y\"" + since},
		{`Alphabet: 2 "a" "b"`, "[0] 0 {0}", "4:1: Alphabet:" + since},
		{`Start: 0&0` + "\n" + `AP: 0`, "[t] 0 {0}", ""},
	} {
		a, warnings, err := hoa.ReadOne(t.Context(), []byte(draft("v1.1", c.items, c.body)))
		if err != nil || len(warnings) > 0 || !a.Declared.Draft {
			t.Errorf("%s: %v, %v", c.items, warnings, err)
		}
		_, warnings, err = hoa.ReadOne(t.Context(), []byte(draft("v1", c.items, c.body)))
		got := strings.Trim(fmt.Sprint(warnings), "[]") // names with dots are read
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.items, got, c.want)
		}
	}
	for _, name := range []string{"a.b--END--", "a.9--END--"} { // an identifier with dots
		text := draft("v1.1", "other: "+name+"\nAP: 0", "[t] 0 {0}")
		if _, _, err := hoa.ReadOne(t.Context(), []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAlphabetErrors: what does not fit with Alphabet: or our symbols is an error with its place.
func TestAlphabetErrors(t *testing.T) {
	for items, want := range map[string]string{
		`Alphabet: 0`:                                "4:1: an alphabet has at least one letter",
		`Alphabet: 2 "a" "a"`:                        `4:17: letter "a" occurs twice`,
		`Alphabet: 1 "a" "b"`:                        `4:17: expected no more than the 1 letter announced, found "\""`,
		`Alphabet: 99999999`:                         "4:11: a number of letters is greater than 65536",
		`Alphabet: 1 "a"` + "\n" + `AP: 1 "p"`:       "5:1: both AP: and Alphabet:, of which an automaton has one",
		`Alphabet: 1 "a"` + "\n" + `Alphabet: 1 "a"`: "5:1: second Alphabet:",
		`Alphabet: 2 "a" "b"` + "\nAlias: @x 2":      "5:11: letter 2, but there are only 2 letters, numbered from 0",
		`AP: 0` + "\n" + `xcheck-symbols: "b" "a"`:   `5:21: symbol "a": expected the symbols in order`,
		`AP: 0` + "\n" + `xcheck-symbols: "a" "b"`:   `5:1: xcheck-symbols: has 2 symbols, which the propositions ["symbol0"] encode, but AP: has []`,
		`AP: 0` + "\n" + `xcheck-symbols: 3`:         `5:17: expected a symbol in double quotes, found "3"`,
	} {
		_, _, err := hoa.ReadOne(t.Context(), []byte(draft("v1.1", items, "[t] 0 {0}")))
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v\nwant %s", items, err, want)
		}
	}
	_, _, err := hoa.ReadOne(t.Context(), []byte(draft("v1.1", `Alphabet: 3 "a" "b" "c"`, "0 0")))
	if err == nil || !strings.Contains(err.Error(), "state 0 has 2 edges without a label: expected one for each of the 3 letters") {
		t.Errorf("got %v", err)
	}
}

// TestAlphabet: an automaton with letters accepts what its text says, and is written in version 1
// such that it reads as the same, with the names.
func TestAlphabet(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	accepted := 0
	for i := range campaign.Inputs(t, 300) {
		names := []string{"c", "a b", "1", "\"", "e,->", "b", "symbol0"}[:1+r.IntN(7)]
		r.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		plain, text := lettered(r, names)
		a := parsed(t, text)
		var out bytes.Buffer
		must.Do(hoa.Write(t.Context(), &out, a))
		b, warnings, err := hoa.ReadOne(t.Context(), out.Bytes())
		if err != nil || len(warnings) > 0 || !strings.HasPrefix(out.String(), "HOA: v1\n") ||
			!slices.Equal(a.Alphabet().Symbols(), b.Alphabet().Symbols()) {
			t.Fatalf("seed %d: %v, %v\n%s", seed, err, warnings, &out)
		}
		for range 10 {
			w, u, v := symbolWord(r, a.Alphabet())
			want := plain.accepts(u, v)
			if want {
				accepted++
			}
			for _, x := range []*omega.Automaton{a, b} {
				if got, err := x.Accepts(t.Context(), w); err != nil || got != want {
					t.Fatalf("seed %d, automaton %d: word %s: %v, %v, want %v\n%s", seed, i, w, got, err, want, text)
				}
				if err := x.Certify(t.Context(), w, want); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		}
	}
	if accepted < 200 {
		t.Errorf("only %d words were accepted", accepted)
	}
}

// lettered returns a random Büchi automaton in version 1.1 with these letters, and what it means.
func lettered(r *rand.Rand, names []string) (*plainBA, string) {
	n := 1 + r.IntN(4)
	plain := &plainBA{initial: "0", accepting: map[string]bool{}}
	var text strings.Builder
	fmt.Fprintf(&text, "HOA: v1.1\nStates: %d\nStart: 0\nAcceptance: 1 Inf(0)\nAlphabet: %d", n, len(names))
	for _, s := range names {
		fmt.Fprintf(&text, " \"%s\"", strings.ReplaceAll(s, `"`, `\"`))
	}
	text.WriteString("\n--BODY--\n")
	for s := range n {
		fmt.Fprintf(&text, "State: %d", s)
		if r.IntN(2) == 0 {
			plain.accepting[fmt.Sprint(s)] = true
			text.WriteString(" {0}")
		}
		text.WriteByte('\n')
		add := func(has func(i int) bool, dst int) {
			for i, name := range names {
				if has(i) {
					plain.edges = append(plain.edges, [3]string{name, fmt.Sprint(s), fmt.Sprint(dst)})
				}
			}
		}
		if r.IntN(3) == 0 { // an edge for each letter
			for i := range names {
				dst := r.IntN(n)
				fmt.Fprintf(&text, "%d ", dst)
				add(func(k int) bool { return k == i }, dst)
			}
			text.WriteByte('\n')
			continue
		}
		for range r.IntN(4) {
			x, y, dst := r.IntN(len(names)), r.IntN(len(names)), r.IntN(n)
			label, has := "t", func(int) bool { return true }
			switch r.IntN(5) {
			case 0:
				label, has = fmt.Sprint(x), func(i int) bool { return i == x }
			case 1:
				label, has = fmt.Sprintf("!%d", x), func(i int) bool { return i != x }
			case 2:
				label, has = fmt.Sprintf("%d | %d", x, y), func(i int) bool { return i == x || i == y }
			case 3:
				label, has = fmt.Sprintf("!%d&!(%d)", x, y), func(i int) bool { return i != x && i != y }
			}
			fmt.Fprintf(&text, "[%s] %d\n", label, dst)
			add(has, dst)
		}
	}
	text.WriteString("--END--\n")
	return plain, text.String()
}

// FuzzDraft: header items of version 1.1 are read, or fail with a place; what is read is written
// such that it reads as the same.
func FuzzDraft(f *testing.F) {
	for _, items := range []string{`Alphabet: 3 "a" "b" "c"`, "AP: 1 \"a\"\nAlias: @a.b 0", "AP: 1 \"symbol0\"\nxcheck-symbols: \"a\" \"b\"", "AP: 0\nx.y: z.9--END-- 3", "AP: 0\nproperties: !weak x.y"} {
		f.Add(items, "[t] 0 {0}")
		f.Add(items, "[0 | !@a.b] 0")
		f.Add(items, "0 0 0")
	}
	f.Fuzz(func(t *testing.T, items, body string) {
		a, _, err := hoa.ReadOne(t.Context(), []byte(draft("v1.1", items, body)))
		if err != nil || a.Alternating() {
			return
		}
		var out bytes.Buffer
		if err := hoa.Write(t.Context(), &out, a); err != nil {
			t.Fatalf("%v\n%s", err, items)
		}
		b, _, err := hoa.ReadOne(t.Context(), out.Bytes())
		if err != nil || !slices.Equal(a.Alphabet().Symbols(), b.Alphabet().Symbols()) || a.NumEdges() != b.NumEdges() {
			t.Fatalf("%v\n%s\nis written as\n%s", err, items, &out)
		}
		b = must.Get(b.Over(t.Context(), a.Alphabet()))
		for s := range omega.State(a.NumStates()) {
			for i, e := range a.Edges(s) {
				if e.Label != b.Edges(s)[i].Label {
					t.Fatalf("another label\n%s\nis written as\n%s", items, &out)
				}
			}
		}
	})
}

// TestCommentExamples: the examples in the comments on formats.
func TestCommentExamples(t *testing.T) {
	read := func(text string) *omega.Automaton {
		t.Helper()
		a := parsed(t, text)
		return a
	}
	written := func(write func(context.Context, io.Writer, *omega.Automaton) error, a *omega.Automaton) string {
		t.Helper()
		var b strings.Builder
		must.Do(write(t.Context(), &b, a))
		return b.String()
	}
	gfa := read(`HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [!0] 0 [0] 0 {0} --END--`)
	const options = "\tif\n\t:: ((!a)) -> goto T0_init\n\t:: ((a)) -> goto accept_S0\n\tfi;\n"
	if got, want := written(hoa.WriteNever, gfa), "T0_init:\n"+options+"accept_S0:\n"+options; !strings.Contains(got, want) {
		t.Errorf("WriteNever: %s", got)
	}
	if got, want := written(hoa.WriteLBTT, gfa), "1 1t\n0 1\n0 -1 ! \"a\"\n0 0 -1 \"a\"\n-1\n"; got != want {
		t.Errorf("WriteLBTT: %s", got)
	}
	negated := read("HOA: v1 States: 1 Start: 0 Acceptance: 2 Inf(!0) & Fin(1) | Fin(!0) --BODY-- State: 0 [t] 0 --END--")
	if got, want := negated.Acceptance().String(), "3 Inf(2) & Fin(1) | Fin(2)"; got != want {
		t.Errorf("negated marks: %s, want %s", got, want)
	}
	dra := "DRA v2 explicit\nStates: 2\nAcceptance-Pairs: 1\nStart: 0\nAP: 2 \"a\" \"b\"\n---\n"
	for _, state := range []string{"0", "1"} {
		dra += "State: " + state + "\nAcc-Sig:\n0\n1\n0\n1\n"
	}
	a := read(dra)
	if edges := a.Edges(0); len(edges) != 2 || a.Alphabet().Text(edges[0].Label) != "!a" || a.Alphabet().Text(edges[1].Label) != "a" {
		t.Errorf("edges of a DRA: %v", edges)
	}
}
