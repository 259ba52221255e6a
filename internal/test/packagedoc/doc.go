// Package packagedoc tests all packages of the module: their comments, their examples, and that the
// folders of the root import each other in one direction only.
package packagedoc
