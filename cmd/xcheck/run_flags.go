package main

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/report"
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
	night                           nightFlags
	pages                           pageFlags
	columns                         report.Columns                              // of csv
	newCSV                          func(w io.Writer, headless bool) caseWriter // nil: that of ltlcross's columns
}

// addFormulas adds the flags that say where formulas come from, with what is done to them.
func (f *runFlags) addFormulas(fs *pflag.FlagSet, do string) {
	fs.StringVarP(&f.config, "config", "c", "", "read a configuration (TOML)")
	fs.StringArrayVarP(&f.formulas, "formula", "f", nil, do+" this formula")
	fs.StringArrayVar(&f.patterns, "patterns", nil, do+" the formulas of a list or family: 'dac', 'go-theta 1..5' (see xcheck patterns)")
	fs.StringArrayVarP(&f.files, "file", "F", nil, do+" the formulas of a file, one a line (- is standard input), or in a column of CSV (FILE/3; FILE/-3 if the first line has names)")
	fs.StringVar(&f.syntax, "syntax", "spot", "syntax of -f and -F: spot, spin, lbt, wring, or auto (to find out for each formula)")
}

// addTranslators adds the flags that say which translators there are, with the text for -t.
func (f *runFlags) addTranslators(fs *pflag.FlagSet, add string) {
	fs.StringArrayVarP(&f.tools, "translator", "t", nil, add)
	fs.StringArrayVar(&f.references, "reference", nil, "add a translator that the others are compared with first, instead of the built-in reference")
	fs.BoolVar(&f.noReference, "no-reference", false, "compare with no reference, neither the built-in one nor a translator")
	fs.BoolVar(&f.noBuiltin, "no-builtin", false, "leave out the built-in translators")
	fs.BoolVar(&f.ignoreMissing, "ignore-missing", false, "leave out translators that cannot be started")
	fs.BoolVar(&f.noFound, "no-found", false, "leave out translators that are only there because they are on PATH")
}

// addLimits adds the flags that bound calls of tools, which are each for one thing.
func (f *runFlags) addLimits(fs *pflag.FlagSet, one string) {
	fs.StringVarP(&f.timeout, "timeout", "T", "", "time for one "+one+": 90s, 2m, or seconds (default 1m)")
	fs.StringVar(&f.caseTime, "max-case-time", "", "give up what is left to check for one input after this time (0: never) (default: five times --max-time)")
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "processes and checks at once (0: as many as there are cores)")
}

// addRules adds the flags that say what counts as an error, and what is done then. The
// inputs are formulas or automata, and those who get them translators or other tools.
func (f *runFlags) addRules(c *cobra.Command, input, tool string) {
	fs := c.Flags()
	fs.BoolVar(&f.stopOnError, "stop-on-error", false, "end with the first "+input+" on which something is wrong: disagreement, false property, failure (a timeout only with --fail-on-timeout)")
	fs.BoolVar(&f.failOnTimeout, "fail-on-timeout", false, "status 1 after a timeout; --fail-on-timeout=false: a timeout does not count (default: it counts as other failures do)")
	fs.BoolVar(&f.strict, "strict-failures", false, "exit 1 instead of 3")
	fs.BoolVar(&f.ignore, "ignore-failures", false, "exit 0 instead of 3")
	fs.BoolVar(&f.ignoreExec, "ignore-execution-failures", false, "a "+tool+" that ends with another status than 0, or is killed by a signal, does not count")
	c.MarkFlagsMutuallyExclusive("strict-failures", "ignore-failures")
}

// fromLtlcross lets flags of ltlcross be given that have another name here, or that change
// nothing: everything is complemented, and no declared property is ever believed.
func fromLtlcross(fs *pflag.FlagSet) {
	fs.BoolP("determinize", "D", true, "as always")
	fs.Int("determinize-max-edges", 0, "edges are not kept")
	fs.String("trust-hoa", "no", "as always")
	for _, name := range []string{"determinize", "determinize-max-edges", "trust-hoa"} {
		fs.MarkHidden(name)
	}
	names := map[string]string{"determinize-max-states": "max-macrostates", "unambiguous": "ambiguous"}
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(names[name], name))
	})
}
