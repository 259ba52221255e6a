package prose_test

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/prose"
)

// banned are some phrases that the rules find. They are cut in two, so that .ci/phrases does not
// find them here.
var banned = [][2]string{
	{"Who us", "es ltlcross finds its options in"},
	{"goes on wh", "ere it was when it was killed"},
	{"failures of wh", "ich the sa" + "me remains"},
	{"how to see", "\nthem"},
	{"trouble of o", "ur own"},
}

func TestFind(t *testing.T) {
	list := prose.Phrases(t, "../../../.ci/phrases.yml")
	for _, b := range banned {
		if found, _ := prose.Find(list, b[0]+b[1]); found == "" {
			t.Errorf("no rule finds %q", b[0]+b[1])
		}
	}
	for _, text := range []string{"replays every past failure first", "one test comes before another", "the time limit is reached"} {
		if found, _ := prose.Find(list, text); found != "" {
			t.Errorf("%q is found in %q", found, text)
		}
	}
}
