package bench_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestProduct: every pair is decided in all three ways, and the two that make the
// product on demand visit the same part of it.
func TestProduct(t *testing.T) {
	o := bench.ProductOptions{
		Seed:     2,
		Automata: 8,
		Props:    7,
		Sets:     3,
		Random:   random.Options{States: 30, Density: 0.3, Marks: 0.3},
		Formulas: 1,
		Time:     time.Second,
		Memory:   1 << 28,
	}
	rows := map[[3]string]bench.ProductRow{}
	checks := 0
	err := bench.Product(context.Background(), o, func(r bench.ProductRow) error {
		rows[[3]string{r.Family, r.Result, r.Way}] = r
		if r.Family == "random" && r.Way == "product check" {
			checks += r.Checks
		}
		if r.Family == "formulas" && r.Result != "empty" {
			t.Errorf("a formula and its negation: %+v", r)
		}
		if r.Family == "formulas" && r.Untranslated == 0 && r.Checks+r.Failed != 9 {
			t.Errorf("%+v, want 9 pairs", r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checks != 8*9/2 {
		t.Errorf("%d pairs of random automata, want %d", checks, 8*9/2)
	}
	for key, r := range rows {
		demand := rows[[3]string{key[0], key[1], "on-the-fly product"}]
		whole := rows[[3]string{key[0], key[1], "explicit product"}]
		if r.Way == "product check" && (r.States != demand.States || r.Edges != demand.Edges || r.Checks != demand.Checks) {
			t.Errorf("%+v differs from %+v", r, demand)
		}
		if r.Way == "product check" && (r.Ratio < 0.999 || r.Ratio > 1.001 || r.CheckRatio < 0.999 || r.CheckRatio > 1.001) {
			t.Errorf("%s to itself: ratios %g and %g", key, r.CheckRatio, r.Ratio)
		}
		if r.Search > r.Slowest || r.CheckRatio <= 0 || r.Ratio <= 0 || (r.Search > 0) != (r.Result != "empty") {
			t.Errorf("%+v", r)
		}
		if r.States > whole.States || r.Median > r.Slowest || r.Slowest > r.Seconds {
			t.Errorf("%+v", r)
		}
	}
	if r := rows[[3]string{"random", "itself", "product check"}]; r.Checks != 8 {
		t.Errorf("%+v, want 8 checks", r)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := bench.Product(canceled, o, func(bench.ProductRow) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestConditions: the generic check and the conversion to generalized Büchi acceptance agree on
// small automata and pairs of them. SmallConditions fails if they differ.
func TestConditions(t *testing.T) {
	n, seed := campaign.Seeded(t, 150, 8)
	for _, states := range campaign.Alternate(0, 3, 6, 12) {
		o := bench.ProductOptions{Seed: seed, Conditions: n, Time: time.Minute}
		checks := map[string]int{}
		err := bench.SmallConditions(context.Background(), o, states, func(r bench.ProductRow) error {
			if r.Way == "generic" {
				checks[r.Family] += r.Checks
			} else if r.Converted == 0 || r.Conversion <= 0 || r.Conversion > r.Slowest {
				t.Errorf("%+v", r)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(checks) != 6 {
			t.Errorf("families %v, want 6", checks)
		}
		for family, got := range checks {
			if got != n {
				t.Errorf("%s: %d checks, want %d", family, got, n)
			}
		}
	}
}
