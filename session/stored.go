package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A storedRun is a run that is stored in a history.
type storedRun struct {
	session *Plan
	options *cross.Options
	store   *history.Store
	run     *history.Run
	plan    *history.Plan
	resumed *history.Info   // nil if the run begins
	missed  time.Time       // the deadline of a run that was left unfinished and is over, or zero
	decided history.Decided // by replays of past failures
	triage  *triage.Triage  // groups failures on automata; nil for formulas, whose causes the reports have
	// reported are the cases that are in the reports, of a run that may stop before its end.
	reported map[int]bool
	// processes are those that have worked on the run, this one last.
	processes []report.Process
	gone      []string // translators with known failures that are not in the run
	// programs identify what runs, see Plan.fingerprints. If replaced have changed since the run that
	// resumes began, its repeated cases are checked again.
	programs map[string]string
	replaced []string
	repeated int
}

// store opens the history of a run, and begins the run there or resumes it. It returns nil if there
// is no history. A run that resumes takes over the seed of random formulas, unless the user gave one.
func (p *Plan) store(ctx context.Context, o *cross.Options) (*storedRun, error) {
	h := &p.Config.History
	if h.File == "" {
		return nil, nil
	}
	if p.Config.Checks.NoChecks && h.FailOnNew {
		return nil, errors.New("--fail-on-new cannot be combined with --no-checks")
	}
	names := []string{p.Config.Output.SaveBogus, p.Smallest}
	for _, f := range report.Written() {
		if f.Lines { // written case by case
			names = append(names, p.Config.Output.Reports[f.Name])
		}
	}
	for _, name := range names {
		if _, more := appended(name); more && p.Resume {
			return nil, fmt.Errorf("%q: --resume rewrites reports from the start; use a file name without >>", name)
		}
	}
	n := &storedRun{session: p, options: o, plan: &history.Plan{File: p.Rerun.Config, Name: h.Name,
		Shard: max(1, p.Shard.Part), Shards: max(1, p.Shard.Parts), Once: p.Resume && p.Shard.Parts > 1 && h.Name != "", Version: version.Own()}}
	var err error
	if n.plan.Configuration, err = p.configuration(o); err != nil {
		return nil, err
	}
	// Without these checks, the run can't tell whether a past failure is fixed.
	n.decided.NoLanguages = p.Config.Checks.NoComplement || p.Config.Checks.NoChecks
	n.decided.NoProperties = !p.Config.Checks.Properties
	if n.programs, err = p.fingerprints(ctx); err != nil {
		return nil, err
	}
	for _, tool := range p.Tools {
		n.plan.Tools = append(n.plan.Tools, history.Tool{Name: tool.Name, Command: tool.Command.Text(), Version: tool.Version})
	}
	if p.Automata != nil {
		n.triage = triage.New(triage.Options{}) // the causes of formulas are found by formulaCauses
	}
	if n.store, err = history.Open(ctx, h.File); err != nil {
		return nil, err
	}
	if _, err = sameInput(ctx, p.input(), n.store); err == nil {
		err = n.begin(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, n.store.Close())
	}
	return n, nil
}

