package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/report"
)

// TestHTMLProvenance: the page has a table for each process that made the results.
func TestHTMLProvenance(t *testing.T) {
	summary, cases := everything(t)
	var page bytes.Buffer
	h := report.NewHTML(&page)
	for _, c := range cases {
		if err := h.Case(c, summary.Add(c)); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.End(summary); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(page.String(), `<section id="provenance"`)
	for _, want := range []string{"2 processes made these results", "<td>2026-11-19 22:00:00 UTC<", "<td>2026-11-19 23:00:00 UTC<", "<td>night-1<", "<td>v1.2.3<",
		`<td class="code">xcheck run -c nightly.toml --resume<`, `<td class="code">9c00a6cd<`, "<td>42<", "<td>1/2<", "good: good 1.0; mine: &lt;mine&gt; &amp; 2<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}
