package triage

import "time"

// SetTime sets how long one cause may be looked for.
func SetTime(t *Triage, most time.Duration) { t.most = most }

// Exhaust makes as if so many causes of a translator had been looked for that no more are.
func Exhaust(t *Triage, translator string) { t.count[translator] = maxCauses }
