package version

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"time"
)

// A Build says what this program was built from.
type Build struct {
	Version  string `json:"version"`            // of the module, or "(devel)" if the build does not know
	Commit   string `json:"commit,omitempty"`   // of the sources, if the build knows
	Date     string `json:"date,omitempty"`     // of the commit, as RFC 3339 has it
	Modified bool   `json:"modified,omitempty"` // the sources differ from the commit
	Go       string `json:"go"`
	Platform string `json:"platform"` // operating system and architecture: linux/amd64
}

// This returns the build of this program.
func This() Build {
	b := Build{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.read(info)
	}
	return b
}

// read takes what the go command has written into the program. If that is a commit and no version,
// the version is the one that the go command makes of a commit without a tag.
func (b *Build) read(info *debug.BuildInfo) {
	b.Version = cmp.Or(info.Main.Version, b.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	if at, err := time.Parse(time.RFC3339, b.Date); b.Version == "(devel)" && b.Commit != "" && err == nil {
		const digits = 12
		b.Version = "v0.0.0-" + at.UTC().Format("20060102150405") + "-" + b.Commit[:min(digits, len(b.Commit))]
		if b.Modified {
			b.Version += "+dirty"
		}
	}
}

// Own returns xcheck's own version.
func Own() string { return This().Version }
