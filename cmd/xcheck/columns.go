package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
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

// output adds what the configuration says of the CSV to what the flags say.
func (f *runFlags) output(config *configs.Config) {
	o := &config.Output
	f.csv = cmp.Or(f.csv, o.CSV)
	c := &f.columns
	c.Strength = c.Strength || o.Strength
	c.Ambiguous = c.Ambiguous || o.Ambiguous
	c.Automata = c.Automata || o.Automata
	c.OmitMissing = c.OmitMissing || o.OmitMissing
	c.More = c.More || o.CSVMore
}

// statistics returns what a run has to find out for the columns.
func statistics(c report.Columns) cross.Statistics {
	return cross.Statistics{Strength: c.Strength, Ambiguous: c.Ambiguous, Automata: c.Automata}
}

// continued reports whether a CSV is appended to an earlier one: its name begins with >>, and
// the file is not empty. Both must have the same columns.
func continued(name string, w io.Writer, newCSV func(io.Writer, bool) caseWriter) (bool, error) {
	file, ok := w.(*wholefile.File)
	if _, more := appended(name); !ok || !more || file.Size() == 0 {
		return false, nil
	}
	earlier, err := os.Open(file.Path())
	if err != nil {
		return true, nil // it can be written, but not be read
	}
	defer earlier.Close()
	var names bytes.Buffer
	if err := newCSV(&names, false).End(); err != nil {
		return true, err
	}
	there := make([]byte, min(int64(names.Len()), file.Size()))
	if _, err := io.ReadFull(earlier, there); err != nil {
		return true, err
	}
	if !bytes.Equal(there, names.Bytes()) {
		return true, fmt.Errorf("appending to %q: this run has other columns; use the same flags or another file", file.Path())
	}
	return true, nil
}
