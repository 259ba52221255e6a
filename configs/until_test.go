package configs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the places of these tests

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/must"
)

func place(t *testing.T, name string) *time.Location {
	t.Helper()
	return must.Get(time.LoadLocation(name))
}

// TestUntil: over midnight, over both changes of the clock, and with dates and zones.
func TestUntil(t *testing.T) {
	const layout = "2006-01-02T15:04:05Z07:00"
	for _, x := range []struct{ place, now, until, want string }{
		{"UTC", "2026-11-22T22:00:00Z", "06:00", "2026-11-23T06:00:00Z"},
		{"UTC", "2026-11-22T05:59:59Z", "06:00", "2026-11-22T06:00:00Z"},
		{"UTC", "2026-11-22T06:00:00Z", "06:00", "2026-11-23T06:00:00Z"},
		{"UTC", "2026-11-22T23:59:00Z", "00:00", "2026-11-23T00:00:00Z"},
		{"UTC", "2026-12-31T23:59:00Z", "0:00:30", "2027-01-01T00:00:30Z"},
		{"UTC", "2028-02-28T12:00:00Z", "11:00", "2028-02-29T11:00:00Z"},
		// The night is an hour shorter.
		{"Europe/Berlin", "2026-03-28T22:00:00+01:00", "06:00", "2026-03-29T06:00:00+02:00"},
		// It is an hour longer.
		{"Europe/Berlin", "2026-10-24T22:00:00+02:00", "06:00", "2026-10-25T06:00:00+01:00"},
		{"Europe/Berlin", "2026-10-25T02:30:00+02:00", "02:30", "2026-10-25T02:30:00+01:00"},
		{"Europe/Berlin", "2026-10-25T02:30:00+01:00", "02:30", "2026-10-26T02:30:00+01:00"},
		// With a date, and with a zone.
		{"Europe/Berlin", "2026-11-22T22:00:00+01:00", "2026-11-23T06:00", "2026-11-23T06:00:00+01:00"},
		{"Europe/Berlin", "2026-11-22T22:00:00+01:00", "2026-11-25 06:00:01", "2026-11-25T06:00:01+01:00"},
		{"Europe/Berlin", "2026-11-22T22:00:00+01:00", "2026-11-23T06:00Z", "2026-11-23T07:00:00+01:00"},
		{"Europe/Berlin", "2026-11-22T22:00:00+01:00", "2026-11-23T06:00:00-05:00", "2026-11-23T12:00:00+01:00"},
		{"Europe/Berlin", "2026-11-22T22:00:00+01:00", "2026-11-22T22:00", "2026-11-22T22:00 is in the past"},
		{"Europe/Berlin", "2026-11-22T22:00:00+01:00", "2026-11-22T21:00:00Z", "2026-11-22T21:00:00Z is in the past"},
	} {
		now := must.Get(time.ParseInLocation(layout, x.now, place(t, x.place)))
		until, err := configs.ParseUntil(x.until)
		if err != nil {
			t.Errorf("%s: %v", x.until, err)
			continue
		}
		got, err := until.After(now.In(place(t, x.place)))
		if text := got.Format(layout); err == nil && text != x.want || err != nil && err.Error() != x.want {
			t.Errorf("%s: after %s, %s is %s (%v), want %s", x.place, x.now, x.until, text, err, x.want)
		}
	}
	for _, text := range []string{"", "6", "24:00", "06:60", "25:00", "6 am", "2026-02-30T06:00", "2026-11-23", "06:00+01:00", "tomorrow"} {
		if u, err := configs.ParseUntil(text); err == nil || !strings.Contains(err.Error(), "expected a time such as 06:00") {
			t.Errorf("%q: %v, %v", text, u, err)
		}
	}
}

// TestBegin: when the run ends.
func TestBegin(t *testing.T) {
	now := time.Date(2026, 11, 22, 22, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		random configs.Random
		want   time.Time
	}{
		{configs.Random{For: 90 * time.Minute}, now.Add(90 * time.Minute)},
		{configs.Random{Until: "06:00"}, now.Add(8 * time.Hour)},
		{configs.Random{Number: 7}, time.Time{}},
	} {
		if err := c.random.Begin(now); err != nil || !c.random.Deadline.Equal(c.want) {
			t.Errorf("%+v, %v", c.random, err)
		}
	}
	r := configs.Random{Until: "2026-11-22T21:59"}
	if err := r.Begin(now); err == nil {
		t.Errorf("%+v", r)
	}
}

// TestDrawSeed: seeds drawn differ, and fit into a JSON number. The seed of a name is always the
// same.
func TestDrawSeed(t *testing.T) {
	seen := map[uint64]bool{}
	for i := range 200 {
		var drawn, named, again configs.Random
		drawn.DrawSeed()
		named.SeedFrom(fmt.Sprint("night ", i))
		again.SeedFrom(fmt.Sprint("night ", i))
		if named.Seed != again.Seed {
			t.Errorf("night %d: seeds %d and %d", i, named.Seed, again.Seed)
		}
		for _, seed := range []uint64{drawn.Seed, named.Seed} {
			if seed >= 1<<53 || seen[seed] {
				t.Errorf("seed %d is too large, or was there before", seed)
			}
			seen[seed] = true
		}
	}
}

func ExampleParse() {
	c, err := configs.Parse("nightly.toml", []byte(`
[formulas.random]
number = 1000
size   = "5..20"

[[translators]]
tool    = "spin"
timeout = "10s"
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Formulas.Random.Number, "formulas over", c.Formulas.Random.Props)
	for _, t := range c.Translators {
		fmt.Printf("%s: %s, at most %v, without %v\n", t.Name, t.Command, t.Timeout, t.Without)
	}
	// Output:
	// 1000 formulas over [p0 p1 p2]
	// spin: spin -f %s, at most 10s, without xor X W M
}

func ExampleParse_errors() {
	_, err := configs.Parse("nightly.toml", []byte(`
[formulas]
inline = ["G(a -> Fb)", "a U (b &"]
[[translators]]
command = "ltl2tgba -H %x"
timeuot = "10s"
`))
	fmt.Println(err)
	// Output:
	// nightly.toml:3:34: formulas.inline: expected a formula, found the end
	// nightly.toml:5:24: translators.command: unknown placeholder %x: expected one of %f %s %l %w %F %S %L %W %O %%
	// nightly.toml:6:1: translators.timeuot: unknown key; did you mean timeout?
}
