package main

import (
	"cmp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

// runFlags are the flags of run. Other commands have some of them.
type runFlags struct {
	config     string
	file       *configs.Config // what is in it, or the default
	formulas   []string
	patterns   []string
	files      []string
	syntax     string
	lbt        bool
	lenient    bool
	dups       bool
	tools      []string
	relabel    bool
	references []string
	number     int
	period     periodFlags
	random     randomFlags
	check      checkFlags
	timeout    string
	caseTime   string
	jobs       int

	noBuiltin, noFound, noReference bool
	ignoreMissing                   bool
	allPairs                        bool
	noChecks, noComplement          bool
	products                        string
	spaces                          cross.Products // States and Density
	strict, ignore                  bool
	stopOnError                     bool
	failOnTimeout, ignoreExec       bool
	saveBogus, saveAutomata         string
	quiet, verbose                  bool
	listTranslators                 bool
	color, progress                 when
	csv                             string
	grind                           string
	grindCalls                      int
	only                            []string
	history                         historyFlags
	pages                           pageFlags
	columns                         report.Columns // of csv
}

// addFormulas adds the flags that say where formulas come from, with what is done to them.
func (f *runFlags) addFormulas(fs *pflag.FlagSet, do string) {
	fs.StringVarP(&f.config, "config", "c", "", "read settings from the TOML file `FILE`")
	fs.StringArrayVarP(&f.formulas, "formula", "f", nil, do+" the formula `FORMULA`")
	fs.StringArrayVar(&f.patterns, "patterns", nil, do+" the published formulas `NAME`, such as dac")
	fs.StringArrayVarP(&f.files, "file", "F", nil, do+" each line of `FILE` (-: standard input)")
	fs.StringVar(&f.syntax, "syntax", "spot", "read formulas in `SYNTAX`: spot, spin, lbt, wring, auto")
}

// addTranslators adds the flags that say which translators there are.
func (f *runFlags) addTranslators(fs *pflag.FlagSet) {
	fs.StringArrayVarP(&f.tools, "translator", "t", nil, "add the translator `COMMAND`")
	fs.StringArrayVar(&f.references, "reference", nil, "compare the others with `COMMAND` first")
	fs.BoolVar(&f.noReference, "no-reference", false, "compare without a reference")
	fs.BoolVar(&f.noBuiltin, "no-builtin", false, "skip the built-in translators")
	fs.BoolVar(&f.ignoreMissing, "ignore-missing", false, "skip translators that cannot start")
	fs.BoolVar(&f.noFound, "no-found", false, "skip known translators found on PATH")
}

// choice returns what they say.
func (f *runFlags) choice() *session.Choice {
	return &session.Choice{Commands: f.tools, References: f.references, Only: f.only, NoBuiltin: f.noBuiltin, NoFound: f.noFound,
		NoReference: f.noReference, Relabel: f.relabel}
}

// addLimits adds the flags that bound calls of tools.
func (f *runFlags) addLimits(fs *pflag.FlagSet, tool string) {
	fs.StringVarP(&f.timeout, "timeout", "T", "", "stop a "+tool+" after `DURATION`")
	fs.Lookup("timeout").DefValue = "1m"
	fs.StringVar(&f.caseTime, "max-case-time", "", "stop all checks of one input after `DURATION`")
	fs.Lookup("max-case-time").DefValue = "5 times --max-time"
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "run `N` calls and checks at once")
	fs.Lookup("jobs").DefValue = "all cores"
}

// addRules adds the flags that say what counts as an error, and what is done then. The
// inputs are formulas or automata, and those who get them translators or other tools.
func (f *runFlags) addRules(c *cobra.Command, input, tool string) {
	fs := c.Flags()
	fs.BoolVar(&f.stopOnError, "stop-on-error", false, "stop after the first failing "+input)
	fs.BoolVar(&f.failOnTimeout, "fail-on-timeout", false, "exit 1 after a timeout (=false: ignore timeouts)")
	fs.BoolVar(&f.strict, "strict-failures", false, "exit 1 instead of 3")
	fs.BoolVar(&f.ignore, "ignore-failures", false, "exit 0 instead of 3")
	fs.BoolVar(&f.ignoreExec, "ignore-execution-failures", false, "ignore crashes and exit statuses of "+tool+"s")
	exclusive(c, "strict-failures", "ignore-failures")
}

// fromLtlcross lets flags of ltlcross be given that have another name here, or that change
// nothing: everything is complemented, and no declared property is ever believed.
func fromLtlcross(fs *pflag.FlagSet) {
	fs.BoolP("determinize", "D", true, "has no effect")
	fs.Int("determinize-max-edges", 0, "has no effect")
	fs.String("trust-hoa", "no", "has no effect")
	for _, name := range []string{"determinize", "determinize-max-edges", "trust-hoa"} {
		fs.MarkHidden(name)
	}
	names := map[string]string{"determinize-max-states": "max-macrostates", "unambiguous": "ambiguous", "list-shorthands": "list-translators"}
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(names[name], name))
	})
}