// begin begins the run, or resumes it.
func (n *storedRun) begin(ctx context.Context) (err error) {
	config := n.session.Config
	now := time.Now()
	switch ahead, err := n.store.Ahead(ctx, now); {
	case err != nil:
		return err
	case ahead != nil:
		n.session.note("time runs backwards: run %d started at %s, and now it is %s; runs are in the order of their numbers",
			ahead.Run, ahead.Started.Local().Format(time.DateTime), now.Format(time.DateTime))
	}
	if baseline := config.History.Baseline; baseline != "" {
		if _, err := n.store.Find(ctx, baseline); err != nil {
			return fmt.Errorf("--baseline: %w", err)
		}
	}
	if n.session.Resume {
		if n.resumed, err = n.unfinished(ctx); err != nil {
			return err
		}
		if n.missed = n.due(); !n.missed.IsZero() {
			n.resumed = nil // its deadline has passed, so a new run begins
		}
	}
	own := int64(0)
	if n.resumed != nil {
		own = n.resumed.Run
	}
	moved, gone, err := n.store.Rename(ctx, own, n.plan.File, n.plan.Tools)
	if err != nil {
		return err
	}
	n.gone = gone
	for was, is := range moved {
		n.session.note("%s has the program of %s, and its known failures", is, was)
	}
	if n.resumed != nil {
		if n.replaced, err = n.changed(); err != nil {
			return err
		}
		if len(n.replaced) > 0 {
			if n.repeated, err = n.store.Forget(ctx, n.resumed, n.plan); err != nil {
				return err
			}
		}
		if err := n.continues(); err != nil {
			return err
		}
		n.plan.Replayed = n.resumed.Replayed // chosen when the run began
		if err := n.joins(); err != nil {
			return err
		}
		n.run, err = n.store.Resume(ctx, n.resumed)
		return err
	}
	if r := n.session.random(); r != nil {
		if r.Timed() && r.Deadline.IsZero() {
			return fmt.Errorf("until: %q is in the past, and there is no run to resume", fmt.Sprint(r.Until))
		}
		n.plan.Seed = &r.Seed
	}
	if n.plan.Replayed, err = n.store.Replays(ctx, n.names()); err != nil {
		return err
	}
	if n.session.Automata != nil {
		n.plan.Replayed = slices.DeleteFunc(n.plan.Replayed, func(text string) bool {
			_, _, ok := screen.CutText(text)
			return !ok // earlier versions stored only where it came from
		})
	}
	process, err := n.session.process(n.options)
	if err != nil {
		return err
	}
	n.processes = []report.Process{process}
	if n.plan.Settings, err = n.session.settings(n.processes, n.programs); err != nil {
		return err
	}
	n.run, err = n.store.Begin(ctx, n.plan)
	return err
}

// due returns the deadline of the run that could resume, if it has passed and comes every day.
// A run without a name is then the run of another day, which would end at once:
//
//	begun at 22:00, until 06:00; killed; now it is 03:00      zero: it resumes
//	begun at 22:00, until 06:00; killed; now it is 22:00      06:00: a new run begins
func (n *storedRun) due() time.Time {
	r := n.session.random()
	if n.resumed == nil || n.plan.Name != "" || r == nil || !r.Until.Daily() {
		return time.Time{}
	}
	if t, err := r.Until.After(n.resumed.Started.Local()); err == nil && t.Before(time.Now()) {
		return t
	}
	return time.Time{}
}

// joins adds this process to the list of the run that resumes.
func (n *storedRun) joins() error {
	set, err := readSettings(n.resumed)
	if err != nil {
		return err
	}
	if len(n.replaced) > 0 {
		set.Processes = nil // nothing that they found counts
	}
	process, err := n.session.process(n.options)
	if err != nil {
		return err
	}
	set.Processes, set.Programs = append(set.Processes, process), n.programs
	n.processes = set.Processes
	n.resumed.Settings, err = json.Marshal(set)
	return err
}

// dying is how long a process may take to go that was killed on a busy machine.
const dying = 2 * time.Second

// unfinished finds the run to resume, or nil. If it was at work on another host of late, it waits to see
// whether it still is.
func (n *storedRun) unfinished(ctx context.Context) (*history.Info, error) {
	info, err := n.store.Unfinished(ctx, n.plan)
	var running *history.RunningError
	// One that was killed just now may take a moment to go.
	for end := time.Now().Add(dying); errors.As(err, &running) && running.Until.IsZero() && time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(dying / 20)
		info, err = n.store.Unfinished(ctx, n.plan)
	}
	if !errors.As(err, &running) || running.Until.IsZero() {
		return info, err
	}
	// A job that was put back into the queue may come to another host soon after it was killed.
	wait := time.Until(running.Until)
	n.session.note("run %d was recently active on another host (%s): resuming here if it stays silent for %s", running.Run, running.Process, wait.Round(time.Second))
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return n.store.Unfinished(ctx, n.plan)
}

