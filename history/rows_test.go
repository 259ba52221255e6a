package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
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

// inner are the tables that only xcheck needs.
var inner = []string{"configurations", "parts", "sums", "tool_sums", "spans", "answers", "replays", "bisections", "corpus", "starts", "signatures"}

// TestDocs: docs/history.md names each table, with its columns if users query it, and its queries
// can be run.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/history.md")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "history.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tables, err := texts(t.Context(), s.reads(), "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
	if err != nil {
		t.Fatal(err)
	}
	if len(tables) < 10 {
		t.Errorf("%d tables", len(tables))
	}
	for _, table := range tables {
		columns, err := texts(t.Context(), s.reads(), "SELECT name FROM pragma_table_info(?) ORDER BY cid", table)
		if err != nil {
			t.Fatal(err)
		}
		row := fmt.Sprintf("| `%s` | `%s` |", table, strings.Join(columns, "`, `"))
		if slices.Contains(inner, table) {
			row = "`" + table + "`"
		}
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/history.md misses\n%s", row)
		}
	}
	queries := strings.Split(string(page), "```sql\n")[1:]
	if len(queries) < 1 {
		t.Errorf("%d queries", len(queries))
	}
	for _, text := range queries {
		query, _, _ := strings.Cut(text, "```")
		rows, err := s.reads().QueryContext(t.Context(), query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		for rows.Next() {
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestDictionary: what was packed needs the very same dictionary for ever.
func TestDictionary(t *testing.T) {
	const want = "4c202a74fe48c0498d92a9d525651cfb67c019e4ca942765e803de5474a76b50"
	if sum := sha256.Sum256(dictionary1); hex.EncodeToString(sum[:]) != want {
		t.Errorf("dictionary1.json has changed: files that were written with it can't be read any more")
	}
}

// TestPack: what is stored of a case is all of it, whatever its fields hold.
func TestPack(t *testing.T) {
	number, seed := campaign.Seeded(t, 200, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	for range number {
		c := new(outcome.Case)
		fill(r, reflect.ValueOf(c).Elem(), 0)
		document, err := pack(c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpack(document)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := text(t, c), text(t, got); a != b {
			t.Fatalf("packed:\n%s\nunpacked:\n%s", a, b)
		}
	}
}

// fill sets all exported fields to random values: also to none, where that is possible.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		if r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(r, v.Field(i), depth)
			}
		}
	case reflect.Slice:
		if r.IntN(5) == 0 {
			return // null
		}
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		for i := range v.Len() {
			fill(r, v.Index(i), depth+1)
		}
	case reflect.String:
		runes := make([]rune, r.IntN(12))
		for i := range runes {
			runes[i] = []rune("abU&!<->\"\\\n\t\x00é∞\u2028\ufffd😀")[r.IntN(18)]
		}
		v.SetString(string(runes))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(r.Int64() >> r.IntN(64) * int64(1-2*r.IntN(2)))
	case reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float64:
		v.SetFloat(r.ExpFloat64() * float64(int64(1)<<r.IntN(62)))
	default:
		panic(fmt.Sprintf("a case has a field of kind %s: expected a way to fill it", v.Kind()))
	}
}

func text(t testing.TB, value any) string {
	t.Helper()
	line, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// FuzzUnpack: damaged cases are errors, and what can be read can be packed again.
func FuzzUnpack(f *testing.F) {
	document, err := pack(sample(3))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(document)
	f.Add(document[:len(document)/2])
	f.Add([]byte{})
	f.Add([]byte{packed1})
	f.Add(append([]byte{packed1 + 1}, document[1:]...))
	f.Fuzz(func(t *testing.T, document []byte) {
		c, err := unpack(document)
		if err != nil {
			return
		}
		again, err := pack(c)
		if err != nil {
			t.Fatal(err)
		}
		d, err := unpack(again)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := text(t, c), text(t, d); !bytes.Equal([]byte(a), []byte(b)) {
			t.Errorf("%s, packed again: %s", a, b)
		}
	})
}

// TestUnpackDamaged: a bit that has changed is an error or another case, and one that is cut
// off is an error.
func TestUnpackDamaged(t *testing.T) {
	document, err := pack(sample(3))
	if err != nil {
		t.Fatal(err)
	}
	for i := range document {
		if _, err := unpack(document[:i]); err == nil {
			t.Errorf("the first %d of %d bytes can be read", i, len(document))
		}
		damaged := bytes.Clone(document)
		damaged[i] ^= 0x10
		unpack(damaged) // does not panic
	}
}
