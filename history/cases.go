package history

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A case is stored as in the JSON document of a run, compressed: a byte for the way, then the
// text. Cases are much alike, and short: a dictionary, which is the text of a typical one,
// makes them a third of what they would be without.
const packed1 = 1

// dictionary1 is a case with a disagreement, a failure and a finding. As all that was ever
// packed needs it, it must never change: a better one gets a new number.
//
//go:embed dictionary1.json
var dictionary1 []byte

var errPacked = errors.New("stored in a format that this xcheck does not know: use a newer version")

var packers = sync.Pool{New: func() any {
	w, err := flate.NewWriterDict(nil, flate.BestSpeed, dictionary1)
	if err != nil {
		panic(err) // of the level only
	}
	return w
}}

func pack(c *outcome.Case) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(c); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteByte(packed1)
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&out)
	if _, err := w.Write(text.Bytes()); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

func unpack(document []byte) (*outcome.Case, error) {
	if len(document) == 0 || document[0] != packed1 {
		return nil, errPacked
	}
	r := flate.NewReaderDict(bytes.NewReader(document[1:]), dictionary1)
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("the stored data is damaged: %w", err)
	}
	c := new(outcome.Case)
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("the stored data is damaged: %w", err)
	}
	return c, nil
}

// A caseWriter inserts cases.
type caseWriter struct {
	formula, number, result, witness *sql.Stmt
	id                               int64 // of the run
	places                           map[string]int
}

func newCaseWriter(ctx context.Context, tx *sql.Tx, run int64, places map[string]int) (*caseWriter, error) {
	w := &caseWriter{id: run, places: places}
	for _, x := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&w.formula, "INSERT INTO formulas (text) VALUES (?) ON CONFLICT DO NOTHING"},
		{&w.number, "INSERT INTO cases (run, number, formula, seed, replayed, failed, document) SELECT ?, ?, id, ?, ?, ?, ? FROM formulas WHERE text = ?"},
		{&w.result, "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
		{&w.witness, "INSERT INTO witnesses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"},
	} {
		var err error
		if *x.stmt, err = tx.PrepareContext(ctx, x.text); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *caseWriter) write(ctx context.Context, c *outcome.Case, document []byte) error {
	if _, err := w.formula.ExecContext(ctx, c.Text()); err != nil {
		return err
	}
	if _, err := w.number.ExecContext(ctx, w.id, c.Index, seedText(c.Seed), c.Replayed, len(c.Failures()) > 0, document, c.Text()); err != nil {
		return err
	}
	for i := range c.Results {
		r := &c.Results[i]
		if !r.Asked() {
			continue
		}
		place, ok := w.places[r.Translator]
		if !ok {
			return fmt.Errorf("it has a result of %s, which is not of the run", r.Translator)
		}
		if _, err := w.result.ExecContext(ctx, w.id, c.Index, place, r.Polarity, string(r.Status), r.Seconds, r.CPU, r.MaxRSS, r.States, r.Edges, r.Transitions, r.Sets); err != nil {
			return err
		}
	}
	for i := range c.Disagreements {
		d := &c.Disagreements[i]
		blamed, err := json.Marshal(d.Blamed)
		if err != nil {
			return err
		}
		if _, err := w.witness.ExecContext(ctx, w.id, c.Index, i, d.Word, d.Size, d.Shortest, d.Truth, string(d.Kind), string(blamed)); err != nil {
			return err
		}
	}
	return nil
}