// continues takes the seed of the run that resumes, if it was drawn, and what is left of its time.
func (n *storedRun) continues() (err error) {
	r := n.session.random()
	if n.resumed.Seed != nil && n.session.seedDrawn() {
		r.Seed, n.options.Products.Seed = *n.resumed.Seed, *n.resumed.Seed
	}
	if r == nil || !r.Timed() {
		return nil
	}
	if r.For > 0 {
		spent := time.Duration(n.resumed.Spent * float64(time.Second))
		r.Deadline = time.Now().Add(r.For - spent) // the time between two processes does not count
		return nil
	}
	r.Deadline, err = r.Until.After(n.resumed.Started.Local()) // the moment that was meant then
	return err
}

// changed returns the translators of the run that resumes whose answers are of another program than the one that
// runs now: xcheck itself for those that are built in. The content of a program decides. Of one that can't be read,
// or is a shell script that calls others, the version may tell.
func (n *storedRun) changed() (list []string, err error) {
	set, err := readSettings(n.resumed)
	if err != nil {
		return nil, err
	}
	for i, was := range n.resumed.Tools {
		is := n.plan.Tools[i].Version
		if set.Programs[was.Name] != n.programs[was.Name] || is != "" && was.Version != "" && is != was.Version {
			list = append(list, was.Name)
		}
	}
	if n.resumed.Version != n.plan.Version {
		list = []string{"xcheck"} // it reads and checks all answers
	}
	return list, nil
}

// replays gives the inputs on which something failed in earlier runs.
func (n *storedRun) replays() Inputs {
	return Repeat(len(n.plan.Replayed), func(ctx context.Context, k int) (cross.Input, error) {
		if n.session.Automata != nil {
			source, text, _ := screen.CutText(n.plan.Replayed[k])
			automaton, _, err := hoa.ReadOne(ctx, []byte(text))
			return cross.Input{Automaton: automaton, Source: source, Text: text, Err: err, Replayed: true}, ctx.Err()
		}
		f, err := ltl.NewStore().Parse(n.plan.Replayed[k], ltl.Spot)
		if err != nil {
			return cross.Input{Text: n.plan.Replayed[k], Err: err, Replayed: true}, nil
		}
		return cross.Input{Formula: f, Replayed: true}, nil
	})
}

// known adds the case of an input that was done before.
func (n *storedRun) known(ctx context.Context, index int, in *cross.Input) (err error) {
	if in.Done, err = n.run.Case(ctx, index); err != nil {
		return err
	}
	was, is := in.Done.Formula, in.Text
	switch {
	case in.Automaton != nil && in.Err == nil && in.Done.Automaton != nil:
		var text strings.Builder
		if err := hoa.Write(ctx, &text, in.Automaton); err != nil {
			return err
		}
		was, is = in.Done.Automaton.HOA, text.String()
	case in.Formula != nil:
		is = in.Formula.String()
	}
	if in.Err == nil && was != is || (in.Err != nil) != (in.Done.Error != "") {
		return fmt.Errorf("cannot resume from %q: %s %d of run %d was %q, and now it is %q; drop --resume to start a new run",
			n.store.Path(), n.session.input(), index, n.run.RunID.Run, was, is)
	}
	return nil
}

// add takes a case that is reported.
func (n *storedRun) add(ctx context.Context, c *outcome.Case, mayStop bool) (err error) {
	n.decided.Add(c)
	if n.triage != nil {
		_, err = n.triage.Add(ctx, c)
	}
	if mayStop {
		if n.reported == nil {
			n.reported = map[int]bool{}
		}
		n.reported[c.Index] = true // compare drops the cases behind the stop
	}
	return err
}

