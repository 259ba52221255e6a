package history

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// applicationID marks a file as a history ("xchk"), see sqlite.org/fileformat.html.
const applicationID = 0x7863686b

// migrations make the schema, one version after the other: a file of version n (its
// user_version) gets those from n on. A migration that was released is never changed.
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
	-- Sums over the cases. They are NULL while the run is at work, and if it was killed.
	cases         INTEGER,
	failed        INTEGER,              -- cases in which something failed
	formulas      INTEGER,              -- cases that are no unreadable lines
	disagreeing   INTEGER,              -- formulas with a disagreement
	failures      INTEGER               -- calls of translators that failed
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
	-- Sums over the automata that it made, NULL where those of the run are.
	made    INTEGER,
	states  INTEGER,
	edges   INTEGER,
	seconds REAL,
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

-- Words on which automata are wrong.
CREATE TABLE witnesses (
	run      INTEGER NOT NULL,
	number   INTEGER NOT NULL,
	place    INTEGER NOT NULL, -- from 0, among those of the case
	word     TEXT NOT NULL,
	size     INTEGER NOT NULL, -- letters
	shortest INTEGER NOT NULL, -- proved
	truth    INTEGER NOT NULL, -- of the formula on it
	kind     TEXT NOT NULL,    -- missing or extra
	blamed   TEXT NOT NULL,    -- JSON: a list of {"translator", "negated"}
	PRIMARY KEY (run, number, place),
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
	command    TEXT NOT NULL     -- shows it
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
	`
-- The formulas that showed something new in runs that came to their ends, or were interrupted.
CREATE TABLE corpus (
	run        INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	number     INTEGER NOT NULL, -- the index of its case
	formula    TEXT NOT NULL,
	signatures INTEGER NOT NULL, -- that were new
	PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

-- The formulas of earlier runs that guided formulas of a run start from.
CREATE TABLE starts (
	run     INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	place   INTEGER NOT NULL, -- from 0
	formula TEXT NOT NULL,
	PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;
`,
	`
-- The signatures of what translators printed, each once.
CREATE TABLE signatures (
	signature INTEGER PRIMARY KEY,
	run       INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE -- the first that showed it
) STRICT;
CREATE INDEX signatures_of_runs ON signatures (run);
`,
	`
-- NULL until a compaction has looked at the case; 0 if it is kept since it is not plain; otherwise
-- a hash of its formula: the sample has the least ones.
ALTER TABLE cases ADD COLUMN sample INTEGER;
CREATE INDEX cases_of_formulas ON cases (formula);
CREATE INDEX unsorted_cases ON cases (run, number) WHERE sample IS NULL;
CREATE INDEX sampled_cases ON cases (run, sample) WHERE sample > 0;

-- Sums over those plain cases of a shard that are not kept whole. A run without shards has the
-- shard 1 of 1.
CREATE TABLE sums (
	run        INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	shards     INTEGER NOT NULL,
	shard      INTEGER NOT NULL,
	cases      INTEGER NOT NULL,
	unchecked  INTEGER NOT NULL, -- cases of which there was nothing to compare
	passed     INTEGER NOT NULL, -- checks
	audited    INTEGER NOT NULL, -- of these
	no_checks  INTEGER NOT NULL, -- the run had none
	automata   INTEGER NOT NULL, -- its inputs are automata
	kinds      TEXT NOT NULL,    -- JSON: formulas by size, by number of propositions, by class
	signatures BLOB NOT NULL,    -- with the first case of each, in the order of the shard
	PRIMARY KEY (run, shards, shard)
) STRICT, WITHOUT ROWID;

-- What translators made of these cases.
CREATE TABLE tool_sums (
	run            INTEGER NOT NULL,
	shards         INTEGER NOT NULL,
	shard          INTEGER NOT NULL,
	translator     INTEGER NOT NULL, -- its place
	ok             INTEGER NOT NULL, -- calls
	skipped        INTEGER NOT NULL,
	skip_reason    TEXT NOT NULL,    -- of some
	states         INTEGER NOT NULL,
	edges          INTEGER NOT NULL,
	transitions    REAL NOT NULL,
	acc            INTEGER NOT NULL, -- sets
	time           INTEGER NOT NULL, -- nanoseconds
	cpu_time       INTEGER NOT NULL,
	max_rss        INTEGER NOT NULL, -- bytes, the most of a call
	states_sketch  BLOB NOT NULL,    -- distributions, see internal/quantile
	edges_sketch   BLOB NOT NULL,
	seconds_sketch BLOB NOT NULL,
	PRIMARY KEY (run, shards, shard, translator),
	FOREIGN KEY (run, shards, shard) REFERENCES sums ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The cases that a compaction of a run that has not ended has looked at: those with the numbers
-- first, first + shards, and so on up to last.
CREATE TABLE spans (
	run    INTEGER NOT NULL,
	shards INTEGER NOT NULL,
	shard  INTEGER NOT NULL,
	first  INTEGER NOT NULL,
	last   INTEGER NOT NULL,
	PRIMARY KEY (run, shards, shard, first),
	FOREIGN KEY (run, shards, shard) REFERENCES sums ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What the guide of a run that has not ended learned from these cases, so that it resumes.
CREATE TABLE answers (
	run    INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	first  INTEGER NOT NULL, -- number of a case, and last that of the last one
	last   INTEGER NOT NULL,
	data   BLOB NOT NULL,
	PRIMARY KEY (run, first)
) STRICT, WITHOUT ROWID;
`,
	`
-- The excess lengths of automata: their sum in letters, and of how many automata it is. It is of none
-- in sums that are older than these columns.
ALTER TABLE tool_sums ADD COLUMN excess INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tool_sums ADD COLUMN excess_automata INTEGER NOT NULL DEFAULT 0;
`,
	`
-- No longer used: versions in which failures came and went, as an earlier xcheck found them.
CREATE TABLE bisections (
	failure  INTEGER PRIMARY KEY REFERENCES failures ON DELETE CASCADE,
	document TEXT NOT NULL -- JSON
) STRICT;
`,
	`
-- The formula was shrunk, and no limit ended that. Earlier, only then was it part of the key.
ALTER TABLE failures ADD COLUMN shrunk INTEGER NOT NULL DEFAULT 0;
UPDATE failures SET shrunk = instr(substr(key, length(translator) + 4), ' | ') > 0;
`,
	`
-- Automata that are proved to accept what their formula says, and others for which that was tried.
-- Before, passed checks were audited instead.
ALTER TABLE sums RENAME COLUMN audited TO proved;
UPDATE sums SET proved = 0;
ALTER TABLE sums ADD COLUMN unproved INTEGER NOT NULL DEFAULT 0;
`,
	`
-- The other sizes that are summed up, as JSON: see omega.Totals. Sums lack sizes that are younger than they are.
ALTER TABLE tool_sums ADD COLUMN totals TEXT NOT NULL DEFAULT '{}';
UPDATE tool_sums SET totals = json_object('transitions', transitions, 'acc', acc);
ALTER TABLE tool_sums DROP COLUMN transitions;
ALTER TABLE tool_sums DROP COLUMN acc;
`,
	`
-- An earlier xcheck kept only sums of some cases of large runs. These runs count as pruned.
UPDATE runs SET pruned = TRUE,
	cases = ifnull(cases, (SELECT count(*) FROM cases WHERE run = runs.id) + (SELECT sum(cases) FROM sums WHERE run = runs.id)),
	failed = ifnull(failed, (SELECT count(*) FROM cases WHERE run = runs.id AND cases.failed))
	WHERE EXISTS (SELECT 1 FROM sums WHERE run = runs.id AND sums.cases > 0);
DROP TABLE answers;
DROP TABLE spans;
DROP TABLE tool_sums;
DROP TABLE sums;
DROP TABLE bisections;
DROP INDEX unsorted_cases;
DROP INDEX sampled_cases;
ALTER TABLE cases DROP COLUMN sample;
`,
	`
-- An earlier xcheck varied formulas that showed something new.
DROP TABLE corpus;
DROP TABLE starts;
`,
}

// A VersionError reports a file with a newer schema than this xcheck supports.
type VersionError struct {
	Found, Newest int
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("a newer xcheck wrote this file (schema version %d; this xcheck knows up to %d): use that version", e.Found, e.Newest)
}

// migrate brings the schema up to date: whole or not at all, and by one process only.
func migrate(ctx context.Context, db *sql.DB) error {
	version, err := schemaVersion(ctx, db)
	if err != nil || version == len(migrations) {
		return err
	}
	tx, err := db.BeginTx(ctx, nil) // takes the lock for writing
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have been faster.
	if version, err = schemaVersion(ctx, tx); err != nil || version == len(migrations) {
		return err
	}
	script := fmt.Sprintf("%s; PRAGMA user_version = %d; PRAGMA application_id = %d", strings.Join(migrations[version:], ";"), len(migrations), applicationID)
	if err := execute(ctx, tx, script); err != nil {
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
	case version > len(migrations):
		return 0, &VersionError{version, len(migrations)}
	}
	return version, nil
}
