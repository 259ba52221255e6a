package configs

// Validate checks a Config that was not read from a file.
func (s *Schema) Validate(c *Config) error { return s.check(c).orNil() }