// compare finds out what is new in the run.
func (n *storedRun) compare(t *report.Summary) error {
	if err := n.run.Flush(); err != nil || n.run.Lost() { // nothing more can be stored
		return err
	}
	if t.Counts.Stopped {
		if err := n.run.Only(n.reported); err != nil {
			return err
		}
	}
	t.Counts.Gone = n.gone
	t.Counts.Unreplayed = n.session.Shard.Count(len(n.plan.Replayed)) - n.decided.Replayed()
	ctx := context.Background() // what was found is stored also when the run was interrupted
	var err error
	if t.Counts.FirstRun, err = n.run.First(ctx); err != nil {
		return err
	}
	causes := t.Causes
	if n.triage != nil {
		if causes, err = n.triage.Causes(ctx); err != nil {
			return err
		}
		t.Counts.Reach(n.triage.Limits())
	}
	if t.Regression, err = n.run.Compare(ctx, causes, n.session.Rerun.command, &n.decided); err != nil {
		return err
	}
	return n.store.Measure(ctx, t.Regression, n.session.Config.History.Baseline, plural.Word(inputs[t.Automata]))
}

// end stores how the run ended. Finished is false if it can resume.
func (n *storedRun) end(t *report.Summary, finished bool) error {
	if n.run.Lost() {
		return n.store.Close()
	}
	totals, err := json.Marshal(t.Trailer())
	if err == nil {
		err = n.run.End(int(t.Counts.Status), finished, totals)
	}
	return errors.Join(err, n.store.Close())
}

// abandon closes the history of a run that does not start after all.
func (n *storedRun) abandon() (err error) {
	if n == nil {
		return nil
	}
	if n.resumed == nil {
		err = n.run.Discard()
	} else {
		err = n.run.Leave()
	}
	return errors.Join(err, n.store.Close())
}

// replayed returns how many formulas of earlier runs come first.
func (n *storedRun) replayed() int {
	if n == nil {
		return 0
	}
	return len(n.plan.Replayed)
}

// noteStart says where the run continues.
func (n *storedRun) noteStart() {
	switch {
	case n == nil || !n.session.Resume:
	case len(n.replaced) > 0:
		n.session.note("resuming run %d of %s: %s changed since it started: checking its %s again", n.run.RunID.Run, n.store.Path(),
			strings.Join(n.replaced, ", "), plural.Of(n.repeated, n.session.input()))
	case n.resumed != nil:
		n.session.note("resuming run %d of %s: %s done", n.run.RunID.Run, n.store.Path(), plural.Of(n.run.Stored(), n.session.input()))
	case !n.missed.IsZero():
		n.session.note("starting run %d of %s: the unfinished run before it was due at %s", n.run.RunID.Run, n.store.Path(), n.missed.Format(time.DateTime))
	default:
		n.session.note("starting run %d of %s: no unfinished run of this configuration to resume", n.run.RunID.Run, n.store.Path())
	}
}

func (n *storedRun) names() (list []string) {
	for _, t := range n.plan.Tools {
		list = append(list, t.Name)
	}
	return list
}

// storedConfiguration is all that decides what the cases of a run contain, but for a seed that was
// drawn. Runs are compared by its text, and shown with it. So the text of a configuration never
// changes, or no earlier run resumes: the tags and their order stay as they are, whatever the
// fields of other packages are called.
type storedConfiguration struct {
	Formulas     storedFormulas   `json:"Formulas"`
	Tools        []storedTool     `json:"Tools"`
	Reference    bool             `json:"Reference"`
	Properties   bool             `json:"Properties"`
	AllPairs     bool             `json:"AllPairs"`
	NoComplement bool             `json:"NoComplement"`
	NoChecks     bool             `json:"NoChecks"`
	Grind        bool             `json:"Grind"`
	Words        int              `json:"Words"`
	Prove        cross.Proving    `json:"Prove,omitempty"`      // unless it is the default
	Exhaustive   *int             `json:"Exhaustive,omitempty"` // the same
	Products     storedProducts   `json:"Products"`
	Statistics   storedStatistics `json:"Statistics"`
	Limits       storedLimits     `json:"Limits"`
	Complement   string           `json:"Complement"`
	Emptiness    string           `json:"Emptiness"`          // empty; kept so that runs stored before resume
	Automata     *storedAutomata  `json:"Automata,omitempty"` // instead of formulas
}

