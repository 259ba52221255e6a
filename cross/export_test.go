package cross

// Window is how many cases wait for a slow one.
const Window = window
