package hoa

// Titles lists the formats that can be read, as errors do.
var Titles = titles
