package suite

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/lab/bench"
)

const pairs = "testdata/pairs"

func names(list []Problem) (text []string) {
	for _, p := range list {
		text = append(text, strings.TrimSuffix(p.Name+" "+string(p.Expected), " "))
	}
	return text
}

func TestProblems(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	for _, test := range []struct {
		kind Kind
		list string // content of the list file
		want []string
	}{
		{Inclusion, "", []string{"persistence_A.hoa;persistence_B.hoa", "persistence_B.hoa;persistence_A.hoa",
			"response_A.hoa;response_B.hoa", "response_B.hoa;response_A.hoa"}},
		{Complement, "", []string{"alone.hoa", "persistence_A.hoa", "persistence_B.hoa", "response_A.hoa", "response_B.hoa"}},
		{Inclusion, "# both\na;b\n\nb;a;false\n", []string{"a;b", "b;a false"}},
		{Complement, "a b.hoa\n", []string{"a b.hoa"}},
		{Inclusion, "a;b;yes", []string{`list:1: answer "yes": expected true or false`}},
		{Inclusion, "\na", []string{"list:2: expected LEFT;RIGHT or LEFT;RIGHT;ANSWER"}},
		{Complement, "a;b", []string{"list:1: expected the name of one file"}},
		{Complement, "\n", []string{"no problems in list: expected files that end in .hoa, .ba, .autfilt"}},
	} {
		s := Suite{Kind: test.kind, Folder: pairs}
		if test.list != "" {
			s.List = list
			must.Do(os.WriteFile(list, []byte(test.list), 0o666))
		}
		problems, err := s.Problems()
		got := names(problems)
		if err != nil {
			got = []string{strings.ReplaceAll(err.Error(), filepath.Dir(list)+"/", "")}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("list %q (-want +got):\n%s", test.list, diff)
		}
	}
	empty := Suite{Folder: t.TempDir()}
	if _, err := empty.Problems(); err == nil || !strings.Contains(err.Error(), "expected pairs of files such as") {
		t.Errorf("an empty folder: got %v", err)
	}
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string][2]string{
		"x_A.hoa":      {"x_A", ".hoa"},
		"a.c_A.ba.hoa": {"a.c_A", ".ba.hoa"},
		"README.md":    {"README.md", ""},
	} {
		if stem, suffix := splitName(name); [2]string{stem, suffix} != want {
			t.Errorf("%s: got %q and %q, want %q", name, stem, suffix, want)
		}
	}
}

