package configs

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// An Until is a moment at which a run ends: a time of day, such as 06:00, or a date and time,
// such as 2026-11-23T06:00. Both may have seconds. A date may have a zone (Z, or +01:00);
// otherwise the time is local. "" means none.
type Until string

// parseUntil checks the text of an Until.
func parseUntil(text string) (Until, error) {
	u := Until(strings.TrimSpace(text))
	_, _, _, err := u.parse()
	return u, err
}

// parse returns what a clock shows, in UTC unless the text has a zone.
func (u Until) parse() (wall time.Time, dated, zoned bool, err error) {
	for _, x := range []struct {
		layout       string
		dated, zoned bool // what the layout says besides the time of day
	}{
		{"15:04", false, false}, {"15:04:05", false, false},
		{"2006-01-02T15:04", true, false}, {"2006-01-02T15:04:05", true, false},
		{"2006-01-02 15:04", true, false}, {"2006-01-02 15:04:05", true, false},
		{"2006-01-02T15:04Z07:00", true, true}, {time.RFC3339, true, true},
	} {
		if wall, err = time.Parse(x.layout, string(u)); err == nil {
			return wall, x.dated, x.zoned, nil
		}
	}
	return wall, false, false, fmt.Errorf("expected a time such as 06:00, or a date and time such as 2026-11-23T06:00, found %q", u)
}

// Daily reports whether the moment comes every day, as 06:00 does.
func (u Until) Daily() bool {
	_, dated, _, err := u.parse()
	return err == nil && !dated
}

// After returns the first such moment after now, in its location: 06:00, at 22:00, is 06:00 of the next day.
// A time that the clock skips or shows twice on a day is what time.Date makes of it. The error reports a date
// in the past.
func (u Until) After(now time.Time) (time.Time, error) {
	wall, dated, zoned, err := u.parse()
	if err != nil {
		return time.Time{}, err
	}
	place := now.Location()
	y, m, d := now.Date()
	days := 3 // a place may leave a day out
	if dated {
		y, m, d = wall.Date()
		days = 1
	}
	for i := range days {
		t := time.Date(y, m, d+i, wall.Hour(), wall.Minute(), wall.Second(), 0, place)
		if zoned {
			t = wall.In(place)
		}
		if t.After(now) {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s is in the past", u)
}

// Timed reports whether For or Until ends the run.
func (r *Random) Timed() bool { return r.For > 0 || r.Until != "" }

// Begin sets the deadline of a run that begins now. It fails if the deadline is in the past.
func (r *Random) Begin(now time.Time) (err error) {
	switch {
	case r.For > 0:
		r.Deadline = now.Add(r.For).Truncate(time.Millisecond)
	case r.Until != "":
		r.Deadline, err = r.Until.After(now)
	}
	return err
}

// seedBits is the size of a seed that is drawn: JSON is often read with numbers that have no
// more bits.
const seedBits = 53

// DrawSeed sets a fresh random seed.
func (r *Random) DrawSeed() {
	r.Seed = rand.Uint64N(1 << seedBits)
}

// SeedFrom sets the seed that belongs to a name.
func (r *Random) SeedFrom(name string) {
	sum := sha256.Sum256([]byte(name))
	r.Seed = binary.LittleEndian.Uint64(sum[:]) >> (64 - seedBits)
}
