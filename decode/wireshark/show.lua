-- Part two of the script (read.lua has what it is for): how messages and findings become items of Wireshark's tree.

-- value gives a value as a field of a type takes it.
local convert = {
  UINT64 = function(v) return type(v) == "number" and UInt64.new(v) or v end,
  INT64 = function(v) return type(v) == "number" and Int64.new(v) or v end,
  STRING = tostring,
  IPv4 = Address.ip,
  DOUBLE = function(v)
    if type(v) == "boolean" then
      return v and 1 or 0
    end
    return type(v) == "userdata" and v:tonumber() or v
  end,
}

local bytes, base_at, size -- the message: the bytes that it is in, where, how many
local below, path          -- the item that others are added to, and those above it
local long_names, short_names, general_names -- who is wanted

-- span gives bytes of the message. Fields that are cut off have fewer than they should.
local function span_of(offset, length)
  if offset > size then
    offset = size
  end
  if offset + length > size then
    length = size - offset
  end
  return bytes(base_at + offset, length)
end

-- add adds a value by the name of its message, and hidden by that without.
local function add(to, f, span, value, hidden, generated)
  local converted = convert[f.kind]
  if converted then
    converted = converted(value)
  else
    converted = value
  end
  local item
  if span then
    item = to:add(f.field, span, converted)
  else
    item = to:add(f.field, converted)
  end
  if hidden then
    item.hidden = true
  end
  if generated then
    item.generated = true
  end
  if f.short and short_names then
    add(to, f.short, span, value, true, false)
  end
  return item
end

-- bare is add for what has no value, or has that of its bytes.
local function bare(to, f, span, hidden, generated)
  local item
  if f.kind == "STRING" then -- among texts of the same name
    item = to:add(f.field, span, span:len() > 0 and span:bytes():tohex(true) or "")
  else
    item = to:add(f.field, span)
  end
  if hidden then
    item.hidden = true
  end
  if generated then
    item.generated = true
  end
  if f.short and short_names then
    bare(to, f.short, span, true, false)
  end
  return item
end

