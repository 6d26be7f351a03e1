-- Part four of the script (see read.lua). It gets packets before other dissectors.

-- A dissector stops in the middle of a packet that is cut or malformed. If Lua called the dissector, that call never
-- returns, and Lua allows only 200 nested calls. So after some stops, the script calls no other dissectors.
local most_stops, stops, inside = 40, 0, false

-- claimer returns a function that claims ports in a table of dissectors. The claim keeps packets with our messages
-- from other dissectors, which would guess their protocol. It passes other packets to the port's previous dissector.
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

-- ask makes the script use the program's answers instead of a dissection file, see asked.lua.
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
  -- These fields have only a label, because it is too late to register them.
  answers.listen(claims, function(id, label) fields[id] = {label = plain(label)} end)
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

-- The script creates many small objects. If the garbage collector looked through all registered objects after every few
-- MB, it would take as long as the rest of the script. So it waits for about 16 MB of new objects.
pcall(collectgarbage, "setpause", math.min(1000, math.floor(200 + 100 * 16 * 1024 / collectgarbage("count"))))
