package history

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// A span has the numbers first, first + shards, and so on up to last.
type span struct {
	shards, shard, first, last int
}

func (x *span) columns() []any { return []any{&x.shards, &x.shard, &x.first, &x.last} }

func (x *span) has(number int) bool {
	return x.first <= number && number <= x.last && number%x.shards == x.shard-1
}

// readSpans returns the spans of a run, in order.
func readSpans(ctx context.Context, q querier, run int64) ([]span, error) {
	return query(ctx, q, (*span).columns, "SELECT shards, shard, first, last FROM spans WHERE run = ? ORDER BY shards, shard, first", run)
}

// addSpans adds ascending numbers to the spans of a run, as few as possible.
func addSpans(ctx context.Context, tx *sql.Tx, run int64, shards int, numbers []int) error {
	list, err := readSpans(ctx, tx, run)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(x span) bool { return x.shards != shards }) // the others stay as they are
	for _, n := range numbers {
		list = append(list, span{shards, n%shards + 1, n, n})
	}
	if err := execute(ctx, tx, "DELETE FROM spans WHERE run = ? AND shards = ?", run, shards); err != nil {
		return err
	}
	for _, x := range joined(list) {
		if err := execute(ctx, tx, "INSERT INTO spans VALUES (?, ?, ?, ?, ?)", run, x.shards, x.shard, x.first, x.last); err != nil {
			return err
		}
	}
	return nil
}

// joined joins spans that touch each other. In the first of two shards, which has the even numbers,
// 0 to 4 and 6 to 6 become 0 to 6.
func joined(list []span) (few []span) {
	slices.SortFunc(list, func(a, b span) int { return slices.Compare([]int{a.shard, a.first}, []int{b.shard, b.first}) })
	for _, x := range list {
		if last := len(few) - 1; last >= 0 && few[last].shard == x.shard && x.first <= few[last].last+x.shards {
			few[last].last = max(few[last].last, x.last)
		} else {
			few = append(few, x)
		}
	}
	return few
}

// An answerWriter writes what a guide learned from cases: the number of each, how long the answer
// is, and the answer, compressed.
type answerWriter struct {
	b bytes.Buffer
	w *flate.Writer
}

func (a *answerWriter) add(number int, answer []byte) {
	if a.w == nil {
		a.w, _ = flate.NewWriter(&a.b, flate.BestSpeed) // an error is of the level only
	}
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number)), uint64(len(answer)))
	a.w.Write(append(head, answer...)) // never fails
}

func (a *answerWriter) bytes() []byte {
	if a.w == nil {
		return []byte{}
	}
	a.w.Close()
	return a.b.Bytes()
}

var errAnswers = errors.New("the stored answers are damaged")

// readAnswers reads what an answerWriter has written.
func readAnswers(data []byte) (map[int][]byte, error) {
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, errAnswers
	}
	answers := map[int][]byte{}
	for len(text) > 0 {
		number, n := binary.Uvarint(text)
		length, k := binary.Uvarint(text[max(0, n):])
		if n <= 0 || k <= 0 || length > uint64(len(text)-n-k) {
			return nil, errAnswers
		}
		end := n + k + int(length)
		answers[int(number)] = text[n+k : end]
		text = text[end:]
	}
	return answers, nil
}
