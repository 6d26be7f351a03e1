package wireshark

import _ "embed"

// The parts of the script.
var (
	//go:embed read.lua
	readPart string
	//go:embed show.lua
	showPart string
	//go:embed frames.lua
	framesPart string
	//go:embed claim.lua
	claimPart string
)

// Script is a Lua script for Wireshark 3.6 and later. Its argument is the name of a dissection file (-X
// lua_script1:NAME).
var Script = []byte(readPart + "\n" + showPart + "\n" + framesPart + "\n" + claimPart)

// ScriptName is the name of a script in Wireshark's plugin folder.
const ScriptName = "gamedissect.lua"
