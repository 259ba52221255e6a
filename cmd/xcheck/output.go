package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// answer prints the answer of a command: text, or value as one line of JSON.
func (a *app) answer(text string, value any) error {
	if a.json == "" {
		_, err := fmt.Fprintln(a.out, text)
		return err
	}
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if a.json == "-" {
		_, err = a.out.Write(line)
		return err
	}
	if a.file == nil {
		if a.file, err = os.Create(a.json); err != nil {
			return err
		}
	}
	_, err = a.file.Write(line)
	return err
}
