package history

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A tale is a sequence of nights. Causes are written "translator class FORMULA", with a key
// that is the class and the formula (or what stands behind |), and replays "translator FORMULA
// status", where the status may be "words" for an automaton that is wrong. "FORMULA < ORIGINAL" was
// shrunk, and "FORMULA << ORIGINAL" not to the end.
type tale struct {
	name   string
	nights []told
}

type told struct {
	causes  []string
	replays []string
	tools   string // of the run; "a b" if it is not set
	killed  bool   // the run does not come to its end
	again   bool   // it is the run of the line before, which goes on
	weak    bool   // it compares no languages and no properties
	want    string // "key: state", in the order of the report
}

var tales = []tale{
	{"from new to back again", []told{
		{want: ""},
		{causes: []string{"a words Ga"}, want: "a words Ga: new"},
		{causes: []string{"a words Ga"}, replays: []string{"a Ga words"}, want: "a words Ga: known"},
		{replays: []string{"a Ga ok"}, want: "a words Ga: fixed"},
		{replays: []string{"a Ga ok"}, want: ""},
		{causes: []string{"a words Ga"}, want: "a words Ga: back again"},
		{causes: []string{"a words Ga"}, want: "a words Ga: known"},
		{replays: []string{"a Ga ok"}, want: "a words Ga: fixed"},
		{causes: []string{"a words Ga"}, want: "a words Ga: back again"},
	}},
	{"what could not be decided is not fixed", []told{
		{causes: []string{"a words Ga", "b exit GFa", "a property Fa"}, want: "a words Ga: new, b exit GFa: new, a property Fa: new"},
		{want: "a words Ga: unseen, a property Fa: unseen, b exit GFa: unseen"},
		{replays: []string{"a Ga timeout", "b GFa skipped", "a Fa syntax"}, want: "a words Ga: unseen, a property Fa: unseen, b exit GFa: unseen"},
		{replays: []string{"a Ga undecided", "b GFa timeout", "a Fa undecided"}, want: "b exit GFa: fixed, a words Ga: unseen, a property Fa: unseen"},
		{replays: []string{"a Ga ok", "a Fa ok"}, weak: true, want: "a words Ga: unseen, a property Fa: unseen"},
		{replays: []string{"a Ga ok", "a Fa ok"}, want: "a words Ga: fixed, a property Fa: fixed"},
		{causes: []string{"b exit GFa"}, want: "b exit GFa: back again"},
	}},
	{"a translator that is not there", []told{
		{causes: []string{"a words Ga", "b words Fb"}, want: "a words Ga: new, b words Fb: new"},
		{tools: "b", causes: []string{"b words Fb"}, want: "b words Fb: known"},
		{causes: []string{"b words Fb"}, replays: []string{"a Ga ok"}, want: "b words Fb: known, a words Ga: fixed"},
	}},
	{"one cause of two translators", []told{
		{causes: []string{"a+b words Ga"}, want: "a+b words Ga: new"},
		{causes: []string{"a+b words Ga"}, want: "a+b words Ga: known"},
		{causes: []string{"a words Ga"}, replays: []string{"b Ga ok"}, want: "a words Ga: known, b words Ga: fixed"},
		{causes: []string{"a+b words Ga"}, want: "b words Ga: back again, a words Ga: known"},
	}},
	{"a smaller formula of the same failure", []told{
		{causes: []string{"a exit G(a & b)|message"}, want: "a exit|message: new"},
		{causes: []string{"a exit Ga|message"}, replays: []string{"a G(a&b) ok"}, want: "a exit|message: known"},
		// Both have to be right.
		{replays: []string{"a Ga ok"}, want: "a exit|message: unseen"},
		{replays: []string{"a Ga ok", "a G(a&b) ok"}, want: "a exit|message: fixed"},
	}},
	{"a run that was interrupted, and goes on", []told{
		{causes: []string{"a words Ga"}, killed: true, want: "a words Ga: new"},
		{causes: []string{"a words Ga", "a words Fb"}, again: true, want: "a words Ga: new, a words Fb: new"},
		{causes: []string{"a words Fb"}, replays: []string{"a Ga ok"}, killed: true, want: "a words Fb: known, a words Ga: fixed"},
		{causes: []string{"a words Fb", "a words Ga"}, again: true, want: "a words Fb: known, a words Ga: known"},
		{replays: []string{"a Fb ok", "a Ga ok"}, killed: true, want: "a words Ga: fixed, a words Fb: fixed"},
		{replays: []string{"a Fb ok", "a Ga ok"}, again: true, want: "a words Ga: fixed, a words Fb: fixed"},
		{causes: []string{"a words Ga"}, want: "a words Ga: back again"},
	}},
	{"what was counted with another cause is not fixed", []told{
		{causes: []string{"a words Ga"}, want: "a words Ga: new"},
		{causes: []string{"a words a"}, replays: []string{"a Ga words"}, want: "a words a: new, a words Ga: known"},
		{replays: []string{"a Ga exit", "a a ok"}, want: "a words a: fixed, a words Ga: unseen"},
		{replays: []string{"a Ga ok", "a a ok"}, want: "a words Ga: fixed"},
		{causes: []string{"a words a"}, replays: []string{"a Ga words"}, want: "a words a: back again"},
	}},
	{"a limit ended the shrinking", []told{
		{causes: []string{"a words 1&b < F(a&b)"}, want: "a words 1&b: new"},
		{causes: []string{"a words 1&b < 1&b", "a words a&b << F(a&b)"}, replays: []string{"a 1&b words", "a F(a&b) words"}, want: "a words 1&b: known"},
		{causes: []string{"a words 1&b < 1&b", "a words Xb << GXb"}, replays: []string{"a 1&b words", "a F(a&b) words"}, want: "a words Xb: new, a words 1&b: known"},
		{causes: []string{"a words a&b << F(a&b)"}, replays: []string{"a 1&b ok", "a Xb ok", "a F(a&b) words"}, want: "a words a&b: new, a words 1&b: fixed, a words Xb: unseen"},
	}},
}

