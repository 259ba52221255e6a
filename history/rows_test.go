package history

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
)

var update = flag.Bool("update", false, "write the files of testdata")

// TestRows: what a run stores, row for row, but for times and what is random. A change of the file is
// a change of the format.
func TestRows(t *testing.T) {
	s := openTemporary(t)
	command := func(c *outcome.Cause) string { return "xcheck run -f " + c.Formula }
	for night, causes := range [][]*outcome.Cause{
		{
			{Translators: []string{"bad", "good"}, Class: outcome.ParseClass("extra and missing words"), Formula: "Ga", Ground: true, Word: "cycle{a}", Size: 1, Shortest: true, Formulas: 3, Original: "G(a & b)", Key: "words | Ga"},
			{Translators: []string{"bad"}, Class: outcome.ParseClass("crash 11: assertion failed: …"), Formula: "Fa", Formulas: 1, Original: "Fa", Key: "crash 11: assertion failed: …"},
			{Translators: []string{"bad"}, Class: outcome.ParseClass("property: deterministic, of the negation only"), Formula: "a U b0", Polarity: outcome.Negation, Formulas: 1, Original: "a U b0", Key: "property: deterministic | Fa"},
		},
		{{Translators: []string{"bad"}, Class: outcome.ParseClass("missing words, of the negation only"), Formula: "Xa", Ground: true, Polarity: outcome.Negation, Formulas: 1, Original: "Xa", Key: "words | Xa"}},
	} {
		p := plan(fmt.Sprintf("night %d", night))
		var err error
		if p.Replayed, err = s.Replays(ctx, []string{"bad"}); err != nil {
			t.Fatal(err)
		}
		r, err := s.Begin(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		var decided Decided
		for i, formula := range append(p.Replayed, "a U b", "F(a & b)") {
			c := sample(i)
			c.Formula, c.Replayed = formula, i < len(p.Replayed)
			switch i % 3 {
			case 0:
				c.Disagreements = []outcome.Disagreement{}
			case 1:
				c.Results[2] = outcome.Result{Subject: c.Results[2].Subject, Status: "crash", ExitCode: 11, Detail: "killed by SIGSEGV", Failure: outcome.ParseClass("crash 11: assertion failed: …")}
				c.Results[3] = outcome.Result{Subject: c.Results[3].Subject, Status: "skipped", Detail: "X is not supported"}
				c.Findings = []outcome.Finding{{Subject: c.Results[0].Subject, Class: "property", Property: "deterministic", Text: "state 0 has two edges on a"}}
			}
			if err := r.Add(c); err != nil {
				t.Fatal(err)
			}
			decided.Add(c)
		}
		if _, err := r.Compare(ctx, causes, command, &decided); err != nil {
			t.Fatal(err)
		}
		if err := r.End(1, true, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	const file = "testdata/rows.txt"
	got := rows(t, s)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || got != string(want) {
		t.Errorf("%s (%v) is not what is stored:\n%s", file, err, got)
	}
}

// rows returns all rows of all tables. A case is shown as its document.
func rows(t *testing.T, s *Store) string {
	t.Helper()
	var b strings.Builder
	tables, err := texts(ctx, s.db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		columns, err := texts(ctx, s.db, "SELECT name FROM pragma_table_info(?)", table)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := texts(ctx, s.db, "SELECT concat_ws(', ', quote("+strings.Join(columns, "), quote(")+")) FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s (%s)\n", table, strings.Join(columns, ", "))
		for _, line := range lines {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	dump := regexp.MustCompile(`X'[0-9A-F]*'`).ReplaceAllString(b.String(), "…") // packed, see TestPack
	dump = regexp.MustCompile(`'\d{4}-\d\d-\d\dT[^']*'`).ReplaceAllString(dump, "TIME")
	dump = regexp.MustCompile(`'[0-9a-f]{32}'`).ReplaceAllString(dump, "UID")
	dump = regexp.MustCompile(`TIME, TIME, [0-9.e-]+`).ReplaceAllString(dump, "TIME, TIME, SPENT")
	all := "cases, as documents\n"
	documents, err := s.db.Query("SELECT document FROM cases ORDER BY run, number")
	if err != nil {
		t.Fatal(err)
	}
	defer documents.Close()
	for documents.Next() {
		var document []byte
		if err := documents.Scan(&document); err != nil {
			t.Fatal(err)
		}
		c, err := unpack(document)
		if err != nil {
			t.Fatal(err)
		}
		all += "  " + text(t, c) + "\n"
	}
	return dump + all
}
