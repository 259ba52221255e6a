package configs

// Validate checks a Config that was not read from a file.
func (s *Schema) Validate(c *Config) error {
	if errs := s.check(c); len(errs) > 0 {
		return errs
	}
	return nil
}