var classes = map[string]string{"words": "extra words", "exit": "exit 3: no choice is left", "property": "property: deterministic"}

// TestStates tells the tales.
func TestStates(t *testing.T) {
	for k, tale := range append(tales, tales...) {
		backwards := k >= len(tales)
		t.Run(tale.name, func(t *testing.T) {
			s := openTemporary(t)
			var r *Run
			for i, night := range tale.nights {
				if night.again {
					info := must.Get(s.Info(ctx, r.RunID.Run))
					r = must.Get(s.Resume(ctx, info))
				} else {
					r = begin(t, s, night.tools)
				}
				if backwards { // the clock; numbers give the order
					r.Started = r.Started.Add(-time.Hour * time.Duration(i))
					must.Do(r.write("UPDATE runs SET started = ? WHERE id = ?", toText(r.Started), r.RunID.Run))
				}
				if got := night.tell(t, r); got != night.want {
					t.Errorf("night %d: got %q, want %q", i+1, got, night.want)
				}
				must.Do(r.End(1, !night.killed, []byte("{}")))
			}
		})
	}
}

func begin(t *testing.T, s *Store, tools string) *Run {
	t.Helper()
	p := plan("")
	p.Tools = nil
	if tools == "" {
		tools = "a b"
	}
	for name := range strings.FieldsSeq(tools) {
		p.Tools = append(p.Tools, Tool{Name: name})
	}
	return must.Get(s.Begin(ctx, p))
}

// tell compares a run with those before it, and returns what became of the groups.
func (n *told) tell(t *testing.T, r *Run) string {
	t.Helper()
	decided := Decided{NoLanguages: n.weak, NoProperties: n.weak}
	indexes := map[string][]int32{}
	for i, text := range n.replays {
		fields := strings.Fields(text)
		c := replayed(fields[0], fields[1], fields[2])
		c.Index, indexes[fields[1]] = i, append(indexes[fields[1]], int32(i))
		decided.Add(c)
	}
	var causes []*outcome.Cause
	for _, text := range n.causes {
		text, original, shrunk := strings.Cut(text, " <")
		text, key, given := strings.Cut(text, "|")
		fields := strings.SplitN(text, " ", 3)
		c := &outcome.Cause{Record: outcome.Record{Translators: strings.Split(fields[0], "+"), Class: outcome.ParseClass(classes[fields[1]]), Formula: strings.ReplaceAll(fields[2], " ", ""), Formulas: 1}}
		if c.Original = c.Formula; shrunk {
			c.Ground, c.Unfinished, c.Original = true, original[0] == '<', strings.TrimLeft(original, "< ")
			c.Indexes = indexes[c.Original]
		}
		if !given {
			key = fields[1] + " " + c.Formula
		}
		c.Key = key
		causes = append(causes, c)
	}
	// It can be called again.
	var last string
	for range 2 {
		regression := must.Get(r.Compare(ctx, causes, func(c *outcome.Cause) string { return "show " + c.Formula }, &decided))
		var list []string
		for _, g := range regression.Groups {
			_, key, _ := strings.Cut(g.Key, " | ")
			if key == "message" {
				key = "exit|message"
			}
			list = append(list, fmt.Sprintf("%s %s: %s", strings.Join(g.Translators, "+"), key, g.State))
			if (g.First == nil) != (g.State == outcome.StateNew) || g.First != nil && (g.First.Run >= r.RunID.Run || g.Last.Run < g.First.Run || g.Last.Run >= r.RunID.Run) {
				t.Errorf("%+v: met first in %+v, last in %+v", g, g.First, g.Last)
			}
		}
		got := strings.Join(list, ", ")
		if last != "" && got != last {
			t.Errorf("compared again: got %q, and before %q", got, last)
		}
		last = got
	}
	return last
}

