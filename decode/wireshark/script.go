package wireshark

import _ "embed"

// The parts of the script.
var (
	//go:embed read.lua
	readPart string
	//go:embed show.lua
	showPart string
	//go:embed claim.lua
	claimPart string
)

// Script is a Lua script for Wireshark 3.6 and later. It takes the name of a dissection file as its argument (-X
// lua_script1:NAME); without one it looks for TablesName in its own folder.
var Script = []byte(readPart + "\n" + showPart + "\n" + claimPart)

// The names of files in a folder of Wireshark's plugins.
const (
	ScriptName = "gamedissect.lua"
	TablesName = "gamedissect.tables" // a dissection file about no frame
)
