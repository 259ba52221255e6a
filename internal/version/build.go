package version

import (
	"cmp"
	"runtime"
	"runtime/debug"
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
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
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
	return b
}

// Own returns xcheck's own version.
func Own() string { return This().Version }