-- open adds an item that others stand below.
local function open_item(form, f, span, generated)
  local item
  if form == 2 then
    item = below:add(span, "[" .. long() .. "]")
    name()
  elseif form == 3 then
    local count, label = long(), plain(name())
    local line = label .. ": " .. count .. (count == 1 and " element" or " elements")
    if f then
      item = add(below, f, span, count)
      item.text = line
    else
      item = below:add(span, line)
    end
  else
    local label = plain(name())
    if f then
      item = bare(below, f, span)
    else
      item = below:add(span, label)
    end
  end
  if generated then
    item.generated = true
  end
  path[#path + 1] = below
  below = item
end

-- one adds a value, as a text where it has no field.
local function one(f, span, value, hidden, generated)
  if f then
    return add(below, f, span, value, hidden, generated)
  end
  return below:add(span, plain(tostring(value)))
end

local function vector(f, span, generated)
  local x, y, z = number("<f"), number("<f"), number("<f")
  local line = string.format("(%.9g, %.9g, %.9g)", x, y, z)
  if not f then
    return below:add(span, line)
  end
  local item = bare(below, f, span, false, generated)
  item.text = f.label .. ": " .. line
  for i, v in ipairs({x, y, z}) do
    add(item, f.parts[i], span, v, false, true)
  end
  if f.short and short_names then
    for i, v in ipairs({x, y, z}) do
      add(item, f.short.parts[i], span, v, true, true)
    end
  end
  return item
end

-- names_of adds what a number stands for, hidden: the item says it already.
local function names_of(f, span, meaning)
  if f and f.parts[1] then
    add(below, f.parts[1], span, meaning, true)
    if f.short and short_names then
      add(below, f.short.parts[1], span, meaning, true)
    end
  end
end

local function bits(f, span, generated)
  local value, names = long(), {}
  for i = 1, byte() do
    names[i] = text()
  end
  local item = one(f, span, value, false, generated)
  if #names > 0 then
    item:append_text(" (" .. table.concat(names, ", ") .. ")")
  end
  for _, n in ipairs(names) do
    names_of(f, span, n)
  end
  return item
end

-- blob adds bytes that are not in the message.
local function blob(f, span, generated)
  local raw = text()
  if not f then
    return below:add(span, #raw .. " bytes")
  end
  if #raw == 0 then
    return bare(below, f, span, false, generated)
  end
  local own = ByteArray.new(raw, true):tvb("gamedissect: " .. f.name)
  return bare(below, f, own(), false, generated)
end

local values = {
  [4] = function() return number("<I4") end,
  [5] = function() return number("<i4") end,
  [6] = function() local low, high = long(), long(); return UInt64.new(low, high) end,
  [7] = function() local low, high = long(), long(); return Int64.new(low, high) end,
  [8] = function() return number("<f") end,
  [9] = function() return number("<d") end,
  [11] = text,
  [14] = function() return true end,
  [15] = function() return false end,
}

-- leaf adds an item with a value.
local function leaf(form, f, span, hidden, generated)
  local read = values[form]
  if read then
    return one(f, span, read(), hidden, generated)
  elseif form == 10 then
    return vector(f, span, generated)
  elseif form == 12 then
    return blob(f, span, generated)
  elseif form == 13 or form == 16 then
    if f then
      return bare(below, f, span, hidden, generated)
    end
    return below:add(span, tostring(span))
  elseif form == 17 then
    return bits(f, span, generated)
  end
  error("unknown item " .. form)
end

-- meaning adds what a value stands for. Wireshark says so itself where it always stands for that.
local function meaning_of(item, f, span)
  local meaning = plain(text())
  local shown = item.text -- nil where nobody wants the tree: only fields are asked for then
  if shown and not shown:find(meaning, 1, true) then
    item:append_text(" (" .. meaning .. ")")
  end
  names_of(f, span, meaning)
end

-- skip passes over the value of a hidden item.
local function skip(form)
  if form == 4 then
    at = at + 4
  elseif form == 9 then
    at = at + 8
  elseif form == 11 then
    at = at + 4 + unpack("<I4", data, at)
  end
end

-- show_items shows all items up to a place.
local function show_items(last)
  while at < last do
    local marked = data:byte(at)
    if marked == 0 then
      at = at + 1
      below = table.remove(path)
    else
      local id, offset, length
      marked, id, offset, length, at = unpack("<BI2I4I4", data, at)
      local form, hidden, generated = marked % 32, marked % 64 >= 32, marked % 128 >= 64
      local f = fields[id]
      if form == 18 then
        below:add_tvb_expert_info(experts[id], span_of(offset, length), plain(text()))
      elseif form == 19 then
        below:add(span_of(offset, length), long() .. " more are not shown").generated = true
      elseif hidden and not (general_names and f.asked) then
        skip(form)
      elseif hidden and form ~= 16 then
        one(f, nil, values[form](), true, false)
      elseif form <= 3 then
        open_item(form, f and f.field and f, span_of(offset, length), generated)
      else
        local span, label = span_of(offset, length), f and not f.field and f.label
        if label then
          f = nil
        end
        local item = leaf(form, f, span, hidden, generated)
        if label then
          item:prepend_text(label .. ": ")
          item.generated = generated
        end
        if marked >= 128 then
          meaning_of(item, f, span)
        end
      end
    end
  end
end

-- wanted reports whether somebody looks at the fields of a protocol.
local function wanted(tree, protocol)
  local d = protocol.dissector
  if d == nil then
    d = Dissector.get(protocol.name) or false
    protocol.dissector = d
  end
  return not d or tree:referenced(d)
end

local elsewhere = 4294967295

-- find_bytes finds the bytes of a message, and where in them it begins.
local function find_bytes(tvb, title)
  local offset
  offset, size = long(), long()
  bytes, base_at = tvb, 0
  if offset ~= elsewhere then
    if offset + size <= tvb:len() then
      base_at = offset
    else
      size = 0
    end
  elseif size > 0 then
    bytes = ByteArray.new(take(size), true):tvb(title)
  end
end

local function show_entry(kind, game, message, tvb, tree, last)
  local label = kind == 3 and "answered" or "about the traffic"
  bytes, base_at, size = tvb, 0, 0
  if kind == 1 then
    at = at + 1
    label = name()
    find_bytes(tvb, label)
  end
  local span = bytes(base_at, size)
  below, path = tree:add(game.proto, span, game.title .. ", " .. label), {}
  if message ~= protocols[0] then
    below:add(message.proto, span).hidden = true
  end
  show_items(last)
end

-- show_chunk shows what a chunk has of a frame.
local function show_chunk(offset, tvb, tree)
  local _, entries, info
  at = want(offset, head_size)
  _, _, entries, _, info = unpack("<ddI4BI2", block, at)
  at = want(offset, head_size + info + entries) + head_size + info
  data = block
  local chunk_end = at + entries
  local visible = tree.visible
  while at < chunk_end do
    local kind, game, message, length
    kind, game, message, length, at = unpack("<BBI2I4", data, at)
    local last = at + length
    game, message = protocols[game], protocols[message]
    if visible then
      long_names, short_names, general_names = true, true, true
    else
      long_names, short_names, general_names = wanted(tree, message), wanted(tree, game), wanted(tree, protocols[0])
    end
    if long_names or short_names or general_names or kind == 2 or kind == 1 and data:byte(at) > 0 then
      show_entry(kind, game, message, tvb, tree, last)
    end
    at = last
  end
end

function general.dissector(tvb, pinfo, tree)
  local offset = chunks(pinfo)
  if not offset then
    return
  end
  local all = {}
  while offset > 0 do -- the first one last
    local from = want(offset, head_size)
    local before, _, _, protocol, info = unpack("<ddI4BI2", block, from)
    if protocol > 0 then
      from = want(offset, head_size + info) + head_size
      local columns = pinfo.cols
      columns.protocol = protocols[protocol].name
      columns.info:clear_fence()
      columns.info = block:sub(from, from + info - 1)
    end
    all[#all + 1] = offset
    offset = before
  end
  for i = #all, 1, -1 do
    show_chunk(all[i], tvb, tree)
  end
end
