package session

import (
	"sync"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/cross/triage"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translate"
)

// Schema returns the names of the algorithms and the defaults of this program. Do not change it.
var Schema = sync.OnceValue(func() *configs.Schema {
	s := &configs.Schema{
		Complements: complement.Names(),
		Emptiness:   emptiness.AllNames(),
		Check:       configs.CheckLimits(productcheck.DefaultLimits),
		Products:    configs.Products(cross.DefaultProducts),
		GrindCalls:  triage.DefaultCalls,
	}
	for _, f := range hoa.Formats() {
		if f.Splits() {
			s.Formats = append(s.Formats, f.Name)
		}
	}
	for _, f := range report.Written() {
		s.Reports = append(s.Reports, configs.Report{Name: f.Name, Stdout: f.Stdout, Appends: f.Appends})
	}
	for _, a := range translate.Algorithms() {
		s.Builtins = append(s.Builtins, a.Name)
	}
	return s
})
