// Package extract is the work of export, samples and world: it reads captures and writes messages, findings and values
// as tables, messages as .hex files, which the tests of protocols read, and worlds as map files and pictures.
package extract
