package history

import "testing"

// TestFailingCase: the newest case of the formula in which the translator fails.
func TestFailingCase(t *testing.T) {
	s := openTemporary(t)
	for range 2 {
		r, err := s.Begin(ctx, plan(""))
		if err != nil {
			t.Fatal(err)
		}
		for index := range 3 {
			c := sample(index)
			c.Disagreements[0].Size = int(r.RunID.Run)
			if err := r.Add(c); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.End(1, true, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.FailingCase(ctx, "a U b1", "bad")
	if err != nil || c == nil || c.Formula != "a U b1" || c.Disagreements[0].Size != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	for _, x := range [][2]string{{"a U b1", "good"}, {"a U b9", "bad"}} {
		if c, err := s.FailingCase(ctx, x[0], x[1]); c != nil || err != nil {
			t.Errorf("%q: %+v, %v", x, c, err)
		}
	}
}
