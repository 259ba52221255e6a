//go:build unix

package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
)

// easy is how many formulas it may take to find an easy mutant.
const easy = 15

// hardOnly keeps the mutants that the results of an earlier experiment show to be neither easy nor
// beyond all generators: with some seed, a generator found them, and with some seed, one did not, or
// needed more than easy formulas.
func (e *experiment) hardOnly(raw string) error {
	file, err := os.Open(raw)
	if err != nil {
		return err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", raw, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], rawColumns) {
		return fmt.Errorf("%s: expected the columns that -raw writes", raw)
	}
	found, hard := map[string]bool{}, map[string]bool{}
	for _, row := range rows[1:] {
		name := row[0]
		ok := row[4] == strconv.FormatBool(true)
		formulas, err := strconv.Atoi(row[5])
		if err != nil {
			return fmt.Errorf("%s: %w", raw, err)
		}
		found[name] = found[name] || ok
		hard[name] = hard[name] || !ok || formulas > easy
	}
	e.mutants = slices.DeleteFunc(e.mutants, func(m Mutant) bool { return !found[m.Name] || !hard[m.Name] })
	return nil
}
