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

// FailingCase returns the newest stored case of an input, given by its text, in which a translator
// fails; nil if there is none.
func (s *Store) FailingCase(ctx context.Context, text, translator string) (*outcome.Case, error) {
	for document, err := range each(ctx, s.reads(), column[[]byte], `SELECT document FROM cases JOIN formulas ON formulas.id = formula
			WHERE text = ? AND failed ORDER BY run DESC, number`, text) {
		if err != nil {
			return nil, s.failed(err)
		}
		c, err := unpack(document)
		if err != nil {
			return nil, s.failed(err)
		}
		for _, f := range c.Faults() { // another one may have failed
			if f.Translator == translator {
				return c, nil
			}
		}
	}
	return nil, nil
}

// A Kept is a formula that showed something new in a run.
type Kept struct {
	Number     int // of its case
	Formula    string
	Signatures int // that were new
}

// corpusSize is how many formulas a run starts from at most.
const corpusSize = 2000

// Corpus returns the formulas that showed something new in runs of the same translators, each
// once, 2,000 at most. Those of the last run come first, and of these the last ones: they were the
// hardest to find. Runs that were killed, or are at work, have none.
func (s *Store) Corpus(ctx context.Context, translators []string) ([]string, error) {
	names, _ := json.Marshal(append([]string{}, translators...)) // never fails
	// SQLite takes number from the row with the greatest run.
	list, err := texts(ctx, s.reads(), `SELECT formula FROM corpus WHERE run IN (SELECT run FROM translators GROUP BY run
			HAVING count(*) = json_array_length(?1) AND count(*) = sum(name IN (SELECT value FROM json_each(?1))))
		GROUP BY formula ORDER BY max(run) DESC, number DESC LIMIT ?2`, string(names), corpusSize)
	return list, s.failed(err)
}

// Starts returns the Start of a run's plan. Those of pruned runs are gone.
func (s *Store) Starts(ctx context.Context, run int64) ([]string, error) {
	list, err := texts(ctx, s.reads(), "SELECT formula FROM starts WHERE run = ? ORDER BY place", run)
	return list, s.failed(err)
}

// Keep stores the formulas that showed something new. They replace the formulas stored
// before.
func (r *Run) Keep(list []Kept) error {
	ctx := context.Background() // also when the run was interrupted
	return r.store.writes(ctx, func(tx *sql.Tx) error {
		if err := execute(ctx, tx, "DELETE FROM corpus WHERE run = ?", r.RunID.Run); err != nil {
			return err
		}
		insert, err := tx.PrepareContext(ctx, "INSERT INTO corpus (run, number, formula, signatures) VALUES (?, ?, ?, ?)")
		if err != nil {
			return err
		}
		defer insert.Close()
		for _, k := range list {
			if _, err := insert.ExecContext(ctx, r.RunID.Run, k.Number, k.Formula, k.Signatures); err != nil {
				return err
			}
		}
		return nil
	})
}
