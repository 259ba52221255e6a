package quantile

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/worked"
)

func sketch(numbers ...float64) *Sketch {
	s := &Sketch{}
	for _, x := range numbers {
		s.Add(x)
	}
	return s
}

// TestWorkedExamples runs the examples in the comments of Quantile and MarshalBinary.
func TestWorkedExamples(t *testing.T) {
	s := sketch(1, 2, 3, 4, 100)
	for q, want := range map[float64]string{0.5: "2.974", 0.9: "4.014"} {
		if got := fmt.Sprintf("%.6f", s.Quantile(q)); !strings.HasPrefix(got, want) {
			t.Errorf("quantile %g is %s", q, got)
		}
		worked.Shows(t, "sketch.go", want+"…")
	}
	form, err := sketch(-1, 7, 7, 7.1).MarshalBinary()
	if err != nil || hex.EncodeToString(form) != "0101ef08020101" || lowest != -1036 || bucket(7) != 98 || bucket(7.1) != 99 {
		t.Errorf("%x, %v; buckets %d, %d, %d", form, err, lowest, bucket(7), bucket(7.1))
	}
	worked.Shows(t, "encode.go", "01 01 ef08 02 01 01", "which is -1036")
}
