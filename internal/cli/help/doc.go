// Package help fits the help of commands to the terminal, shows pages of the documentation and the manual, and lists
// what the program knows: protocols, the names that filters take, and the rules that findings name.
package help
