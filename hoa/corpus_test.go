package hoa_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestRecorded reads what real translators printed.
func TestRecorded(t *testing.T) {
	read, alternating := 0, 0
	for c := range campaign.Sample(corpus.Records[map[string]any](t, "recorded.jsonl.gz"), 8) {
		if c["status"] != "ok" {
			continue
		}
		a, warnings, err := hoa.ReadOne(context.Background(), []byte(c["output"].(string)))
		if err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %v\n%s", c["tool"], err, warnings, c["output"])
			continue
		}
		read++
		if a.Alternating() {
			alternating++
			if c["tool"] != "ltl3ba-H1" {
				t.Errorf("%s: alternating", c["tool"])
			}
		}
		var b bytes.Buffer
		if err := hoa.Write(context.Background(), &b, a); err != nil {
			t.Error(err)
		}
		back, _, err := hoa.ReadOne(context.Background(), b.Bytes())
		if err != nil || show(back) != show(a) {
			t.Errorf("written and read: %v\n%s\n%s", err, show(a), show(back))
		}
	}
	if read < 2908/8 || alternating == 0 {
		t.Errorf("%d outputs read, %d of them alternating", read, alternating)
	}
}

// TestCorpusAutomata reads all other automata of the corpus.
func TestCorpusAutomata(t *testing.T) {
	n := 0
	for file, keys := range map[string][]string{"automata.jsonl.gz": {"hoa"}, "pairs.jsonl.gz": {"a", "b"}, "mutants.jsonl.gz": {"hoa"}} {
		for c := range corpus.Records[map[string]any](t, file) {
			for _, k := range keys {
				n++
				if _, _, err := hoa.ReadOne(context.Background(), []byte(c[k].(string))); err != nil {
					t.Errorf("%s: %v\n%s", file, err, c[k])
				}
			}
		}
	}
	if n != 408+2*330+757 {
		t.Errorf("%d automata", n)
	}
}

// TestRecordedStream puts all outputs of each tool into one stream, which is cut into
// blocks: each comes out as it went in.
func TestRecordedStream(t *testing.T) {
	const seed = 8
	r := rand.New(rand.NewPCG(seed, 0))
	streams := map[string][]string{}
	for c := range corpus.Records[map[string]any](t, "recorded.jsonl.gz") {
		if c["status"] == "ok" {
			tool := c["tool"].(string)
			streams[tool] = append(streams[tool], c["output"].(string))
		}
	}
	for tool, outputs := range streams {
		text := strings.Join(outputs, "")
		var cuts []int
		for at := r.IntN(4096); at < len(text); at += 1 + r.IntN(4096) {
			cuts = append(cuts, at)
		}
		list := pieces(text, cuts...)
		if len(list) != len(outputs) {
			t.Fatalf("seed %d: %s: %d pieces of %d outputs", seed, tool, len(list), len(outputs))
		}
		for i, p := range list {
			if !p.Complete || string(p.Text) != strings.TrimSpace(outputs[i]) {
				t.Fatalf("seed %d: %s: %q comes out as %s", seed, tool, outputs[i], describe(p))
			}
		}
	}
}

// hoaTokens matches a token of the format. Longer tokens come first.
var hoaTokens = regexp.MustCompile(`"(\\.|[^"\\])*"|--(BODY|END|ABORT)--|[a-zA-Z_][0-9a-zA-Z_-]*:?|0|[1-9][0-9]*|@[0-9a-zA-Z_-]+|[^\s]`)

// word reports whether a byte goes on with an identifier.
var word = regexp.MustCompile(`^[0-9a-zA-Z_-]$`).MatchString

// apart reports whether two tokens need something between them. After a number, only
// another number does.
func apart(a, b string) bool {
	last, first := a[len(a)-1:], b[:1]
	if strings.Trim(a, "0123456789") == "" {
		return strings.Contains("0123456789", first)
	}
	return !strings.HasPrefix(a, "--") && word(last) && word(first)
}

// respaced returns the tokens of a text with other white space and comments between them.
func respaced(r *rand.Rand, text string) string {
	spaces := []string{"", "", " ", "\n", "\r\n", "\t", "/**/", "/* \" /* ] */ --END-- */"}
	var b strings.Builder
	before := ""
	for _, token := range hoaTokens.FindAllString(text, -1) {
		space := spaces[r.IntN(len(spaces))]
		if before != "" && space == "" && apart(before, token) {
			space = " "
		}
		b.WriteString(space + token)
		before = token
	}
	return b.String()
}

// TestSpacing: what stands between tokens does not matter, even nothing, where two tokens
// are not one.
func TestSpacing(t *testing.T) {
	const seed = 23
	r := rand.New(rand.NewPCG(seed, 0))
	names := []string{"Buchi", "generalized-Buchi 2", "parity min even 3", "Rabin 1", "Streett 2", "all"}
	for i := range campaign.Inputs(t, 500) {
		name := names[r.IntN(len(names))]
		acceptance := must.Get(omega.NamedAcceptance(name))
		a := random.Automaton(r, omega.NewAlphabet("a", "b--END--", ""), acceptance, random.Options{States: 1 + r.IntN(4), Density: 0.5, Marks: 0.4})
		var written bytes.Buffer
		must.Do(hoa.Write(context.Background(), &written, a))
		more := []string{"tool: \"x\" \"1\"", "x--END--: t 1 \"s\" y--ABORT--", "Alias: @a-1 0&!1", "properties: x-1 no--END--", "Start: 0"}[r.IntN(5)]
		text := respaced(r, strings.Replace(written.String(), "--BODY--", more+" --BODY--", 1))
		back := parsed(t, text)
		if show(back) != show(a) || back.Declared.AccName != name {
			t.Fatalf("seed %d, text %d: %s\nis read as %s, named %q,\nwant %s", seed, i, text, show(back), back.Declared.AccName, show(a))
		}
	}
}
