package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// repository is where links to files of the repository lead.
const repository = "https://github.com/xcheck-ltl/xcheck/"

// A site is what links may lead to, and what is wrong with them.
type site struct {
	root  fs.FS                      // the repository
	files map[string]bool            // of the site
	ids   map[string]map[string]bool // of each page: its anchors
	links []link

	problems []string
}

// A link is what an attribute of a page names.
type link struct {
	from, to string
	loads    bool // a picture, a style or a script, which the browser loads with the page
}

// checkSite checks the site in a folder, and the Markdown files of the repository that lead to its
// pages. The working directory is the repository.
func checkSite(folder string) error {
	s, err := readSite(os.DirFS(folder), os.DirFS("."))
	if err != nil {
		return err
	}
	if len(s.ids) == 0 {
		return fmt.Errorf("%s has no pages", folder)
	}
	s.check()
	for _, p := range s.problems {
		fmt.Fprintln(os.Stderr, p)
	}
	if len(s.problems) > 0 {
		return fmt.Errorf("%d problems in %s", len(s.problems), folder)
	}
	anchors := 0
	for _, ids := range s.ids {
		anchors += len(ids)
	}
	fmt.Printf("%d pages, %d links, %d anchors: all links lead somewhere, and nothing is loaded from outside\n", len(s.ids), len(s.links), anchors)
	return nil
}

// readSite reads the links and anchors of a site, and the links of the Markdown files in a repository.
func readSite(built, root fs.FS) (*site, error) {
	s := &site{root: root, files: map[string]bool{}, ids: map[string]map[string]bool{}}
	err := fs.WalkDir(built, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		s.files[name] = true
		text, err := fs.ReadFile(built, name)
		if err != nil {
			return err
		}
		switch path.Ext(name) {
		case ".html", ".svg":
			if err := s.readPage(name, string(text)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		case ".css":
			s.readStyle(name, string(text))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s, s.readMarkdown()
}

// readPage notes the anchors and links of a page, or of a picture.
func (s *site) readPage(name, text string) error {
	ids := map[string]bool{}
	if path.Ext(name) == ".html" {
		s.ids[name] = ids
	}
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.AutoClose, d.Entity = false, append(xml.HTMLAutoClose, "source", "wbr"), xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			s.readElement(name, token, ids)
		case xml.CharData:
			if path.Ext(name) == ".svg" {
				s.readStyle(name, string(token))
			}
		}
	}
}

// readElement notes the anchor and the links of an element.
func (s *site) readElement(page string, e xml.StartElement, ids map[string]bool) {
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "id":
			if ids[a.Value] {
				s.problems = append(s.problems, fmt.Sprintf("%s: two elements have the id %q", page, a.Value))
			}
			ids[a.Value] = true
		case "href":
			s.links = append(s.links, link{page, a.Value, e.Name.Local != "a"})
		case "src", "data", "poster", "data-index":
			s.links = append(s.links, link{page, a.Value, true})
		case "srcset":
			for part := range strings.SplitSeq(a.Value, ",") {
				s.links = append(s.links, link{page, strings.Fields(part + " ")[0], true})
			}
		case "style":
			s.readStyle(page, a.Value)
		}
	}
}

var styleLink = regexp.MustCompile(`(?:@import\s*|url\(\s*)["']?([^"')\s;]+)`)

// readStyle notes what a style loads.
func (s *site) readStyle(name, text string) {
	for _, m := range styleLink.FindAllStringSubmatch(text, -1) {
		s.links = append(s.links, link{name, m[1], true})
	}
}

var (
	fenced       = regexp.MustCompile("(?ms)^```.*?^```$|^    .*?$")
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
)

// readMarkdown notes the links of the Markdown files outside docs/. Those to a page of docs/ are
// links to the page of the site.
func (s *site) readMarkdown() error {
	return fs.WalkDir(s.root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "docs" || name == "testdata" || strings.HasPrefix(path.Base(name), ".") && name != "."):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".md":
			return nil
		}
		text, err := fs.ReadFile(s.root, name)
		if err != nil {
			return err
		}
		for _, m := range markdownLink.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			to := m[1] + m[2]
			if u, err := url.Parse(to); err == nil && (u.IsAbs() || u.Path == "") {
				continue
			}
			to = path.Join(path.Dir(name), to)
			if page, fragment, _ := strings.Cut(to, "#"); path.Dir(page) == "docs" && path.Ext(page) == ".md" {
				page = strings.TrimSuffix(path.Base(page), ".md")
				if page == "README" {
					page = "index"
				}
				to = page + ".html"
				if fragment != "" {
					to += "#" + fragment
				}
			} else {
				to = repository + "blob/main/" + to
			}
			s.links = append(s.links, link{from: name, to: to})
		}
		return nil
	})
}

// check follows all links.
func (s *site) check() {
	for _, l := range s.links {
		if why := s.follow(l); why != "" {
			s.problems = append(s.problems, fmt.Sprintf("%s: %q: %s", l.from, l.to, why))
		}
	}
	slices.Sort(s.problems)
	s.problems = slices.Compact(s.problems)
}

// follow says why a link leads nowhere, or loads something from outside. Of other sites it only
// looks at the files of the repository.
func (s *site) follow(l link) string {
	u, err := url.Parse(l.to)
	switch {
	case err != nil:
		return err.Error()
	case u.Scheme == "data" && l.loads:
		return ""
	case u.Scheme != "" || u.Host != "":
		return s.followOutside(l, u)
	}
	to := l.from
	if u.Path != "" {
		to = path.Join(path.Dir(l.from), u.Path)
		if !strings.HasSuffix(l.from, ".html") && !strings.HasSuffix(l.from, ".css") {
			to = u.Path // a file of Markdown
		}
	}
	switch ids := s.ids[to]; {
	case !s.files[to]:
		return "no such file"
	case u.Fragment != "" && ids != nil && !ids[u.Fragment]:
		return "no such anchor"
	}
	return ""
}

// followOutside follows a link to another site.
func (s *site) followOutside(l link, u *url.URL) string {
	if l.loads {
		return "loaded from outside"
	}
	if u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "mailto" {
		return "not a link for a browser"
	}
	u.Fragment = ""
	name, ok := strings.CutPrefix(u.String(), repository)
	if !ok {
		return ""
	}
	kind, name, _ := strings.Cut(name, "/main/")
	if kind != "tree" && kind != "blob" {
		return ""
	}
	if _, err := fs.Stat(s.root, strings.TrimSuffix(name, "/")); err != nil {
		return "no such file in the repository"
	}
	return ""
}
