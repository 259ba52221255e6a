package prose_test

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/prose"
)

// banned are phrases that the rules find. They are cut in two, so that .ci/phrases does not
// find them here.
var banned = [][2]string{
	{"Who us", "es ltlcross finds its options in"},
	{"each of th", "eir options"},
	{"checks first what ev", "er failed"},
	{"goes on wh", "ere it was when it was killed"},
	{"killed, and go", "ne on with"},
	{"runs than wh", "ich none is shorter"},
	{"what comes o", "f a formula"},
	{"failures of wh", "ich the sa" + "me remains"},
	{"is found when that one is me", "nded"},
	{"formulas on which some", "body fails"},
	{"how to see", "\nthem"},
	{"0 the good an", "swer"},
	{"status 1 where it wo", "uld be 3"},
	{"begin for", "mulas for this time"},
	{"of those that there wo", "uld be"},
	{"always if nothing is s", "aid"},
	{"search for products that it f", "its"},
	{"search less f", "ar for a shortest word"},
	{"known in %s be", "fore"},
	{"no change that is not by ch", "ance"},
	{"the operator X can't be exp", "ressed by the ones"},
	{"by the ones that are l", "eft"},
	{"(time was ov", "er)"},
	{"trouble of o", "ur own"},
	{"what was asked to co", "unt as one"},
	{"is what a Source has th", "at knows"},
	{"is returned as it i", "s"},
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
