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

// After returns the first such moment after now, in its location. If the clock shows a time
// twice, because it is set back, that is the first one still to come. If the clock skips it,
// that is the moment of the skip. The error reports a date in the past. For example, in Berlin:
//
//	06:00, at 22:00                            06:00 of the next day
//	02:30, at 22:00 before 29 March 2026       03:00, when clocks go from 02:00 to 03:00
//	02:30, at 22:00 before 25 October 2026     the first 02:30 of two
func (u Until) After(now time.Time) (time.Time, error) {
	wall, dated, zoned, err := u.parse()
	if err != nil {
		return time.Time{}, err
	}
	if zoned {
		if !wall.After(now) {
			return time.Time{}, fmt.Errorf("%s is in the past", u)
		}
		return wall.In(now.Location()), nil
	}
	first, last := 0, 0
	if !dated {
		y, m, d := now.Date()
		wall = time.Date(y, m, d, wall.Hour(), wall.Minute(), wall.Second(), 0, time.UTC)
		first, last = -1, 2 // a day may be left out
	}
	for i := first; i <= last; i++ {
		for _, t := range onClock(wall.AddDate(0, 0, i), now.Location()) {
			if t.After(now) {
				return t, nil
			}
		}
	}
	return time.Time{}, fmt.Errorf("%s is in the past", u)
}

// onClock returns the moments, earliest first, at which clocks at a place show what they do in
// UTC at the time wall; if there is none, that at which they pass over it.
func onClock(wall time.Time, place *time.Location) (list []time.Time) {
	// No place is more than a day away from UTC, nor are its clocks set twice within two days.
	_, before := wall.Add(-24 * time.Hour).In(place).Zone()
	_, after := wall.Add(24 * time.Hour).In(place).Zone()
	for _, offset := range []int{max(before, after), min(before, after)} {
		t := wall.Add(-time.Duration(offset) * time.Second).In(place)
		if _, is := t.Zone(); is == offset && (len(list) == 0 || !t.Equal(list[0])) {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		t := wall.Add(-time.Duration(before) * time.Second).In(place)
		start, _ := t.ZoneBounds() // t is behind the gap
		list = append(list, start)
	}
	return list
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
