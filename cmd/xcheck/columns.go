package main

import (
	"cmp"

	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/report"
)

// addColumns adds the flags that choose the columns of --csv, in ltlcross's words. For
// run they also say what is found out of the automata.
func addColumns(fs *pflag.FlagSet, c *report.Columns) {
	fs.BoolVar(&c.Strength, "strength", false, "count terminal, weak and strong components")
	fs.BoolVar(&c.Ambiguous, "ambiguous", false, "test whether automata are ambiguous")
	fs.BoolVar(&c.Automata, "automata", false, "include the automata (HOA) in CSV and JSON")
	fs.BoolVar(&c.OmitMissing, "omit-missing", false, "omit failures and exit columns from CSV")
	fs.BoolVar(&c.More, "csv-more", false, "add CSV columns that ltlcross lacks")
}

// output adds what the flags say of JSON, CSV and the text to what the configuration says.
func (f *runFlags) output(o *configs.Output) {
	o.CSV = cmp.Or(f.csv, o.CSV)
	c := &f.columns
	o.Strength = o.Strength || c.Strength
	o.Ambiguous = o.Ambiguous || c.Ambiguous
	o.Automata = o.Automata || c.Automata
	o.OmitMissing = o.OmitMissing || c.OmitMissing
	o.CSVMore = o.CSVMore || c.More
}
