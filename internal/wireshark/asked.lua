-- Asks gamedissect about every packet that Wireshark comes to: this is for captures that Wireshark opened by itself.
-- The program takes packets from a pipe, adds to a file what it found, as in a dissection file, and answers where in it
-- that stands (asked.go says how).

local program, tables = ...
local asked = {tables = tables, offsets = {}}
local pack, unpack = string.pack or Struct.pack, string.unpack or Struct.unpack
local pipe, answers, failed, learned
local last = 0 -- frame that was asked about

-- The shell keeps the pipe open if the program ends: writing to a pipe without a reader would end Wireshark. Then a
-- waiting reader gets an answer of NaNs.
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

-- reset forgets everything: other packets come.
function asked.reset()
  if pipe then
    stop()
  end
  asked.offsets, last, failed = {}, 0, nil
end

-- learn reads the rest of an answer.
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

-- What the program reads, by the names that Wireshark has for them and the numbers of capture files.
local links = {
  ETHERNET = 1, NULL = 0, LOOP = 108, RAW_IP = 101, RAW_IP4 = 228, RAW_IP6 = 229, SLL = 113, SLL2 = 276, PPP = 9,
  IEEE_802_11 = 105, IEEE_802_11_RADIOTAP = 127,
}

-- Dissectors stop in the middle of packets that are cut or malformed. One that Lua called takes one of the 200 calls that
-- Lua may be in then, for good.
local most_stops, stops, inside = 40, 0, false

-- come_before stands in front of the dissector of a link, as long as that does not stop too often.
local function come_before(dissectors, encapsulation, other, before, link)
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

-- listen has packets asked about before any protocol in them is looked at. What is told besides goes to ports, by
-- transport, and to field.
function asked.listen(ports, field)
  learned = {ports = ports, field = field}
  local dissectors = DissectorTable.get("wtap_encap")
  for name, link in pairs(links) do
    local encapsulation = (wtap_encaps or wtap)[name]
    local other = encapsulation and dissectors:get_dissector(encapsulation)
    if other then
      local before = Proto("gamedissect.link." .. link, "gamedissect, packets of link type " .. link)
      if name == "ETHERNET" then -- it asks who wants to be first
        before:register_heuristic("eth", function(tvb, pinfo)
          ask(tvb, pinfo, link)
          return false
        end)
      else
        come_before(dissectors, encapsulation, other, before, link)
      end
    end
  end
end

return asked
