package cross

import "time"

// Window is how many cases wait for a slow one.
const Window = window

// SetTime sets how long one cause may be looked for.
func SetTime(t *Triage, most time.Duration) { t.most = most }
