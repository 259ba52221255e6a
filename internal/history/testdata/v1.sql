PRAGMA application_id = 2019780715; -- 0x7863686b
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE configurations (
	id   INTEGER PRIMARY KEY,
	hash TEXT NOT NULL UNIQUE, -- SHA-256 of text, hexadecimal
	text TEXT NOT NULL         -- JSON
) STRICT;
INSERT INTO configurations VALUES(1,'f9d86028c6e0d64e225186f96acb69338b2c59764df79162107f5c4bb34d1310','{"a": 1}');
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
INSERT INTO runs VALUES(1,'4ef915723ddfc1c032624ed05b7a9bd0',1,'','a night',1,1,'9223372036854775813','0.1.0','','2026-11-22T03:21:50.555613530Z','2026-11-22T03:21:50.558095928Z',0.0024842699999999997943,'2026-11-22T03:21:50.557424413Z',1,1,'{}','[]','',0,3,3,3,3,0);
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
INSERT INTO translators VALUES(1,0,'good','good %f','3.1',6,12,12,1.5);
INSERT INTO translators VALUES(1,1,'bad','bad %f','',6,12,12,1.5);
CREATE TABLE formulas (
	id   INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO formulas VALUES(1,'a U b0');
INSERT INTO formulas VALUES(2,'a U b1');
INSERT INTO formulas VALUES(3,'a U b2');
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
INSERT INTO cases VALUES(1,0,1,'7',0,1,X'01ec54c1aadb3010bcf72b1e7316c52d9482fea3a760cc469a3822b214a4755f5e43febd484dd2924b0b7dc7f862b45a8d7647b37346489e27d8c16097cbb2468185bc7c7bd90e30a8a487fd6a5058d7a8157673861649358ae6028b39670f83c459941e7627b1d2a0aae85a61910f30e029e8e4b227ec60a06121ecf0f1f31703775c270d0b610783454e53a915ad1839f69a1a0e2bec278335158adbcb36b26fd1cf6da70116493568c8a9650e7f7c06e25ccfaed77f9432b3ea745ba79c3c75badd33985be437bca7b22c2185aac1dd3b747939462aef810e31f5fb76bf48f8cef236bd520ef71c89ca9244439aafb18bf90ba15ad6279fffc1e7563c9efabc4ae81df4f9c0e7539ed74136ff36ee63f3d21d0b93232cb66b881a120cdc9eee408f2ba37dd9fc7634f0a1ca5cc885495be88cd75c3c2cdc9b8b3ccba53975f8c16e93759f8bb2ea0d48cbaafb7b8d8790da419eb408ba3bf2d83147836d94a515b07970a48717efc378195b276bf274c1f743a3c12e241fd25c6137e3e5c3cf000000ffff');
INSERT INTO cases VALUES(1,1,2,'7',0,1,X'01ec54c18a1b310cbdf72b967716c5bb500afe8f9ec23028b63231f1d8c1d274b30df9f7e2d924875c5a688f39fa317a92de3cbd33528972827f25ec6a9b97ccf0e0971f2fdb57105424c27f2734d1259bc26fceb0c645335b6df0986a8d201499d824c2ef38ab10d4d81685473d8020a76463a851e01dc1d22cf0eeebdb3742382ea3a559e01d61e6d3d854e11d818ff08ea0c6260aff46584a130e7bde66817704899328fc1bc11a174d966a51f857e79c73ce39e79c237008e87c1ac25a95b94da236dedea5962836f6797b1f4737443ee91d218a499b53496a29dc370c753e6631b9032bc5c8bdcfee53849fd23ec677e1c3fd1bce26adb0a5325db10bfd41506bcb53cf7fd073cb114f7f5e2df41ffcf9a0e7d39ed743a6bf3bf7a167e94e9a9420f0d82e295b2a2084bd8483445c155d9f3d6f07424cca531399a55887ce78af2dc2237c842c67bef4a44ebf644d71ddd766a27623b2b6d8fe3ee321955e28276b0c028720c79573206c33cf7d80cd43223dfcf1f5182f43df642951428a6bd140d8a5125399147e335cbefc0e0000ffff');
INSERT INTO cases VALUES(1,2,3,'7',0,1,X'01ec54418edb300cbcf7158b39138576dba280fed1d3c23018897184c85220d2dd6c83fcbd9037c9219716688f396a600ec9f1704e4825ca11fe85b0ad6d5e32c3839f7e3c6d5e40509108ff9dd044976c0aff7a82352e9ad96a83c7546b04a1c8c426117ecb5985a0c6b6283cea1e0439261b438d02ef08966681779f5fbe11c261192dcd02ef08331fc7a60aef087c807704353651f82f84a534e1b0e34d167847903889c27f2558e3a2c9522d0affec9c73ce39e79c73040e019d4f4358ab32b749d4c6ebbbd412c5c63e6fefe3e88ac807bd23443169732a492d85db86a1ce872c263760a518b9f7d97e88f053dafbf826bcbf7dc3d9a415b654a60b76a63f086a6d79e8f90f7a6e38e2e1cf8b85fe833feff47cd8f372c8f477e73ef42cdd4a9312041e9b25654b0584b093b097888ba2ebb3e7ed408849796a22b314ebd0096fb5457884f790e5c4e79ed4e997c03f1374579b89da95c8da62bbdb8cfb547aa11cad31081c821c56ce81b0c93cf7015eef12e9ee8fafc7781efa264b8912525c8b06c2369598caa4f0afc3f9d3ef000000ffff');
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
INSERT INTO results VALUES(1,0,0,0,'ok',0.25,0.0,0,1,0,1000000000000.0,0);
INSERT INTO results VALUES(1,0,0,1,'ok',0.25,0.0,0,1,0,1000000000000.0,0);
INSERT INTO results VALUES(1,0,1,0,'ok',0.25,0.0,0,1,0,1000000000000.0,0);
INSERT INTO results VALUES(1,0,1,1,'ok',0.25,0.0,0,1,0,1000000000000.0,0);
INSERT INTO results VALUES(1,1,0,0,'ok',0.25,0.0,0,2,2,1000000000000.0,0);
INSERT INTO results VALUES(1,1,0,1,'ok',0.25,0.0,0,2,2,1000000000000.0,0);
INSERT INTO results VALUES(1,1,1,0,'ok',0.25,0.0,0,2,2,1000000000000.0,0);
INSERT INTO results VALUES(1,1,1,1,'ok',0.25,0.0,0,2,2,1000000000000.0,0);
INSERT INTO results VALUES(1,2,0,0,'ok',0.25,0.0,0,3,4,1000000000000.0,0);
INSERT INTO results VALUES(1,2,0,1,'ok',0.25,0.0,0,3,4,1000000000000.0,0);
INSERT INTO results VALUES(1,2,1,0,'ok',0.25,0.0,0,3,4,1000000000000.0,0);
INSERT INTO results VALUES(1,2,1,1,'ok',0.25,0.0,0,3,4,1000000000000.0,0);
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
INSERT INTO witnesses VALUES(1,0,0,'cycle{a}',1,1,0,'extra','[{"translator":"bad","negated":false}]');
INSERT INTO witnesses VALUES(1,1,0,'cycle{a}',1,1,0,'extra','[{"translator":"bad","negated":false}]');
INSERT INTO witnesses VALUES(1,2,0,'cycle{a}',1,1,0,'extra','[{"translator":"bad","negated":false}]');
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
CREATE TABLE replays (
	failure INTEGER NOT NULL REFERENCES failures ON DELETE CASCADE,
	formula TEXT NOT NULL,
	PRIMARY KEY (failure, formula)
) STRICT, WITHOUT ROWID;
CREATE TABLE sightings (
	failure  INTEGER NOT NULL REFERENCES failures ON DELETE CASCADE,
	run      INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	state    TEXT NOT NULL,    -- new, known, fixed, back again
	formulas INTEGER NOT NULL, -- of the run that show it
	PRIMARY KEY (failure, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX failed_cases ON cases (run) WHERE failed;
CREATE INDEX sightings_of_runs ON sightings (run);
COMMIT;
