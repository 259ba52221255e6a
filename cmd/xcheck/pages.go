package main

import (
	"cmp"
	"errors"

	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
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
