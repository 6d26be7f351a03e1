-- This script shows the results of gamedissect in Wireshark. It knows no protocol: everything that it registers and
-- shows is in a dissection file that gamedissect wrote (see writer.go, tables.go and entry.go).
--
-- The script has four parts. This part reads the file and registers protocols and fields. show.lua shows messages,
-- frames.lua selects what to show in a frame, and claim.lua gets packets before other dissectors.
--
-- Wireshark 3.6 to 4.2 has Lua 5.2, and later versions have 5.3 or 5.4. The script must run in all of them.

local arguments = {...}
local unpack = string.unpack or Struct.unpack -- both interpret the formats in this script alike
local magic = "GAMEDIS3"

-- Reading ---------------------------------------------------------------------------------------------------------

local data, at -- the bytes that are being read, and the position; shared, because arguments would be slow

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

-- plain makes a text safe for a line: it escapes control characters, and characters that change the direction of
-- writing. Wireshark itself does that only if it makes the line from a field's value.
local function plain(text)
  if not text:find("[\0-\31\127\194\226]") then
    return text
  end
  text = text:gsub("[\0-\31\127]", hexadecimal):gsub("\194[\128-\159]", hexadecimal)
  return (text:gsub("\226\128[\142\143\168-\174]", hexadecimal):gsub("\226\129[\166-\169]", hexadecimal))
end

-- The dissection file ---------------------------------------------------------------------------------------------

local file, frames, index_at

-- open opens the file and reads its tables into data.
local function open(path)
  local problem
  file, problem = io.open(path, "rb")
  if not file then
    return problem
  end
  local size = file:seek("end")
  if size < 40 then
    return path .. ": not a dissection file of gamedissect"
  end
  file:seek("set", size - 32)
  data, at = file:read(32), 1
  local tables_at
  index_at, frames, tables_at = number("<d"), number("<d"), number("<d")
  if take(8) ~= magic then
    return path .. ": not a dissection file of this version of gamedissect"
  end
  file:seek("set", tables_at)
  data, at = file:read(size - 32 - tables_at), 1
end

-- The index is read in pages, because the index of a large capture would take a lot of memory.
local page_frames = 4096
local page_number, page

-- last_chunk returns the offset of the last chunk of a frame, or 0 if there is none.
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

-- near reports whether two times are equal, up to the precision of Lua's numbers. The script compares times because
-- Wireshark may open another file later, in which other frames have the same numbers.
local function near(a, b)
  return a ~= a or math.abs(a - b) < 2e-6
end

-- Chunks are read in blocks, because the chunks of consecutive packets are usually next to each other.
local block_size = 65536
local head_size = 23
local block, block_at, block_end = "", 0, 0

-- load_block reads a block that contains some bytes of the file, unless the current block contains them. It returns
-- their position in the block.
local function load_block(offset, size)
  if offset < block_at or offset + size > block_end then
    file:seek("set", offset)
    block = file:read(math.max(block_size, size)) or ""
    block_at, block_end = offset, offset + #block
  end
  return offset - block_at + 1
end

local known_frame, known

-- chunks returns the offset of the newest chunk of the current frame, or nil if there is none.
local function chunks(pinfo)
  local frame = pinfo.number
  if frame ~= known_frame then
    known_frame, known = frame, nil
    local offset = last_chunk(frame)
    if offset > 0 then
      local from = load_block(offset, head_size) -- before block is used, because this may replace it
      local _, time = unpack("<dd", block, from)
      if near(time, pinfo.abs_ts) then
        known = offset
      end
    end
  end
  return known
end

-- Registration ----------------------------------------------------------------------------------------------------

local protocols, fields, experts = {}, {}, {}
local severities = {[0] = expert.severity.NOTE, expert.severity.WARN, expert.severity.ERROR}

-- The fields of all messages belong to this protocol. It is never shown.
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

-- tshark's command line, if there is one. Hidden fields that it does not name are not needed. With -T fields, tshark
-- makes a tree but does not show it, so no field is needed unless the command line names it.
local command_line, only_named = arguments[2], arguments[3] == "fields"

-- asked reports whether the command line may name a field, or a field inside that field. A general name must occur as a
-- whole word, because it may be a part of other names.
local function asked(f)
  if not command_line then
    return true
  elseif f.of == protocols[0] then
    return command_line:find("%f[%w_.]" .. f.name:gsub("%p", "%%%0") .. "%f[^%w_]") ~= nil
  end
  return command_line:find(f.name, 1, true) ~= nil
end

-- named reports whether the command line may name a protocol itself.
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
