-- Part four of the script (read.lua has what it is for): how packets come to it before they come to others.

-- Dissectors stop in the middle of packets that are cut or malformed. One that Lua called takes one of the 200 calls that
-- Lua may be in then, for good, so after some of them no other is called.
local most_stops, stops, inside = 40, 0, false

-- Frames show our messages. Here they are kept from other dissectors, which would guess at them; other packets go to
-- the dissector that had the port before.
local function claimer(list)
  local dissectors, others = DissectorTable.get(list), {}
  local claim = Proto("gamedissect." .. list, "gamedissect, " .. list)
  function claim.dissector(tvb, pinfo, tree)
    if chunks(pinfo) then
      return tvb:len()
    end
    local other = others[pinfo.match_uint]
    stops = stops + (inside and 1 or 0)
    inside = other and stops < most_stops
    if not inside then
      return 0
    end
    local size = other:call(tvb, pinfo, tree)
    inside = false
    return size
  end
  return function(port)
    if others[port] == nil then
      others[port] = dissectors:get_dissector(port) or false
      dissectors:add(port, claim)
    end
  end
end

local claims = {["udp.port"] = claimer("udp.port"), ["tcp.port"] = claimer("tcp.port")}

local function register_ports()
  for _ = 1, short() do
    local list, port = name(), short()
    claims[list](port)
  end
end

-- ask takes what is shown from the answers of the program, in place of a dissection file. See asked.lua.
local function ask(answers)
  data, at = answers.tables, 1
  last_chunk = function(frame)
    file = answers.file
    return file and answers.offsets[frame] or 0
  end
  function general.init()
    known_frame, block, block_at, block_end = nil, "", 0, 0
    answers.reset()
  end
  answers.listen(claims, function(id, label) fields[id] = {label = plain(label)} end) -- too late to be registered
end

local problem
if type(arguments[1]) == "table" then
  ask(arguments[1])
else
  problem = open(arguments[1] or (__DIR__ or "") .. "gamedissect.tables")
end
if problem then
  error("gamedissect: " .. problem)
end
register_protocols()
register_fields()
register_experts()
register_ports()
for i = 1, #protocols do
  protocols[i].proto.dissector = function(tvb, pinfo) return chunks(pinfo) and tvb:len() or 0 end
end
register_postdissector(general)

-- Wireshark's objects are many and small. To look through all that is registered whenever there are some new MB of them
-- takes as long as what they are for, so there are to be 16 before.
pcall(collectgarbage, "setpause", math.min(1000, math.floor(200 + 100 * 16 * 1024 / collectgarbage("count"))))
