package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// TestKillReports kills runs with signal 9 at random moments: each report is from the last
// run that came to its end, or a whole new one, and the next whole run leaves nothing but
// reports. With XCHECK_CAMPAIGN=100 there are so many kills, with a new seed.
func TestKillReports(t *testing.T) {
	campaign.Only(t)
	t.Parallel()
	kills, seed := campaign.Seeded(t, 3, 1)
	random := rand.New(rand.NewPCG(seed, 0))
	k := &killedReport{T: t, dir: t.TempDir(), old: map[string][]byte{}, ground: map[int]string{}}
	for _, night := range []int{2, 1} {
		begin := time.Now()
		k.run(night).Run()
		k.takes = time.Since(begin)
		if new := k.check(night); new != len(wholeReports) {
			t.Fatalf("night %d: %d new reports, want %d", night, new, len(wholeReports))
		}
		k.ground[night] = string(k.old["ground"])
	}
	replaced := map[int]int{}
	for kill := range kills {
		night := 1 + (kill+1)%2
		cmd := k.run(night)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		part := random.Float64()
		if kill%2 == 1 { // when reports are replaced
			for end := time.Now().Add(time.Minute); casesWritten(k.dir) < killedFormulas && time.Now().Before(end); {
				time.Sleep(time.Millisecond)
			}
			part /= 4
		}
		time.Sleep(time.Duration(part * float64(k.takes)))
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		cmd.Wait()
		replaced[k.check(night)]++
		if t.Failed() {
			t.Fatalf("seed %d, kill %d after %.2f of %v", seed, kill, part, k.takes)
		}
	}
	t.Logf("%d kills; how many of %d reports were new, and how often: %v", kills, len(wholeReports), replaced)
	k.run(1).Run()
	k.check(1)
	list, err := os.ReadDir(k.dir)
	if err != nil || len(list) != len(wholeReports)+1 {
		t.Errorf("left in the folder: %v, %v", list, err)
	}
}

type killedReport struct {
	*testing.T
	dir    string
	takes  time.Duration
	old    map[string][]byte
	ground map[int]string // formulas that were made small, by the night
}

// killedFormulas is how many formulas a night has.
const killedFormulas = 10

// run is the run of a night, whose number is its seed.
func (k *killedReport) run(night int) *exec.Cmd {
	k.Helper()
	cmd := self(k.T, k.dir, "run", "--no-builtin", "--no-found", "-n", fmt.Sprint(killedFormulas), "--size", "1..12", "--seed", fmt.Sprint(night), "-T", "60",
		"-t", "{good} xcheck translate %f", "-t", `{liar} xcheck translate "$(printf %%s %f | sed 's/ U / W /g')"`, "--save-automata=automata",
		"--json=json", "--csv=csv", "--junit=junit", "--markdown=markdown", "--html=html", "--grind=ground")
	cmd.Env = append(cmd.Env, "TMPDIR="+k.TempDir())
	return cmd
}

// wholeReports check that a report is whole, and of the run with a seed.
var wholeReports = map[string]func(k *killedReport, text []byte, night int) error{
	"json": func(_ *killedReport, text []byte, night int) error {
		var document struct {
			Cases   []struct{ Seed int }
			Summary struct {
				Seed, Formulas int
			}
		}
		err := json.Unmarshal(text, &document)
		if err == nil && (len(document.Cases) != killedFormulas || document.Summary.Formulas != killedFormulas || document.Summary.Seed != night) {
			err = fmt.Errorf("%d formulas, and the summary is %+v", len(document.Cases), document.Summary)
		}
		return err
	},
	"csv": func(_ *killedReport, text []byte, night int) error {
		lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err == nil && len(lines) != 1+4*killedFormulas {
			err = fmt.Errorf("%d lines", len(lines))
		}
		return err
	},
	"junit": func(_ *killedReport, text []byte, night int) error {
		d := xml.NewDecoder(bytes.NewReader(text))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
		}
		return contains(text, fmt.Sprintf(`<property name="seed" value="%d">`, night), "</testsuites>")
	},
	"markdown": func(_ *killedReport, text []byte, night int) error {
		if strings.Count(string(text), "<details>") != strings.Count(string(text), "</details>") {
			return errors.New("details are not closed")
		}
		return contains(text, "## xcheck: FAIL: ", fmt.Sprintf("\nseed %d\n", night), "### How to")
	},
	"html": func(_ *killedReport, text []byte, night int) error {
		return contains(text, "<!DOCTYPE html>", fmt.Sprintf("<dt>seed</dt><dd>%d</dd>", night), "</html>")
	},
	"ground": func(k *killedReport, text []byte, night int) error {
		if want, ok := k.ground[night]; ok && string(text) != want || len(text) == 0 {
			return fmt.Errorf("got %q, want %q", text, want)
		}
		return nil
	},
}

func contains(text []byte, parts ...string) error {
	for _, part := range parts {
		if !bytes.Contains(text, []byte(part)) {
			return fmt.Errorf("there is no %q", part)
		}
	}
	return nil
}

// check looks at all reports after a run, and returns how many of them are new.
func (k *killedReport) check(night int) (new int) {
	for name, whole := range wholeReports {
		text, err := os.ReadFile(filepath.Join(k.dir, name))
		if err != nil {
			k.Errorf("%s: %v", name, err)
			continue
		}
		if old := k.old[name]; old != nil && bytes.Equal(text, old) {
			continue
		}
		if err := whole(k, text, night); err != nil {
			k.Errorf("%s of night %d is neither old nor a whole new one: %v\n%.300s…\n…%s", name, night, err, text, text[max(0, len(text)-300):])
		}
		k.old[name] = text
		new++
	}
	return new
}
