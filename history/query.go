package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"strconv"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A querier is a database, or a transaction in it.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each reads the rows of a query one by one. columns says where the values of a row go. After an
// error nothing follows.
func each[T any](ctx context.Context, q querier, columns func(*T) []any, text string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var row, zero T
		rows, err := q.QueryContext(ctx, text, args...)
		if err != nil {
			yield(zero, err)
			return
		}
		defer rows.Close()
		for values := columns(&row); rows.Next(); row = zero {
			if err := rows.Scan(values...); err != nil {
				yield(zero, err)
				return
			}
			if !yield(row, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(zero, err)
		}
	}
}

func query[T any](ctx context.Context, q querier, columns func(*T) []any, text string, args ...any) (list []T, err error) {
	for row, err := range each(ctx, q, columns, text, args...) {
		if err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, nil
}

// column is the only one of a query.
func column[T any](x *T) []any { return []any{x} }

// texts returns the only column of a query.
func texts(ctx context.Context, q querier, text string, args ...any) ([]string, error) {
	return query(ctx, q, column[string], text, args...)
}

// execute executes statements that return no rows.
func execute(ctx context.Context, tx *sql.Tx, text string, args ...any) error {
	_, err := tx.ExecContext(ctx, text, args...)
	return err
}

// A parsed is where a value goes of which the store has a text. That of NULL stays as it is.
type parsed[T any] struct {
	to    *T
	parse func(string) (T, error)
}

// Scan implements sql.Scanner.
func (p parsed[T]) Scan(value any) (err error) {
	if text, ok := value.(string); ok {
		*p.to, err = p.parse(text)
	}
	return err
}

// A moment is a time in the form that the store has it.
const moment = "2006-01-02T15:04:05.000000000Z"

func toText(t time.Time) string { return t.UTC().Format(moment) }

func toTime(text string) (time.Time, error) { return time.Parse(moment, text) }

func aTime(to *time.Time) any { return parsed[time.Time]{to, toTime} }

func aSeed(to **uint64) any {
	return parsed[*uint64]{to, func(text string) (*uint64, error) {
		n, err := strconv.ParseUint(text, 10, 64)
		return &n, err
	}}
}

func aClass(to *outcome.Class) any {
	return parsed[outcome.Class]{to, func(text string) (outcome.Class, error) { return outcome.ParseClass(text), nil }}
}

func aList(to *[]string) any {
	return parsed[[]string]{to, func(text string) (list []string, err error) {
		err = json.Unmarshal([]byte(text), &list)
		return list, err
	}}
}

// aRun is where run, name, started and seed of a run go, after other values.
func aRun(n *outcome.RunID, others ...any) []any {
	return append(others, &n.Run, &n.Name, aTime(&n.Started), aSeed(&n.Seed))
}
