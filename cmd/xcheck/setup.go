package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// setup is all that decides what the cases of a run contain, but for a seed that was drawn. It
// is no form that anything is read from, but what runs are compared by, and shown with.
func setup(config *configs.Config, tools []*translators.Tool, o *cross.Options) ([]byte, error) {
	formulas, products := config.Formulas, o.Products
	if r := formulas.Random; r != nil {
		random := *r
		formulas.Random, random.Deadline = &random, time.Time{}
		if seedDrawn(config) {
			random.Seed, products.Seed = 0, 0
		}
	}
	audit := &o.Audit
	if o.Audit == schema.Default().Checks.Audit {
		audit = nil
	}
	type tool struct {
		Name, Command, Mode, Syntax, Format string
		Relabel, CleanEnv, Reference        bool
		Processes                           int
		Limits                              translators.Limits
		Env                                 []string
		Without                             ltl.OpSet
	}
	var list []tool
	for _, t := range tools {
		x := tool{t.Name, anywhere(t.Command.Text()), t.Mode.String(), t.Syntax.String(), t.Format, t.Relabel, t.CleanEnv, t.Reference, t.Processes, t.Limits, nil, t.Without}
		for _, entry := range t.Env {
			// Values may be secret.
			key, value, _ := strings.Cut(entry, "=")
			x.Env = append(x.Env, fmt.Sprintf("%s=%.4x", key, sha256.Sum256([]byte(value))))
		}
		slices.Sort(x.Env)
		list = append(list, x)
	}
	return json.Marshal(struct {
		Formulas                        configs.Formulas
		Tools                           []tool
		Reference, Properties, AllPairs bool
		NoComplement, NoChecks, Grind   bool
		Words                           int
		Audit                           *float64 `json:",omitempty"` // unless it is the default
		Products                        cross.Products
		Statistics                      cross.Statistics
		Limits                          any
		Complement, Emptiness           string
	}{formulas, list, o.Reference != nil, o.Properties, o.AllPairs, o.NoComplement, o.NoChecks, config.Triage.Grind, o.Words, audit, products, o.Statistics,
		o.Limits, string(o.Complement), string(o.Emptiness)})
}

// anywhere returns the command of a translator without the path of this program, if it is one of
// those built in: a run is the same with an xcheck in another folder, or built anew by go run.
func anywhere(command string) string {
	if rest, ok := strings.CutPrefix(command, configs.Self()+" "); ok {
		return "xcheck " + rest
	}
	return command
}
