// Package schemacheck compares the JSON that xcheck prints in tests with docs/schema.json.
package schemacheck
