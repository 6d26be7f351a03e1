// Package live reads packets from interfaces, shows how the capture goes on, and gives up the rights of root. It also
// writes packets to captures: those of a run, with findings or messages as comments, and anonymized ones.
package live
