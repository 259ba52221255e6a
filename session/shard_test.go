package session

import "testing"

// TestShard: each input is in one shard, and Count counts how many of the first n are in a
// shard.
func TestShard(t *testing.T) {
	for parts := 1; parts <= 7; parts++ {
		counts := make([]int, parts)
		for n := range 40 {
			has := 0
			for i := range parts {
				s := Shard{i + 1, parts}
				if got := s.Count(n); got != counts[i] {
					t.Errorf("shard %v has %d of %d inputs, want %d", &s, got, n, counts[i])
				}
				if s.Has(n) {
					has++
					counts[i]++
				}
			}
			if has != 1 {
				t.Errorf("input %d is in %d of %d shards", n, has, parts)
			}
		}
	}
	if all := (Shard{}); !all.Has(3) || all.Count(5) != 5 || all.String() != "" || !all.whole() {
		t.Errorf("the zero shard is %+v", all)
	}
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/5": {2, 5}, "": {}, "0/3": {}, "4/3": {}, "1": {}, "a/2": {}, "-1/2": {}, "1/2/3": {}} {
		var s Shard
		if err := s.Set(text); s != want || (err == nil) != (want != Shard{}) || err == nil && s.String() != text {
			t.Errorf("%q is %+v, %v", text, s, err)
		}
	}
}
