package version

import (
	"runtime/debug"
	"testing"
)

func TestRead(t *testing.T) {
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	date := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-23T01:02:03+02:00"}
	modified := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, x := range []struct {
		name, version string
		settings      []debug.BuildSetting
		want          string
	}{
		{"no version control", "(devel)", nil, "(devel)"},
		{"tag", "v1.2.3", []debug.BuildSetting{commit, date}, "v1.2.3"},
		{"commit", "(devel)", []debug.BuildSetting{commit, date}, "v0.0.0-20261122230203-0123456789ab"},
		{"commit, no version", "", []debug.BuildSetting{commit, date}, "v0.0.0-20261122230203-0123456789ab"},
		{"changes", "(devel)", []debug.BuildSetting{commit, date, modified}, "v0.0.0-20261122230203-0123456789ab+dirty"},
		{"no date", "(devel)", []debug.BuildSetting{commit}, "(devel)"},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := Build{Version: "(devel)"}
			b.read(&debug.BuildInfo{Main: debug.Module{Version: x.version}, Settings: x.settings})
			if b.Version != x.want {
				t.Errorf("version %q, want %q", b.Version, x.want)
			}
		})
	}
}