func run(t *testing.T, s *Suite) []Result {
	t.Helper()
	problems, err := s.Problems()
	if err != nil {
		t.Fatal(err)
	}
	var results []Result
	err = s.Run(t.Context(), problems, func(r Result) error {
		results = append(results, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func rivals(t *testing.T, kind Kind, texts ...string) (list []Rival) {
	t.Helper()
	for _, text := range texts {
		r := must.Get(ParseRival(text, kind))
		list = append(list, r)
	}
	return list
}

// TestInclusion has rivals that always give the same answer, fail, and run for too long.
func TestInclusion(t *testing.T) {
	s := &Suite{Kind: Inclusion, Folder: pairs, Time: time.Minute, Memory: 1 << 30}
	s.Rivals = rivals(t, Inclusion, "yes=true %L %R", "no=! test -r %L -a -r %R", "broken=test %L %R = ; exit 3", "absent=no-such-program %L %R")
	late := &Suite{Kind: Inclusion, Folder: pairs, Time: 100 * time.Millisecond, Memory: 1 << 30, Rivals: rivals(t, Inclusion, "asleep=sleep 100; : %L %R")}
	got := map[string]string{}
	for _, r := range append(run(t, s), slices.DeleteFunc(run(t, late), func(r Result) bool { return r.Tool == Self })...) {
		text := string(r.Status)
		if r.Answer != "" {
			text = string(r.Answer)
		}
		if r.Wrong {
			text += "!"
		}
		got[r.Tool] = strings.TrimSpace(got[r.Tool] + " " + text)
	}
	want := map[string]string{Self: "true false true false", "yes": "true true! true true!", "no": "false! false false! false",
		"broken": "failed failed failed failed", "asleep": "timeout timeout timeout timeout", "absent": "failed failed failed failed"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestProcessorTime has rivals that work for too long, and that sleep for longer.
func TestProcessorTime(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	must.Do(os.WriteFile(list, []byte("persistence_A.hoa;persistence_B.hoa"), 0o666))
	s := &Suite{Kind: Inclusion, Folder: pairs, List: list, Time: 300 * time.Millisecond, Memory: 1 << 30, Processor: true}
	s.Rivals = rivals(t, Inclusion, "busy=while :; do :; done; : %L %R", "asleep=sleep 0.5; : %L %R")
	for _, r := range run(t, s) {
		switch {
		case r.Tool == "busy" && (r.Status != Timeout || r.Seconds < 0.3):
			t.Errorf("%+v", r)
		case r.Tool != "busy" && (r.Status != Solved || r.Seconds > 0.3):
			t.Errorf("%+v", r)
		case r.Tool == Self && (r.DecidedBy == "" || r.Seconds == 0):
			t.Errorf("%+v", r)
		}
	}
}

// TestLimited: the context of a problem ends at its time limit.
func TestLimited(t *testing.T) {
	for _, processor := range []bool{false, true} {
		s := &Suite{Time: 50 * time.Millisecond, Processor: processor}
		ctx, cancel := s.limited(t.Context())
		taken := s.stopwatch()
		for ctx.Err() == nil {
		}
		if err := context.Cause(ctx); err != errTime || taken() < s.Time/2 {
			t.Errorf("processor time %v: %v after %v", processor, err, taken())
		}
		cancel()
	}
}

// TestComplement has rivals that print the automaton itself, and the empty one.
func TestComplement(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.hoa")
	must.Do(os.WriteFile(empty, []byte("HOA: v1 States: 0 Acceptance: 0 t --BODY-- --END--"), 0o666))
	s := &Suite{Kind: Complement, Folder: pairs, Time: time.Minute, Memory: 1 << 30}
	s.Rivals = rivals(t, Complement, "same=cat %L", "empty=cat "+empty+" # %L", "silent=true %L")
	for _, r := range run(t, s) {
		switch {
		case r.Tool == Self && (r.Status != Solved || r.Wrong || r.States == 0):
			t.Errorf("%+v", r)
		case r.Tool == "same" && (!r.Wrong || r.Message != "the complement accepts a word of the automaton"):
			t.Errorf("%+v", r)
		case r.Tool == "empty" && (!r.Wrong || !strings.HasPrefix(r.Message, "neither the automaton nor its complement accepts ")):
			t.Errorf("%+v", r)
		case r.Tool == "silent" && (r.Status != Failed || !strings.HasPrefix(r.Message, "output: ")):
			t.Errorf("%+v", r)
		}
	}
}

// TestPublished has a wrong published answer, and a file that is missing.
func TestPublished(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	must.Do(os.WriteFile(list, []byte("persistence_A.hoa;persistence_B.hoa;false\nalone.hoa;absent.hoa"), 0o666))
	var remarks []string
	for _, r := range run(t, &Suite{Folder: pairs, List: list, Time: time.Minute, Memory: 1 << 30}) {
		remarks = append(remarks, r.Remark())
	}
	want := []string{"persistence_A.hoa;persistence_B.hoa: xcheck: answers true, published false",
		"alone.hoa;absent.hoa: xcheck: failed: open testdata/pairs/absent.hoa: no such file or directory"}
	if diff := cmp.Diff(want, remarks); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStop cancels a run while a rival works.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &Suite{Folder: pairs, Time: time.Minute, Memory: 1 << 30, Rivals: rivals(t, Inclusion, "asleep=sleep 100; : %L %R")}
	problems := must.Get(s.Problems())
	time.AfterFunc(200*time.Millisecond, cancel)
	start := time.Now()
	if err := s.Run(ctx, problems, func(Result) error { return nil }); err != context.Canceled {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

func TestParseRival(t *testing.T) {
	for _, test := range []struct {
		text string
		kind Kind
		want string
	}{
		{"a", Inclusion, `tool "a": expected NAME=COMMAND`},
		{"=a %L %R", Inclusion, `tool "=a %L %R": expected NAME=COMMAND`},
		{"a= ", Inclusion, `tool "a= ": expected NAME=COMMAND`},
		{"xcheck=a %L", Complement, `tool "xcheck=a %L": the name xcheck is taken`},
		{"a=b %L", Inclusion, `tool "a=b %L": expected %R in the command`},
		{"a=b %L %R", Complement, `tool "a=b %L %R": a complement has no %R`},
	} {
		if _, err := ParseRival(test.text, test.kind); err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.text, err, test.want)
		}
	}
}

func TestCommand(t *testing.T) {
	p := &Problem{Files: []string{"it's a.hoa", "b.hoa"}}
	plain := Rival{"spot", "autfilt --included-in=%R %L"}.command(p)
	if want := []string{"autfilt", "--included-in=b.hoa", "it's a.hoa"}; !slices.Equal(plain.Args, want) {
		t.Errorf("got %q, want %q", plain.Args, want)
	}
	shell := Rival{"spot", "A=1 autfilt %L"}.command(p)
	if want := `A=1 autfilt 'it'\''s a.hoa'`; shell.Args != nil || shell.Line != want {
		t.Errorf("got %q and %q, want %q", shell.Args, shell.Line, want)
	}
}

var sample = []Result{
	{Problem: "p", Tool: "a", Status: Solved, Seconds: 0.5, States: 3},
	{Problem: "p", Tool: "b", Status: Solved, Seconds: 0.01, States: 5, Wrong: true},
	{Problem: "q", Tool: "a", Status: Solved, Seconds: 0.1, States: 70},
	{Problem: "q", Tool: "b", Status: Timeout, Seconds: 10},
	{Problem: "r", Tool: "a", Status: Memory, Seconds: 2},
	{Problem: "r", Tool: "b", Status: Failed, Seconds: 1},
	{Problem: "s", Tool: "a", Status: Solved, Seconds: 0.4, States: 4},
	{Problem: "s", Tool: "b", Status: Solved, Seconds: 0.02, States: 4},
}

func near(x, y float64) bool { return math.Abs(x-y) < 1e-9 }

func TestRows(t *testing.T) {
	// PAR-2 of a: (0.5 + 0.1 + 20 + 0.4) / 4; the states of q do not count, since only a has them.
	want := []Row{
		{Tool: "a", Problems: 4, Solved: 3, Memory: 1, Seconds: 3, States: 3, PAR2: 5.25, Times: []float64{0.1, 0.4, 0.5}},
		{Tool: "b", Problems: 4, Solved: 2, Timeouts: 1, Failed: 1, Wrong: 1, Seconds: 11.03, States: 4, PAR2: 10.0075, Times: []float64{0.01, 0.02}},
	}
	got := Rows(sample, 10*time.Second)
	if diff := cmp.Diff(want, got, cmp.Comparer(near)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text, want := bench.Line(got[1]), "| b | 4 | 2 | 1 | 0 | 1 | 1 | 11.0 | 4 | 10.008 |"; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

func TestPlot(t *testing.T) {
	const want = `
    10 s |
         |
         |
         |               aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
         |
         |
 0.143 s |
         |
         |                               bbbbbbbbbbbbbbbb
         |               bbbbbbbbbbbbbbbb
         |
         |
         |
 0.001 s |
         +----------------------------------------------------------------
          1                                                              4 problems
          a a
          b b`
	rows := Rows(sample, 10*time.Second)
	rows[0].Times = []float64{1, 1, 1}
	if diff := cmp.Diff(want, "\n"+Plot(rows, 10*time.Second)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
