package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/guard"
)

// CSV adds the lines of a CSV file of ltlcross or xcheck. cut says that the last line is
// truncated; it is ignored. A format error is a *FormatError.
//
// Consecutive lines with the same formula are one input. If a translator comes again, a new
// input begins.
func (c *Comparison) CSV(r io.Reader) (cut bool, err error) {
	t := &csvReader{Reader: csv.NewReader(guard.Reader(r)), measures: c.Measures}
	t.ReuseRecord = true
	if err := t.header(); err != nil {
		return false, err
	}
	last := ""
	var calls []call
	flush := func() {
		if len(calls) > 0 {
			c.input(last, calls)
		}
		calls = nil
	}
	for {
		text, v, err := t.next()
		switch {
		case err == io.EOF:
			flush()
			return cut, nil
		case err != nil:
			// A line that nothing comes behind is one that was not written to its end.
			var at *FormatError
			if _, end := t.Read(); !errors.As(err, &at) || !t.broken || end != io.EOF {
				return false, err
			}
			cut = true
			continue
		}
		if text != last || slices.ContainsFunc(calls, func(w call) bool { return w.tool == v.tool }) {
			flush()
		}
		last = text
		calls = append(calls, v)
	}
}

type csvReader struct {
	*csv.Reader
	measures      []Measure
	formula, tool int
	status        int     // -1 if there is no column
	columns       [][]int // of each measure: none if it is not there, several if there are many products
	broken        bool    // the last error was that a line has no fields as it should
}

func (t *csvReader) header() error {
	names, err := t.Read()
	if err == io.EOF {
		return &FormatError{1, 1, "expected the names of ltlcross's columns, found nothing"}
	}
	if err != nil {
		return formatError(err)
	}
	t.formula, t.tool, t.status = slices.Index(names, "formula"), slices.Index(names, "tool"), slices.Index(names, "exit_status")
	if t.formula < 0 || t.tool < 0 {
		return &FormatError{1, 1, "expected the names of ltlcross's columns, found neither formula nor tool"}
	}
	for _, m := range t.measures {
		var list []int
		for i, name := range names {
			if name == m.Name {
				list = append(list, i)
			}
		}
		t.columns = append(t.columns, list)
	}
	return nil
}

func (t *csvReader) next() (text string, v call, err error) {
	t.broken = false
	line, err := t.Read()
	if err != nil {
		t.broken = true
		return "", call{}, formatError(err)
	}
	v.tool = strings.Clone(line[t.tool])
	v.ok = t.status < 0 || line[t.status] == "ok"
	for _, list := range t.columns {
		sum := 0.0
		for _, i := range list {
			x := math.NaN()
			if line[i] != "" {
				if x, err = strconv.ParseFloat(line[i], 64); err != nil || math.IsInf(x, 0) {
					at, column := t.FieldPos(i)
					return "", call{}, &FormatError{at, column, fmt.Sprintf("expected a number, found %q", line[i])}
				}
			}
			sum += x
		}
		v.values = append(v.values, sum/float64(len(list)))
	}
	return strings.Clone(line[t.formula]), v, nil
}

// formatError gives an error of package csv the form of ours.
func formatError(err error) error {
	var at *csv.ParseError
	if errors.As(err, &at) {
		return &FormatError{at.Line, at.Column, at.Err.Error()}
	}
	return err
}
