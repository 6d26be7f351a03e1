-- Shows what gamedissect found in a capture. This script knows no protocol: all it registers and shows is in a
-- dissection file that gamedissect wrote, by the number of a frame (writer.go, tables.go and entry.go say how).
--
-- It is one script of four parts: this one reads and registers, show.lua shows messages, frames.lua says which, and
-- claim.lua comes before others.
--
-- Wireshark 3.6 to 4.2 have Lua 5.2, later ones 5.3 or 5.4: only what all of these have is used here.

local arguments = {...}
local unpack = string.unpack or Struct.unpack -- the formats used here mean the same to both
local magic = "GAMEDIS3"

-- Reading ---------------------------------------------------------------------------------------------------------

local data, at -- what is read, and where. There is one of them: calls are dear, and this is called for every packet.

local function number(format)
  local n
  n, at = unpack(format, data, at)
  return n
end

local function byte() return number("<B") end
local function short() return number("<I2") end
local function long() return number("<I4") end

local function take(size)
  local from = at
  at = from + size
  return data:sub(from, from + size - 1)
end

local function name() return take(short()) end
local function text() return take(long()) end

local function hexadecimal(bytes)
  return (bytes:gsub(".", function(b) return ("\\x%02x"):format(b:byte()) end))
end

-- plain gives a text as it may stand in a line: what is for terminals, and what turns the direction of writing, becomes
-- an escape. Wireshark sees to that where it makes a line of a value by itself.
local function plain(text)
  if not text:find("[\0-\31\127\194\226]") then
    return text
  end
  text = text:gsub("[\0-\31\127]", hexadecimal):gsub("\194[\128-\159]", hexadecimal)
  return (text:gsub("\226\128[\142\143\168-\174]", hexadecimal):gsub("\226\129[\166-\169]", hexadecimal))
end

-- The dissection file ---------------------------------------------------------------------------------------------

local file, frames, index_at

-- open opens the file, and has its tables read.
local function open(path)
  local problem
  file, problem = io.open(path, "rb")
  if not file then
    return problem
  end
  local size = file:seek("end")
  if size < 40 then
    return path .. ": no dissection file of gamedissect"
  end
  file:seek("set", size - 32)
  data, at = file:read(32), 1
  local tables_at
  index_at, frames, tables_at = number("<d"), number("<d"), number("<d")
  if take(8) ~= magic then
    return path .. ": no dissection file of gamedissect, or of another version"
  end
  file:seek("set", tables_at)
  data, at = file:read(size - 32 - tables_at), 1
end

-- The index is read in pages: one for all frames of a large capture would take much memory.
local page_frames = 4096
local page_number, page

-- last_chunk gives the offset of the last chunk of a frame, 0 if there is none.
local function last_chunk(frame)
  if frame > frames then
    return 0
  end
  local number = math.floor((frame - 1) / page_frames)
  if number ~= page_number then
    file:seek("set", index_at + number * page_frames * 8)
    page, page_number = file:read(math.min(page_frames, frames - number * page_frames) * 8), number
  end
  local offset = unpack("<d", page, (frame - 1) % page_frames * 8 + 1)
  return offset
end

-- near reports whether two times are the same as far as Lua's numbers tell: files that are opened later in the same
-- Wireshark have other frames by the same numbers.
local function near(a, b)
  return a ~= a or math.abs(a - b) < 2e-6
end

-- Chunks are read in blocks: those of packets that follow each other stand behind each other.
local block_size = 65536
local head_size = 23
local block, block_at, block_end = "", 0, 0

-- want has the block hold some bytes of the file, and tells where they begin in it.
local function want(offset, size)
  if offset < block_at or offset + size > block_end then
    file:seek("set", offset)
    block = file:read(math.max(block_size, size)) or ""
    block_at, block_end = offset, offset + #block
  end
  return offset - block_at + 1
end

local known_frame, known

-- chunks gives where the newest chunk of the frame at hand is, nil if there is none.
local function chunks(pinfo)
  local frame = pinfo.number
  if frame ~= known_frame then
    known_frame, known = frame, nil
    local offset = last_chunk(frame)
    if offset > 0 then
      local from = want(offset, head_size) -- first: it may be another block then
      local _, time = unpack("<dd", block, from)
      if near(time, pinfo.abs_ts) then
        known = offset
      end
    end
  end
  return known
end

-- What is registered ----------------------------------------------------------------------------------------------

local protocols, fields, experts = {}, {}, {}
local severities = {[0] = expert.severity.NOTE, expert.severity.WARN, expert.severity.ERROR}

-- The general fields are those of this one. It is shown nowhere.
local general = Proto("gamedissect", "gamedissect")

local function register_protocols()
  protocols[0] = {proto = general, name = "gamedissect", title = "gamedissect", fields = {}}
  for i = 1, short() do
    local id, title = name(), name()
    protocols[i] = {proto = Proto(id, title), name = id, title = title, fields = {}}
  end
end

local function new_field(f, symbols)
  local kind = f.kind
  if kind == "request" or kind == "response" then
    return ProtoField.framenum(f.name, f.label, base.NONE, frametype[kind:upper()], 0, f.about)
  elseif kind:find("INT") then
    return ProtoField.new(f.label, f.name, ftypes[kind], symbols, base.DEC, nil, f.about)
  end
  return ProtoField.new(f.label, f.name, ftypes[kind], nil, nil, nil, f.about)
end

-- tshark's command line, if there is one: fields that it does not name are not needed. The tree of tshark with
-- -T fields is made, and is not shown: then this holds for all fields, otherwise for those that are hidden in trees.
local command_line, only_named = arguments[2], arguments[3] == "fields"

-- asked reports whether a field, or one below it, may be needed. General names may be parts of others.
local function asked(f)
  if not command_line then
    return true
  elseif f.of == protocols[0] then
    return command_line:find("%f[%w_.]" .. f.name:gsub("%p", "%%%0") .. "%f[^%w_]") ~= nil
  end
  return command_line:find(f.name, 1, true) ~= nil
end

-- named reports whether a protocol itself may be needed.
local function named(protocol)
  return not command_line or command_line:find(protocol.name:gsub("%p", "%%%0") .. "%f[^%w_.]") ~= nil
end

local function register_fields()
  for i = 1, short() do
    local of = protocols[short()]
    local f = {name = name(), label = plain(name()), kind = name(), about = name(), of = of}
    f.short = short()
    f.parts = {short(), short(), short()}
    local symbols
    for _ = 1, short() do
      symbols = symbols or {}
      local value = number("<i4")
      symbols[value] = name()
    end
    f.field, f.symbols = new_field(f, symbols), symbols
    f.asked = asked(f)
    of.asked = of.asked or f.asked
    of.fields[#of.fields + 1] = f.field
    fields[i] = f
  end
  for _, f in ipairs(fields) do
    f.short = fields[f.short]
    if f.short and not f.short.asked then
      f.short = nil
    end
  end
  for _, f in ipairs(fields) do
    f.parts = {fields[f.parts[1]], fields[f.parts[2]], fields[f.parts[3]]}
  end
end

local function register_experts()
  local list = {}
  for i = 1, short() do
    local severity, id, title = byte(), name(), name()
    experts[i] = ProtoExpert.new("finding." .. id, title, expert.group.PROTOCOL, severities[severity])
    list[i] = experts[i]
  end
  general.experts = list
  for i = 0, #protocols do
    protocols[i].named = named(protocols[i])
    protocols[i].proto.fields = protocols[i].fields
  end
end
