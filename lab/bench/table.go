package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Named returns the members of a list with the given names, or all members if there are no names.
func Named[T any](all []T, names []string, what string, name func(T) string) ([]T, error) {
	if len(names) == 0 {
		return all, nil
	}
	var list []T
	for _, n := range names {
		x, err := spelling.Find(what, n, all, name)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// Head returns the head of a table with a line for each row. A field with the tag `table:"states"` is a column of
// that name; `table:"seconds,2"` has two digits after the point. `table:"done,ends"` leaves later columns empty if it
// is 0, and `table:"states,positive"` itself. Texts are flush left, and numbers flush right. A column has the unit
// that its name ends with: ms, or KiB.
func Head(row any) string {
	if _, ok := row.(InclusionRow); ok {
		return "| automata of | checks | included | failed | | seconds | macrostates | product states |\n|---|---:|---:|---:|---|---:|---:|---:|"
	}
	names, marks := "|", "|"
	for field, c := range columns(row) {
		names += " " + c.name + " |"
		if marks += "---"; field.Kind() != reflect.String {
			marks += ":"
		}
		marks += "|"
	}
	return names + "\n" + marks
}

// Line returns the line of a row.
func Line(row any) string {
	if lines, ok := row.(fmt.Stringer); ok {
		return lines.String()
	}
	line, ended := "|", false
	for field, c := range columns(row) {
		factor := 1.0 // from the unit of JSON to the unit in the head
		if strings.HasSuffix(c.name, " ms") {
			factor = 1000
		} else if strings.HasSuffix(c.name, "KiB") {
			factor = 1. / 1024
		}
		switch {
		case ended || c.digits == "positive" && field.Int() <= 0:
			line += " |"
		case field.CanFloat():
			line += fmt.Sprintf(" %."+c.digits+"f |", factor*field.Float())
		case field.CanInt():
			line += fmt.Sprintf(" %d |", int64(factor*float64(field.Int())))
		default:
			line += " " + field.String() + " |"
		}
		ended = ended || c.digits == "ends" && field.Int() == 0 // what follows would be 0, too
	}
	return line
}

// A column is a column of a table.
type column struct {
	name   string
	digits string // after the point of a number, or "ends" or "positive"
}

// columns gives the fields of a row that are columns.
func columns(row any) iter.Seq2[reflect.Value, column] {
	return func(yield func(reflect.Value, column) bool) {
		v := reflect.ValueOf(row)
		if v.Kind() != reflect.Struct {
			return
		}
		for i := range v.NumField() {
			name, digits, _ := strings.Cut(v.Type().Field(i).Tag.Get("table"), ",")
			if name != "" && !yield(v.Field(i), column{name, digits}) {
				return
			}
		}
	}
}

// measured calls f with a context that ends after limit, and returns how long that took. done is
// false if f met a limit: of the time, or an omega.LimitError. It fails when ctx is done, and with
// any other error of f.
func measured(ctx context.Context, limit time.Duration, f func(context.Context) error) (took time.Duration, done bool, err error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := time.Now()
	err = f(limited)
	took = time.Since(start)
	var over *omega.LimitError
	switch {
	case ctx.Err() != nil:
		return took, false, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &over):
		return took, false, nil
	}
	return took, err == nil, err
}

// emitEach passes to emit the row of each member of a list.
func emitEach[T, R any](list []T, emit func(R) error, row func(T) (R, error)) error {
	for _, x := range list {
		r, err := row(x)
		if err == nil {
			err = emit(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// average divides sums by the number of summands.
func average(n int, sums ...*float64) {
	for _, x := range sums {
		*x /= float64(max(1, n))
	}
}

// mean returns the mean of the numbers, or 0 for an empty list.
func mean(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	average(len(list), &sum)
	return sum
}

// median sorts the numbers and returns their lower median, or 0 for an empty list.
func median[T cmp.Ordered](list []T) (m T) {
	if len(list) == 0 {
		return m
	}
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

// medianOf returns the median of a value of the members of a list.
func medianOf[T any, V cmp.Ordered](list []T, of func(T) V) V {
	values := make([]V, len(list))
	for i, x := range list {
		values[i] = of(x)
	}
	return median(values)
}

// Published gives the formulas of a request.
func Published(r patterns.Request) func(context.Context) iter.Seq2[*ltl.Formula, error] {
	return func(context.Context) iter.Seq2[*ltl.Formula, error] {
		return func(yield func(*ltl.Formula, error) bool) {
			for f := range r.All() {
				if !yield(f.Formula, nil) {
					return
				}
			}
		}
	}
}

// Drawn gives n random formulas, the same ones each time.
func Drawn(o ltl.RandomOptions, n int) func(context.Context) iter.Seq2[*ltl.Formula, error] {
	return func(ctx context.Context) iter.Seq2[*ltl.Formula, error] {
		return func(yield func(*ltl.Formula, error) bool) {
			g, err := ltl.NewGenerator(o)
			if err != nil {
				yield(nil, err)
				return
			}
			for range n {
				f, err := g.NextContext(ctx)
				if !yield(f, err) || err != nil {
					return
				}
			}
		}
	}
}

// String returns the three lines of a table.
func (r InclusionRow) String() string {
	row := func(name string, c InclusionCost) string {
		return fmt.Sprintf("| %s | %.2f | %d | %d |", name, c.Seconds, c.Macrostates, c.ProductStates)
	}
	head := fmt.Sprintf("| %s | %d | %d | %d ", r.Family, r.Checks, r.Empty, r.Failed)
	ratio := fmt.Sprintf("| ratio | %.1f | %.1f | %.1f |", r.Whole.Seconds/r.Demand.Seconds,
		float64(r.Whole.Macrostates)/float64(r.Demand.Macrostates), float64(r.Whole.ProductStates)/float64(r.Demand.ProductStates))
	return head + row("on demand", r.Demand) + "\n| | | | " + row("whole", r.Whole) + "\n| | | | " + ratio
}
