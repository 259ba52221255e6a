package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

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
	Emptiness    string           `json:"Emptiness"`
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
	NoGuide bool           `json:"NoGuide,omitempty"`
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
	// Signature decides what a guide learns.
	Signature string `json:"Signature,omitempty"`
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
		NoComplement: o.NoComplement, NoChecks: o.NoChecks, Grind: p.Config.Triage.Grind, Words: o.Words,
		Products: storedProducts(o.Products), Statistics: storedStatistics(o.Statistics), Limits: storedLimits(o.Limits),
		Complement: string(o.Complement), Emptiness: string(o.Emptiness),
	}
	if p.Automata != nil {
		c.Automata = &storedAutomata{p.Automata.From, p.Automata.Complemented}
	} else {
		c.Formulas = newStoredFormulas(&p.Config.Formulas)
		if p.seedDrawn() {
			c.Formulas.Random.Seed, c.Products.Seed = 0, 0
		}
	}
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

func newStoredFormulas(f *configs.Formulas) storedFormulas {
	s := storedFormulas{Inline: f.Inline, Syntax: f.Syntax, Patterns: f.Patterns, AllowDups: f.AllowDups, Lenient: f.Lenient}
	if f.Files != nil {
		s.Files = []storedFile{}
	}
	for _, file := range f.Files {
		s.Files = append(s.Files, storedFile(file))
	}
	if r := f.Random; r != nil {
		s.Random = &storedRandom{Number: r.Number, For: r.For, Until: r.Until, Seeded: r.Seeded, Seed: r.Seed, Props: r.Props,
			MinSize: r.MinSize, MaxSize: r.MaxSize, Weights: r.Weights, Past: r.Past, PSL: r.PSL, SEREWeights: r.SEREWeights, Boolean: r.Boolean, WeakFairness: r.WeakFairness,
			Simplify: r.Simplify, KeepTrivial: r.KeepTrivial, KeepDuplicates: r.KeepDuplicates, Profile: r.Profile, NoGuide: r.NoGuide}
	}
	return s
}

func newStoredTool(t *translators.Tool) storedTool {
	s := storedTool{Name: t.Name, Command: anywhere(t.Command.Text()), Mode: t.Mode.String(), Syntax: t.Syntax.String(), Format: t.Format,
		Relabel: t.Relabel, CleanEnv: t.CleanEnv, Reference: t.Reference, Processes: t.Processes, Limits: storedToolLimits(t.Limits), Without: t.Without,
		Drawn: t.Options, Options: t.Drawn, Signature: t.Signature}
	if t.Builtin != nil {
		s.Without &^= ltl.PSLOps // follows from the command
	}
	for _, entry := range t.Env {
		// Values may be secret.
		key, value, _ := strings.Cut(entry, "=")
		s.Env = append(s.Env, fmt.Sprintf("%s=%.4x", key, sha256.Sum256([]byte(value))))
	}
	slices.Sort(s.Env)
	return s
}

// anywhere returns the command of a translator. It leaves out the path of this program from the
// command of a built-in translator: a run is the same with an xcheck in another folder, or built
// anew by go run.
func anywhere(command string) string {
	if rest, ok := configs.CutSelf(command); ok {
		return "xcheck" + rest
	}
	return command
}

// inputs are the names of what runs check: formulas, and automata.
var inputs = map[bool]string{false: "formula", true: "automaton"}

// Input names what the runs of a history check: "automaton", or else "formula".
func Input(ctx context.Context, store *history.Store) (string, error) {
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
		if text == nil {
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
	// Programs are the hashes of the programs of translators that can print a version, by their names.
	Programs map[string]string `json:"Programs,omitempty"`
}

// settings returns the settings of a plan as text, for a run that the processes of the list work
// on.
func (p *Plan) settings(list []report.Process) ([]byte, error) {
	c := &p.Config.Checks
	return json.Marshal(settings{c.Timeouts, c.IgnoreExecutionFailures,
		p.StrictFailures, p.IgnoreFailures, p.Config.History.FailOnNew, p.Config.Triage.Grind,
		c.NoComplement || c.NoChecks, !c.Properties, p.Config.History.Baseline, &p.Rerun, list, p.programs()})
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
func Totals(info *history.Info) (*report.Trailer, error) {
	rest := &report.Trailer{}
	info = cmp.Or(info, &history.Info{})
	if info.Totals == nil {
		rest.Cut = true
		if len(info.Parts) == 0 {
			var err error
			if rest.Provenance, err = storedProcesses(info); err != nil {
				return nil, err
			}
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