// replayed is the case of a formula that is replayed.
func replayed(translator, formula, status string) *outcome.Case {
	c := &outcome.Case{Formula: formula, Replayed: true, Checked: true, Reference: "reference"}
	for _, negated := range []bool{false, true} {
		c.Results = append(c.Results, outcome.Result{Subject: outcome.Subject{Translator: translator, Polarity: outcome.Polarity(negated)}, Status: "ok"})
	}
	subject := c.Results[0].Subject
	switch status {
	case "ok":
	case "words":
		c.Disagreements = []outcome.Disagreement{{Kind: "extra", Blamed: []outcome.Subject{subject}}}
	case "undecided":
		c.Undecided = []outcome.Undecided{{Check: "P other & !(" + subject.Symbol() + ")"}}
	case "proved":
		c.Reference = ""
		for i := range c.Results {
			c.Results[i].Proved = true
		}
	case "alone", "late", "paired", "half":
		// What it was compared with: nothing, another translator, half of the reference.
		other := outcome.Result{Subject: outcome.Subject{Translator: "other"}, Status: "ok"}
		switch status {
		case "half":
			c.Undecided = []outcome.Undecided{{Check: "comparison with N reference"}}
			return c
		case "late":
			other.Status = "timeout"
		}
		if c.Reference = ""; status != "alone" {
			c.Results = append(c.Results, other)
		}
	case "exit":
		c.Results[0].Status, c.Results[0].Failure = outcome.Exit, outcome.ParseClass(classes[status])
	default:
		c.Results[0].Status, c.Results[0].Failure = outcome.Status(status), outcome.ParseClass(status)
	}
	return c
}

// TestReplays: each night begins with the formulas of all failures. Failures of a killed run
// count too, until a later run has come to its end.
func TestReplays(t *testing.T) {
	s := openTemporary(t)
	want := func(tools string, want ...string) {
		t.Helper()
		got, err := s.Replays(ctx, strings.Fields(tools))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("replays of %s: got %q, want %q; %v", tools, got, want, err)
		}
	}
	want("a b")
	r := begin(t, s, "")
	night := told{causes: []string{"a words G(a&b)|k", "b exit Fb"}}
	night.tell(t, r)
	must.Do(r.End(1, true, nil))
	want("a b", "Fb", "G(a&b)")
	want("a", "G(a&b)")
	want("c")
	// No more than some of each, the shortest.
	r = begin(t, s, "")
	for _, formula := range []string{"Ga", "GFa", "GFFa", "GFFFFa"} {
		night := told{causes: []string{"a words " + formula + "|k"}}
		night.tell(t, r)
	}
	must.Do(r.End(1, true, nil))
	want("a", "Ga", "GFa", "GFFa")
	// A run that is killed has no groups, but its failures are known.
	r = begin(t, s, "")
	c := replayed("a", "XXa", "words")
	c.Replayed, c.Index = false, 3
	must.Do(r.Add(c))
	must.Do(r.Flush())
	want("a", "Ga", "GFa", "XXa", "GFFa")
	begin(t, s, "").Flush() // one more that is killed does not help
	want("a", "Ga", "GFa", "XXa", "GFFa")
	if err := begin(t, s, "b").End(0, true, nil); err != nil { // nor one without the translator
		t.Fatal(err)
	}
	want("a", "Ga", "GFa", "XXa", "GFFa")
	// Nor a run that should have replayed it and did not: it was another shard's, or the run
	// reached its deadline.
	for _, done := range []bool{false, true} {
		want("a", "Ga", "GFa", "XXa", "GFFa")
		r = begin(t, s, "")
		must.Get(s.db.Exec(`UPDATE runs SET replayed = '["XXa"]' WHERE id = ?`, r.RunID.Run))
		if c := replayed("a", "XXa", "ok"); done {
			must.Do(r.Add(c))
		}
		must.Do(r.End(0, true, nil))
	}
	want("a", "Ga", "GFa", "GFFa")
	must.Get(s.Prune(ctx, 0, time.Time{}, false))
	want("a", "Ga", "GFa", "GFFa")
}

// TestLaterRuns: a run that goes on after another one has ended is compared with those before
// it only, as if nobody had stopped it.
func TestLaterRuns(t *testing.T) {
	s := openTemporary(t)
	first, second := begin(t, s, ""), begin(t, s, "")
	night := told{causes: []string{"a words Ga"}}
	if got := night.tell(t, second); got != "a words Ga: new" {
		t.Errorf("the second run: %s", got)
	}
	if got := night.tell(t, first); got != "a words Ga: new" {
		t.Errorf("the first run: %s", got)
	}
	if got := night.tell(t, second); got != "a words Ga: known" {
		t.Errorf("the second run, again: %s", got)
	}
}

// TestCompared: a translator of which the automata were compared with nothing that is right may
// be as wrong as before.
func TestCompared(t *testing.T) {
	for status, want := range map[string]bool{"ok": true, "proved": true, "paired": true, "late": false, "alone": false, "half": false, "undecided": false, "timeout": false} {
		var d Decided
		d.Add(replayed("a", "Ga", status))
		if got := d.could("a", outcome.ParseClass(classes["words"]), "Ga"); got != want {
			t.Errorf("%s: words can be told: %t, want %t", status, got, want)
		}
		if got, want := d.could("a", outcome.ParseClass(classes["property"]), "Ga"), status != "undecided" && status != "timeout"; got != want {
			t.Errorf("%s: a property can be told: %t, want %t", status, got, want)
		}
	}
}