type storedAutomata struct {
	From         []string `json:"From"`
	Complemented bool     `json:"Complemented"`
}

type storedFormulas struct {
	Inline    []string      `json:"Inline"`
	Syntax    ltl.Syntax    `json:"Syntax"`
	Patterns  []string      `json:"Patterns"`
	Files     []storedFile  `json:"Files"`
	Random    *storedRandom `json:"Random"`
	AllowDups bool          `json:"AllowDups"`
	Lenient   bool          `json:"Lenient"`
}

type storedFile struct {
	Path   string     `json:"Path"`
	Syntax ltl.Syntax `json:"Syntax"`
	Column int        `json:"Column"`
}

type storedRandom struct {
	Number         int            `json:"Number"`
	For            time.Duration  `json:"For"`
	Until          configs.Until  `json:"Until"`
	Seeded         bool           `json:"Seeded"`
	Deadline       time.Time      `json:"Deadline"` // always zero
	Seed           uint64         `json:"Seed"`     // zero if it was drawn
	Props          []string       `json:"Props"`
	MinSize        int            `json:"MinSize"`
	MaxSize        int            `json:"MaxSize"`
	Weights        map[ltl.Op]int `json:"Weights"`
	Past           bool           `json:"Past"`
	PSL            bool           `json:"PSL,omitempty"`
	Boolean        bool           `json:"Boolean"`
	WeakFairness   bool           `json:"WeakFairness"`
	Simplify       ltl.Level      `json:"Simplify"`
	KeepTrivial    bool           `json:"KeepTrivial"`
	KeepDuplicates bool           `json:"KeepDuplicates"`

	SEREWeights map[ltl.SEREKind]int `json:"SEREWeights,omitempty"`

	Profile random.Profile `json:"Profile,omitempty"`
	NoGuide bool           `json:"NoGuide,omitempty"` // with a Profile: runs stored before without it had other formulas
}

type storedTool struct {
	Name      string           `json:"Name"`
	Command   string           `json:"Command"`
	Mode      string           `json:"Mode"`
	Syntax    string           `json:"Syntax"`
	Format    string           `json:"Format"`
	Relabel   bool             `json:"Relabel"`
	CleanEnv  bool             `json:"CleanEnv"`
	Reference bool             `json:"Reference"`
	Processes int              `json:"Processes"`
	Limits    storedToolLimits `json:"Limits"`
	Env       []string         `json:"Env"`
	Without   ltl.OpSet        `json:"Without"`
	// Drawn are groups of options, and Options those that were chosen for all formulas.
	Drawn   []translators.OptionGroup `json:"Drawn,omitempty"`
	Options []string                  `json:"Options,omitempty"`
}

type storedToolLimits struct {
	Timeout      time.Duration `json:"Timeout"`
	CPU          time.Duration `json:"CPU"`
	MaxOutput    int64         `json:"MaxOutput"`
	Memory       int64         `json:"Memory"`
	AddressSpace int64         `json:"AddressSpace"`
	OpenFiles    int           `json:"OpenFiles"`
}

type storedProducts struct {
	Number  int     `json:"Number"`
	States  int     `json:"States"`
	Density float64 `json:"Density"`
	Seed    uint64  `json:"Seed"`
}

type storedStatistics struct {
	Strength  bool `json:"Strength"`
	Ambiguous bool `json:"Ambiguous"`
	Automata  bool `json:"Automata"`
}

type storedLimits struct {
	Macrostates   int           `json:"Macrostates"`
	ProductStates int           `json:"ProductStates"`
	Memory        int64         `json:"Memory"`
	Time          time.Duration `json:"Time"`
	WordSteps     int           `json:"WordSteps"`
}

