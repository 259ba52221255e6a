package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// pageFlags name files for reports in other forms, which are written when the run has ended.
type pageFlags struct {
	junit, markdown, html string
}

func (f *pageFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.junit, "junit", "", "write JUnit XML to `FILE`")
	fs.StringVar(&f.markdown, "markdown", "", "write Markdown to `FILE` ('>>FILE' appends)")
	fs.StringVar(&f.html, "html", "", "write an HTML page to `FILE`")
}

// override lets the flags override what the configuration says.
func (f *pageFlags) override(o *configs.Output) error {
	o.JUnit, o.Markdown, o.HTML = cmp.Or(f.junit, o.JUnit), cmp.Or(f.markdown, o.Markdown), cmp.Or(f.html, o.HTML)
	for _, name := range []string{o.JUnit, o.Markdown, o.HTML} {
		if name == "-" {
			return errors.New("standard output already has the text report; name a file for JUnit XML, Markdown or HTML")
		}
	}
	return nil
}

// A page is a report that is written at the end.
type page struct {
	what string
	add  func(*outcome.Case) error // nil if the tally is all it needs
	end  func(*report.Tally) error
}

// newPages opens the files.
func (r *reporter) newPages(o *configs.Output) error {
	for _, x := range []struct {
		name, what string
		write      func(io.Writer, *report.Tally) error
	}{{o.JUnit, "JUnit XML", report.WriteJUnit}, {o.Markdown, "Markdown", report.WriteMarkdown}, {o.HTML, "HTML", nil}} {
		if x.name == "" {
			continue
		}
		w, err := r.create(x.name)
		if err != nil {
			return err
		}
		one := page{what: x.what, end: func(t *report.Tally) error { return x.write(w, t) }}
		if x.write == nil {
			html := report.NewHTML(w)
			one.add = html.Case
			one.end = func(t *report.Tally) error {
				err := html.End(t)
				if html.Undrawn != nil {
					fmt.Fprintf(r.a.err, "xcheck: %v\n", html.Undrawn)
				}
				return err
			}
		}
		r.pages = append(r.pages, one)
	}
	return nil
}
