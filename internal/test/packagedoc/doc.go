// Package packagedoc tests the package comments and the examples of all packages of the module.
package packagedoc