// configuration returns the text of what a plan checks.
func (p *Plan) configuration(o *cross.Options) ([]byte, error) {
	c := storedConfiguration{
		Reference: o.Reference != nil, Properties: o.Properties, AllPairs: o.AllPairs,
		NoComplement: o.NoComplement, NoChecks: o.NoChecks, Grind: p.Config.Checks.Grind, Words: o.Words,
		Products: storedProducts(o.Products), Statistics: storedStatistics(o.Statistics), Limits: storedLimits(o.Limits),
		Complement: string(o.Complement),
	}
	if p.Automata != nil {
		c.Automata = &storedAutomata{p.Automata.From, p.Automata.Complemented}
	} else {
		c.Formulas = newStoredFormulas(&p.Config.Formulas, p.random())
		if p.seedDrawn() {
			c.Formulas.Random.Seed, c.Products.Seed = 0, 0 // each run draws another one
		}
	}
	// Defaults are left out, so that the text stays the same as in older runs.
	if o.Prove != cross.ProveAuto {
		c.Prove = o.Prove
	}
	if o.Exhaustive != configs.Default().Checks.Exhaustive {
		c.Exhaustive = &o.Exhaustive
	}
	for _, t := range p.Tools {
		c.Tools = append(c.Tools, newStoredTool(t))
	}
	return json.Marshal(c)
}

func newStoredFormulas(f *configs.Formulas, r *configs.Random) storedFormulas {
	s := storedFormulas{Inline: f.Inline, Syntax: f.Syntax, Patterns: f.Patterns, AllowDups: f.AllowDups, Lenient: f.Lenient}
	if f.Files != nil {
		s.Files = []storedFile{}
	}
	for _, file := range f.Files {
		s.Files = append(s.Files, storedFile(file))
	}
	if r != nil {
		s.Random = &storedRandom{Number: r.Number, For: r.For, Until: r.Until, Seeded: r.Seeded, Seed: r.Seed, Props: r.Props,
			MinSize: r.MinSize, MaxSize: r.MaxSize, Weights: r.Weights, Past: r.Past, PSL: r.PSL, SEREWeights: r.SEREWeights, Boolean: r.Boolean, WeakFairness: r.WeakFairness,
			Simplify: r.Simplify, KeepTrivial: r.KeepTrivial, KeepDuplicates: r.KeepDuplicates, Profile: r.Profile, NoGuide: r.Profile != ""}
	}
	return s
}

func newStoredTool(t *translators.Tool) storedTool {
	command := t.Command.Text()
	if rest, ok := (&configs.Translator{Command: command}).CutSelf(); ok {
		command = "xcheck" + rest // a run is the same with an xcheck in another folder, or built anew by go run
	}
	s := storedTool{Name: t.Name, Command: command, Mode: t.Mode.String(), Syntax: t.Syntax.String(), Format: t.Format,
		Relabel: t.Relabel, CleanEnv: t.CleanEnv, Reference: t.Reference, Processes: t.Processes, Limits: storedToolLimits(t.Limits), Without: t.Without,
		Drawn: t.Options, Options: t.Drawn}
	if t.Builtin != nil {
		s.Without &^= ltl.PSLOps // follows from the command
	}
	for _, entry := range t.Env {
		// Values may be secret.
		key, value, _ := strings.Cut(entry, "=")
		s.Env = append(s.Env, fmt.Sprintf("%s=%.4x", key, sha256.Sum256([]byte(value))))
	}
	slices.Sort(s.Env) // maps have no order
	return s
}

// inputs are the names of what runs check: formulas, and automata.
var inputs = map[bool]string{false: "formula", true: "automaton"}

// Input names what the runs of a history check: "automaton", or else "formula".
func Input(ctx context.Context, store *History) (string, error) {
	input, err := sameInput(ctx, "", store)
	return cmp.Or(input, inputs[false]), err
}

