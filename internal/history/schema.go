package history

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// applicationID marks a file as a history ("xchk"), see sqlite.org/fileformat.html.
const applicationID = 0x7863686b

// oldest is the first version of the schema that is read: earlier ones were never released.
const oldest = 12

// migrations make the schema, one version after the other: the first makes a file of version oldest, the
// next one a file of the version after it. A migration that was released is never changed.
//
// Times are texts in UTC (RFC 3339, with nanoseconds), durations seconds, and truths 0 and 1.
var migrations = []string{
	`
-- What decides what the cases of a run contain: formulas (but for the seed of random ones),
-- translators, checks, limits.
CREATE TABLE configurations (
	id   INTEGER PRIMARY KEY,
	hash TEXT NOT NULL UNIQUE, -- SHA-256 of text, hexadecimal
	text TEXT NOT NULL         -- JSON
) STRICT;

CREATE TABLE runs (
	id            INTEGER PRIMARY KEY,
	uid           TEXT NOT NULL UNIQUE, -- random: the same in all copies of the file
	configuration INTEGER NOT NULL REFERENCES configurations,
	file          TEXT NOT NULL,        -- of the configuration, as it was named; '' for none
	name          TEXT NOT NULL,        -- given by the user, or ''
	shard         INTEGER NOT NULL,     -- from 1 to shards: it has the cases of which the
	shards        INTEGER NOT NULL,     -- index is shard-1 modulo shards
	seed          TEXT,                 -- of random formulas, decimal; NULL if there are none
	version       TEXT NOT NULL,        -- of xcheck
	process       TEXT NOT NULL,        -- that writes it: host, number, start; '' if it was stopped
	started       TEXT NOT NULL,
	alive         TEXT NOT NULL,        -- when something was last written
	spent         REAL NOT NULL,        -- seconds at work, without the times between it was
	                                    -- killed and went on
	ended         TEXT,                 -- NULL until the run has come to its end
	status        INTEGER,              -- its exit status; 130 if it was interrupted
	good          INTEGER,              -- it ended, and no group of failures was new
	totals        TEXT,                 -- JSON: what a document of JSON has beside the cases
	replayed      TEXT NOT NULL,        -- JSON: the formulas that are checked first, since something
	                                    -- failed on them in earlier runs
	settings      TEXT NOT NULL,        -- JSON: what its cases do not depend on, such as which failures
	                                    -- count for the status
	pruned        INTEGER NOT NULL,     -- its cases have been deleted
	checked       INTEGER,              -- totals have a check that was decided, or a proof
	-- Numbers of cases. They are NULL while the run is at work, and if it was killed.
	cases         INTEGER,
	failed        INTEGER               -- in which something failed
) STRICT;

-- The shards that a run was united from.
CREATE TABLE parts (
	run     INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	shard   INTEGER NOT NULL,     -- from 1 to shards: it has the cases of which the
	shards  INTEGER NOT NULL,     -- index is shard-1 modulo shards
	uid     TEXT NOT NULL UNIQUE, -- of the shard's own run
	started TEXT NOT NULL,
	spent   REAL NOT NULL,        -- seconds at work
	ended   TEXT,                 -- NULL if it has not come to its end
	alive   TEXT NOT NULL,        -- when something was last written
	totals  TEXT,                 -- as of runs
	PRIMARY KEY (run, shard)
) STRICT, WITHOUT ROWID;

CREATE TABLE translators (
	run     INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	place   INTEGER NOT NULL, -- from 0, in the order of the configuration
	name    TEXT NOT NULL,
	command TEXT NOT NULL,
	version TEXT NOT NULL,    -- '' if it is not known
	PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;

-- The formulas of runs, each once.
CREATE TABLE formulas (
	id   INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE cases (
	run      INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	number   INTEGER NOT NULL, -- the index of the case, from 0
	formula  INTEGER NOT NULL REFERENCES formulas,
	seed     TEXT,             -- of the random formulas, if it is one; decimal
	replayed INTEGER NOT NULL, -- it is there since something failed on it in an earlier run
	failed   INTEGER NOT NULL, -- some translator fails on it
	document BLOB NOT NULL,    -- the case of the JSON document, packed
	PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX failed_cases ON cases (run) WHERE failed;
CREATE INDEX cases_of_formulas ON cases (formula);

-- What translators made of formulas.
CREATE TABLE results (
	run         INTEGER NOT NULL,
	number      INTEGER NOT NULL,
	translator  INTEGER NOT NULL, -- its place
	negated     INTEGER NOT NULL, -- it was asked for the negation
	status      TEXT NOT NULL,
	time        REAL NOT NULL,    -- seconds
	cpu_time    REAL NOT NULL,
	max_rss     INTEGER NOT NULL, -- bytes
	states      INTEGER NOT NULL,
	edges       INTEGER NOT NULL,
	transitions REAL NOT NULL,
	acc         INTEGER NOT NULL, -- sets
	PRIMARY KEY (run, number, translator, negated),
	FOREIGN KEY (run, number) REFERENCES cases ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Failures of one translator that are taken for one, over all runs.
CREATE TABLE failures (
	id         INTEGER PRIMARY KEY,
	key        TEXT NOT NULL UNIQUE, -- the same in every run and file
	translator TEXT NOT NULL,
	class      TEXT NOT NULL,
	formula    TEXT NOT NULL,    -- the smallest that shows it
	negated    INTEGER NOT NULL, -- its negation does
	word       TEXT NOT NULL,    -- '' where it is no matter of words
	size       INTEGER NOT NULL,
	shortest   INTEGER NOT NULL,
	command    TEXT NOT NULL,    -- shows it
	shrunk     INTEGER NOT NULL  -- the formula was shrunk, and no limit ended that
) STRICT;

-- The formulas by which a failure is replayed.
CREATE TABLE replays (
	failure INTEGER NOT NULL REFERENCES failures ON DELETE CASCADE,
	formula TEXT NOT NULL,
	PRIMARY KEY (failure, formula)
) STRICT, WITHOUT ROWID;

-- What became of failures in the runs that could tell.
CREATE TABLE sightings (
	failure  INTEGER NOT NULL REFERENCES failures ON DELETE CASCADE,
	run      INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	state    TEXT NOT NULL,    -- new, known, fixed, back again
	formulas INTEGER NOT NULL, -- of the run that show it
	PRIMARY KEY (failure, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX sightings_of_runs ON sightings (run);
`,
}

