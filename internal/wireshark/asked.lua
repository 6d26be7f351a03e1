-- This script is for captures that Wireshark opens by itself. It asks gamedissect about every packet. The program reads
-- packets from a pipe, adds its results as chunks to a file, and answers with the offsets of the chunks (see asked.go).

local program, tables = ...
local asked = {tables = tables, offsets = {}}
local pack, unpack = string.pack or Struct.pack, string.unpack or Struct.unpack
local pipe, answers, failed, learned
local last = 0 -- number of the last frame that it asked about

-- If the program exits, the shell keeps the pipe open: writing to a pipe without a reader would terminate Wireshark.
-- The shell then also writes an answer of NaNs, in case the script waits for one.
local command = "trap '' INT HUP; %s plugin --answer '%s'; [ -p '%s' ] && exec 3<>'%s' && " ..
  "head -c 4096 /dev/zero | LC_ALL=C tr '\\000' '\\377' >&3; cat >/dev/null"

local function start()
  local found = os.tmpname()
  local fifo = found .. ".answers"
  if not os.execute("mkfifo -m 600 '" .. fifo .. "'") then
    os.remove(found)
    return
  end
  pipe = io.popen(command:format(program, found, fifo, fifo), "w")
  answers = io.open(fifo, "rb")
  asked.file = io.open(found, "rb")
  os.remove(fifo)
  os.remove(found)
end

local function stop()
  for _, f in pairs({pipe or nil, answers or nil, asked.file or nil}) do
    f:close()
  end
  pipe, answers, asked.file = nil, nil, nil
end

-- reset forgets everything, because Wireshark opens another capture or reads the capture again.
function asked.reset()
  if pipe then
    stop()
  end
  asked.offsets, last, failed = {}, 0, nil
end

-- learn reads the rest of an answer, after the three counts.
local function learn(frames, ports, fields)
  for _ = 1, frames do
    local frame, offset = unpack("<dd", answers:read(16))
    asked.offsets[frame] = offset
  end
  for _ = 1, ports do
    local transport, number = unpack("<dd", answers:read(16))
    learned.ports[transport == 0 and "udp.port" or "tcp.port"](number)
  end
  for _ = 1, fields do
    local number, size = unpack("<dd", answers:read(16))
    learned.field(number, size > 0 and answers:read(size) or "")
  end
end

local function ask(tvb, pinfo, link)
  if pinfo.visited or pinfo.number <= last or failed then
    return
  end
  if not pipe then
    start()
  end
  last = pinfo.number
  failed = not (pipe and answers and asked.file)
  if not failed then
    pipe:write(pack("<I4I4I4I4d", pinfo.number, link, tvb:len(), tvb:reported_len(), pinfo.abs_ts), tvb:raw())
    pipe:flush()
    local head = answers:read(24)
    local count = head and unpack("<d", head)
    failed = not head or count ~= count
    if not failed then
      learn(unpack("<ddd", head))
    end
  end
  if failed then
    stop()
  end
end

-- The link types that the program reads: Wireshark's names, and the numbers in capture files.
local links = {
  ETHERNET = 1, NULL = 0, LOOP = 108, RAW_IP = 101, RAW_IP4 = 228, RAW_IP6 = 229, SLL = 113, SLL2 = 276, PPP = 9,
  IEEE_802_11 = 105, IEEE_802_11_RADIOTAP = 127,
}

-- A dissector stops in the middle of a packet that is cut or malformed. If Lua called the dissector, that call never
-- returns, and Lua allows only 200 nested calls. So the script counts such stops.
local most_stops, stops, inside = 40, 0, false

-- insert_before makes Wireshark call ask before the dissector of a link type, until that dissector stops too often.
local function insert_before(dissectors, encapsulation, other, before, link)
  function before.dissector(tvb, pinfo, tree)
    stops = stops + (inside and 1 or 0)
    if stops == most_stops then
      dissectors:add(encapsulation, other)
      failed = true
    end
    ask(tvb, pinfo, link)
    inside = true
    local size = other:call(tvb, pinfo, tree)
    inside = false
    return size
  end
  dissectors:add(encapsulation, before)
end

-- listen makes Wireshark call ask before any other dissector. For each new port in an answer, learn calls the function
-- of its transport in ports. For each new field, it calls field.
function asked.listen(ports, field)
  learned = {ports = ports, field = field}
  local dissectors = DissectorTable.get("wtap_encap")
  for name, link in pairs(links) do
    local encapsulation = (wtap_encaps or wtap)[name]
    local other = encapsulation and dissectors:get_dissector(encapsulation)
    if other then
      local before = Proto("gamedissect.link." .. link, "gamedissect, packets of link type " .. link)
      if name == "ETHERNET" then -- this dissector calls its heuristic dissectors first
        before:register_heuristic("eth", function(tvb, pinfo)
          ask(tvb, pinfo, link)
          return false
        end)
      else
        insert_before(dissectors, encapsulation, other, before, link)
      end
    end
  end
end

return asked