// sameInput names what the runs of histories check, "" if there are none. It fails if some check
// formulas and others automata, as these have nothing in common that could be compared, or if they
// check something else than the given input.
func sameInput(ctx context.Context, input string, stores ...*history.Store) (string, error) {
	for _, store := range stores {
		text, err := store.Configuration(ctx)
		if err != nil {
			return "", err
		}
		if text == nil { // the history has no runs
			continue
		}
		var last storedConfiguration
		if err := json.Unmarshal(text, &last); err != nil {
			return "", fmt.Errorf("history %s: %w", store.Path(), err)
		}
		of := inputs[last.Automata != nil]
		if input != "" && of != input {
			return "", fmt.Errorf("history %s has runs of %s: use another file for runs of %s", store.Path(), plural.Word(of), plural.Word(input))
		}
		input = of
	}
	return input, nil
}

// settings are what the cases of a run do not depend on, and what is said of them all together
// does. They are stored with a run, so that its shards can be merged.
type settings struct {
	Timeouts                configs.Timeouts `json:"Timeouts"`
	IgnoreExecutionFailures bool             `json:"IgnoreExecutionFailures"`
	Strict                  bool             `json:"Strict"`
	Ignore                  bool             `json:"Ignore"`
	OnlyNew                 bool             `json:"OnlyNew"`
	Grind                   bool             `json:"Grind"`
	NoLanguages             bool             `json:"NoLanguages"` // as of history.Decided
	NoProperties            bool             `json:"NoProperties"`
	Baseline                string           `json:"Baseline"` // that the user chose
	Rerun                   *Rerun           `json:"Again"`
	Processes               []report.Process `json:"Processes,omitempty"` // that worked on the run
	// Programs identify the programs of translators, by their names: see Plan.fingerprints.
	Programs map[string]string `json:"Programs,omitempty"`
}

// settings returns the settings of a plan as text, for a run that the processes of the list work on.
func (p *Plan) settings(list []report.Process, programs map[string]string) ([]byte, error) {
	c := &p.Config.Checks
	return json.Marshal(settings{c.Timeouts, c.IgnoreExecutionFailures,
		p.StrictFailures, p.IgnoreFailures, p.Config.History.FailOnNew, p.Config.Checks.Grind,
		c.NoComplement || c.NoChecks, !c.Properties, p.Config.History.Baseline, &p.Rerun, list, programs})
}

// readSettings returns the settings of a stored run.
func readSettings(info *history.Info) (*settings, error) {
	set := &settings{Rerun: &Rerun{}}
	if err := json.Unmarshal(info.Settings, set); err != nil {
		return nil, fmt.Errorf("settings of run %d: %w", info.Run, err)
	}
	return set, nil
}

// rules returns the rules that decide the status of the run.
func (s *settings) rules() rules {
	checks := configs.Checks{Timeouts: s.Timeouts, IgnoreExecutionFailures: s.IgnoreExecutionFailures}
	return rules{checks, s.Strict, s.Ignore, s.OnlyNew}
}

// Totals returns what a stored run has beside its cases. Of one that was killed, that is only
// what its translators are.
func Totals(info *StoredRun) (*report.Trailer, error) {
	rest := &report.Trailer{}
	info = cmp.Or(info, &history.Info{})
	if info.Totals == nil {
		rest.Cut = true
		if len(info.Parts) == 0 { // the processes of a merged run are in its totals
			set, err := readSettings(info)
			if err != nil {
				return nil, err
			}
			rest.Provenance = set.Processes
		}
		for _, t := range info.Tools {
			rest.Translators = append(rest.Translators, &report.ToolStats{Name: t.Name, Command: t.Command, Version: t.Version, Statuses: map[outcome.Status]int{}})
		}
		return rest, nil
	}
	if err := json.Unmarshal(info.Totals, rest); err != nil {
		return nil, fmt.Errorf("damaged totals: %w", err)
	}
	return rest, nil
}