// newest returns the version that the migrations make, which is the file's user_version.
func newest() int { return oldest + len(migrations) - 1 }

// A VersionError reports a file with a schema that this xcheck does not support.
type VersionError struct {
	Found, Oldest, Newest int
}

func (e *VersionError) Error() string {
	if e.Found < e.Oldest {
		return fmt.Sprintf("an xcheck from before version 0.9.0 wrote this file (schema version %d; this xcheck reads %d and later): begin a new history", e.Found, e.Oldest)
	}
	return fmt.Sprintf("a newer xcheck wrote this file (schema version %d; this xcheck knows up to %d): use that version", e.Found, e.Newest)
}

// migrate brings the schema up to date: whole or not at all, and by one process only.
func migrate(ctx context.Context, db *sql.DB) error {
	version, err := schemaVersion(ctx, db)
	if err != nil || version == newest() {
		return err
	}
	tx, err := db.BeginTx(ctx, nil) // takes the lock for writing
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have been faster.
	if version, err = schemaVersion(ctx, tx); err != nil || version == newest() {
		return err
	}
	left := migrations[max(0, version-oldest+1):]
	if err := execute(ctx, tx, fmt.Sprintf("%s; PRAGMA user_version = %d; PRAGMA application_id = %d", strings.Join(left, ";"), newest(), applicationID)); err != nil {
		return err
	}
	return tx.Commit()
}

// schemaVersion returns the version of the schema: 0 of an empty file.
func schemaVersion(ctx context.Context, q querier) (int, error) {
	var version, id, tables int
	err := q.QueryRowContext(ctx, "SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)").Scan(&version, &id, &tables)
	switch {
	case err != nil:
		return 0, err
	case id != applicationID && tables > 0:
		return 0, errNoHistory
	case version > newest(), 0 < version && version < oldest:
		return 0, &VersionError{version, oldest, newest()}
	}
	return version, nil
}
