// Package configs reads the TOML file that configures xcheck run: the formulas, the translators,
// the checks, the limits and the reports.
//
//	[formulas.random]
//	number = 1000
//	size   = "1..15"
//
//	[[translators]]
//	name    = "mine"
//	command = "mytool --ltl %f"
//
//	[[translators]]
//	tool    = "spin"
//	timeout = "10s"
//
// Every table is optional; docs/configuration.md lists the keys and their defaults. [Schema.Parse]
// returns a [Config] with the defaults filled in.
//
// A Config is plain data. It names algorithms and formats of automata; a [Schema] lists the names
// that exist.
//
// # Errors
//
// An error has the line and column of the value it is about. In a formula or a command it has the
// position of the character. A misspelled name gets a suggestion:
//
//	nightly.toml:6:1: translators.timeuot: unknown key; did you mean timeout?
//
// Parse works in three steps:
//
//  1. It parses the TOML. A syntax error ends the work, and is the only [Error].
//  2. It checks the type and range of each value, and rejects unknown keys.
//  3. It checks the meaning: it parses commands and formulas, and compares names.
//
// Parse returns the errors of steps 2 and 3 together, as [Errors], so that you can fix a file in
// one go.
package configs
