package session

import "testing"

func TestShardList(t *testing.T) {
	for _, c := range []struct {
		shards []int
		want   string
	}{
		{nil, ""},
		{[]int{3}, "3"},
		{[]int{1, 2, 3, 4}, "1, 2, 3, 4"},
		{[]int{1, 2, 3, 4, 5}, "1..5"},
		{[]int{1, 3, 4, 6, 7, 8, 9, 10, 12}, "1, 3, 4, 6..10, 12"},
	} {
		if got := ShardList(c.shards); got != c.want {
			t.Errorf("%v: %q, want %q", c.shards, got, c.want)
		}
	}
}
