// Package configs reads the file that says what xcheck run does: which formulas
// it takes, which translators it runs on them, what it checks, within which
// limits, and where its output goes.
//
// The file is TOML:
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
// Each table and each key may be missing; docs/configuration.md lists them with
// their defaults. A file is read in three steps. The syntax is checked first:
// what is not TOML has one [Error]. Then each value is taken by its key, its type
// and range are checked, and keys that nobody asked for are errors. What is
// left is checked for its meaning, by [Config.Validate]: commands and formulas are
// parsed, names compared. The errors of the last two steps are returned together, as
// [Errors], so that a file is put right in one go.
//
// Every error has the line and the column of the value that it is about, or
// even of the character in a formula or a command, and where a name is
// misspelled, the name that was probably meant.
package configs
