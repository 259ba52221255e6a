// Command make writes the pages of the site that come from the program, and checks the site.
// The script site/build runs it:
//
//	make pages XCHECK FOLDER    # write the pages of the program XCHECK
//	make check FOLDER           # check the links of the site in FOLDER
//
// It runs in the root of the repository.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("site/make: ")
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "pages":
		return writePages(args[1], args[2])
	case len(args) == 2 && args[0] == "check":
		return checkSite(args[1])
	}
	return errors.New("usage: make pages XCHECK FOLDER, or make check FOLDER")
}

// writePages writes a page for each command of a program, and one for its JSON.
func writePages(program, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	schema, err := os.ReadFile(filepath.Join("docs", "schema.json"))
	if err != nil {
		return err
	}
	page, err := schemaPage(schema)
	if err != nil {
		return fmt.Errorf("docs/schema.json: %w", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "schema.md"), []byte(page), 0o666); err != nil {
		return err
	}
	number := 1 // of pages, which is their order; the schema is the first
	return eachCommand(programHelp(program), nil, func(h *help) error {
		number++
		return os.WriteFile(filepath.Join(folder, h.file()+".md"), []byte(h.page(number)), 0o666)
	})
}

// programHelp returns a function that asks a program for the help of its commands, with all flags.
func programHelp(program string) func(command ...string) (string, error) {
	ask := func(command []string, flag string) (string, error) {
		out, err := exec.Command(program, append(command[:len(command):len(command)], flag)...).Output()
		if err != nil {
			err = fmt.Errorf("%s %v %s: %w", program, command, flag, err)
		}
		return string(out), err
	}
	return func(command ...string) (string, error) {
		text, err := ask(command, "--help-all")
		if _, unknown := errors.AsType[*exec.ExitError](err); unknown {
			return ask(command, "--help") // which shows all flags
		}
		return text, err
	}
}
