-- Part two of the script (see read.lua). It adds messages and findings to Wireshark's tree.

-- convert has functions that convert a value for a field, by the field's type.
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

local bytes, base_at, size -- the message: the bytes that contain it, its offset in them, and its size
local below, path          -- the item to which others are added, and the items above it
local long_names, short_names, general_names -- whether fields with these names are needed

-- The methods of Wireshark's objects. Looking them up for each call would be slow.
local sub, add_to, set_text, append_text, set_hidden, set_generated, referenced, range = string.sub

local function learn_methods(tvb, tree)
  add_to, set_text, append_text = tree.add, tree.set_text, tree.append_text
  set_hidden, set_generated, referenced = tree.set_hidden, tree.set_generated, tree.referenced
  range = tvb.range
end

-- span_of returns a range of bytes of the message. If a field is cut off, the range is shorter.
local function span_of(offset, length)
  if offset + length > size then
    offset = offset > size and size or offset
    length = offset + length > size and size - offset or length
  end
  return range(bytes, base_at + offset, length)
end

-- mark marks an item as hidden or generated.
local function mark(item, hidden, generated)
  if hidden then
    set_hidden(item, true)
  end
  if generated then
    set_generated(item, true)
  end
end

-- add adds a value as a field whose name has the message's name. It also adds a hidden field with the short name.
local function add(to, f, span, value, hidden, generated)
  local converted = convert[f.kind]
  if converted then
    converted = converted(value)
  else
    converted = value
  end
  local item
  if span then
    item = add_to(to, f.field, span, converted)
  else
    item = add_to(to, f.field, converted)
  end
  if hidden or generated then
    mark(item, hidden, generated)
  end
  if short_names and f.short then
    add(to, f.short, span, value, true, false)
  end
  return item
end

-- bare adds a field that has no value, or whose bytes are its value.
local function bare(to, f, span, hidden, generated)
  local item
  if f.kind == "STRING" then -- other fields with this name are texts
    item = add_to(to, f.field, span, span:len() > 0 and span:bytes():tohex(true) or "")
  else
    item = add_to(to, f.field, span)
  end
  if hidden or generated then
    mark(item, hidden, generated)
  end
  if short_names and f.short then
    bare(to, f.short, span, true, false)
  end
  return item
end

-- open_item adds an item that contains others.
local function open_item(form, f, span, generated)
  local item
  if form == 2 then
    item = add_to(below, span, "[" .. long() .. "]")
    name()
  elseif form == 3 then
    local count, label = long(), plain(name())
    local line = label .. ": " .. count .. (count == 1 and " element" or " elements")
    if f then
      item = add(below, f, span, count)
      set_text(item, line)
    else
      item = add_to(below, span, line)
    end
  else
    local label = plain(name())
    if f then
      item = bare(below, f, span)
    else
      item = add_to(below, span, label)
    end
  end
  if generated then
    set_generated(item, true)
  end
  path[#path + 1] = below
  below = item
end

-- one adds a value. If the value has no field, it adds a text.
local function one(f, span, value, hidden, generated)
  if f then
    return add(below, f, span, value, hidden, generated)
  end
  return add_to(below, span, plain(tostring(value)))
end

local function vector(f, span, generated)
  local x, y, z
  x, y, z, at = unpack("<fff", data, at)
  local line = string.format("(%.9g, %.9g, %.9g)", x, y, z)
  if not f then
    return add_to(below, span, line)
  end
  local item, parts = bare(below, f, span, false, generated), f.parts
  set_text(item, f.label .. ": " .. line)
  add(item, parts[1], span, x, false, true)
  add(item, parts[2], span, y, false, true)
  add(item, parts[3], span, z, false, true)
  if short_names and f.short then
    parts = f.short.parts
    add(item, parts[1], span, x, true, true)
    add(item, parts[2], span, y, true, true)
    add(item, parts[3], span, z, true, true)
  end
  return item
end

-- names_of adds the name of a value as a hidden field, because the value's item already shows it.
local function names_of(f, span, meaning)
  if f and f.parts[1] then
    add(below, f.parts[1], span, meaning, true)
    if short_names and f.short then
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
    append_text(item, " (" .. table.concat(names, ", ") .. ")")
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
    return add_to(below, span, #raw .. " bytes")
  end
  if #raw == 0 then
    return bare(below, f, span, false, generated)
  end
  local own = ByteArray.new(raw, true):tvb("gamedissect: " .. f.name)
  return bare(below, f, own(), false, generated)
end

local values = {
  [4] = long,
  [5] = function() return number("<i4") end,
  [6] = function() local low, high = long(), long(); return UInt64.new(low, high) end,
  [7] = function() local low, high = long(), long(); return Int64.new(low, high) end,
  [8] = function() return number("<f") end,
  [9] = function() return number("<d") end,
  [11] = text,
  [14] = function() return true end,
  [15] = function() return false end,
}

-- leaf adds an item with a value. It returns the item, and the value if it is a number or a text.
local function leaf(form, f, span, hidden, generated)
  local read = values[form]
  if read then
    local value = read()
    return one(f, span, value, hidden, generated), value
  elseif form == 10 then
    return vector(f, span, generated)
  elseif form == 12 then
    return blob(f, span, generated)
  elseif form == 13 or form == 16 then
    if f then
      return bare(below, f, span, hidden, generated)
    end
    return add_to(below, span, tostring(span))
  elseif form == 17 then
    return bits(f, span, generated)
  end
  error("unknown item " .. form)
end

-- meaning_of adds the meaning of a value. If a value always has the same meaning, Wireshark itself shows it.
local function meaning_of(item, f, span, value)
  local meaning = text()
  if not (f and f.symbols and f.symbols[value] == meaning) then
    meaning = plain(meaning)
    local shown = item.text -- nil if only fields are needed and no tree
    if shown and not shown:find(meaning, 1, true) then
      append_text(item, " (" .. meaning .. ")")
    end
  end
  names_of(f, span, plain(meaning))
end

-- Sizes of values in bytes, by form. Texts and bytes begin with their size instead.
local sizes = {[4] = 4, [5] = 4, [6] = 8, [7] = 8, [8] = 4, [9] = 8, [10] = 12, [13] = 0, [14] = 0, [15] = 0, [16] = 0}

-- skip skips the value of an item.
local function skip(form, meaning)
  local fixed = sizes[form]
  if fixed then
    at = at + fixed
  elseif form == 17 then
    at = at + 4
    for _ = 1, byte() do
      text()
    end
  else
    at = at + 4 + unpack("<I4", data, at)
  end
  if meaning then
    text()
  end
end

-- show_leaf shows an item that contains no others.
local function show_leaf(form, f, offset, length, generated, meaning)
  local span, label = span_of(offset, length), f and not f.field and f.label
  if label then
    f = nil
  end
  local item, value = leaf(form, f, span, false, generated)
  if label then
    item:prepend_text(label .. ": ")
    set_generated(item, generated)
  end
  if meaning then
    meaning_of(item, f, span, value)
  end
end

-- show_items shows all items up to the position last.
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
        set_generated(add_to(below, span_of(offset, length), long() .. " more are not shown"), true)
      elseif form == 20 then
        local general_end = at + length
        if not (general_names and protocols[0].asked) then
          at = general_end
        end
        if not (long_names or short_names) then
          last = general_end
        end
      elseif hidden then
        if not (general_names and f.asked) then
          skip(form)
        elseif form == 16 then
          bare(below, f, span_of(offset, length), true, false)
        else
          one(f, nil, values[form](), true, false)
        end
      elseif form <= 3 then
        local items = long()
        if only_named and f and not (f.asked or f.short) then
          at = at + items
        else
          open_item(form, f and f.field and f, span_of(offset, length), generated)
        end
      elseif only_named and not (f and (f.asked or f.short)) then
        skip(form, marked >= 128)
      else
        show_leaf(form, f, offset, length, generated, marked >= 128)
      end
    end
  end
end
