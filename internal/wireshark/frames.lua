-- Part three of the script (see read.lua). It selects the items of a frame that are needed, and shows them.

-- needed reports whether the fields of a protocol are needed.
local function needed(tree, protocol)
  if only_named then
    return protocol.asked
  end
  local d = protocol.dissector
  if d == nil then
    d = Dissector.get(protocol.name) or false
    protocol.dissector = d
  end
  return not d or referenced(tree, d)
end

local outside_frame = 4294967295

-- find_bytes reads the location of a message. It sets bytes, base_at and size.
local function find_bytes(tvb, title)
  local offset
  offset, size = long(), long()
  bytes, base_at = tvb, 0
  if offset ~= outside_frame then
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
  local span = range(bytes, base_at, size)
  below, path = add_to(tree, game.proto, span, game.title .. ", " .. label), {}
  if message ~= protocols[0] then
    set_hidden(add_to(below, message.proto, span), true)
  end
  show_items(last)
end

-- show_chunk shows the entries of a chunk. head and entries are the sizes of its head and its entries in bytes.
local function show_chunk(offset, head, entries, tvb, tree)
  at = load_block(offset, head + entries) + head
  data = block
  local chunk_end = at + entries
  local visible = tree.visible and not only_named
  general_names = visible or needed(tree, protocols[0])
  local asked_about -- protocol for which short_names is set
  while at < chunk_end do
    local kind, game, message, length
    kind, game, message, length, at = unpack("<BBI2I4", data, at)
    local last = at + length
    game, message = protocols[game], protocols[message]
    if visible then
      long_names, short_names = true, true
    else
      if game ~= asked_about then
        short_names, asked_about = needed(tree, game), game
      end
      long_names = needed(tree, message)
    end
    if long_names or short_names or general_names or kind == 2 or kind == 1 and data:byte(at) > 0 or
      only_named and (game.named or message.named) then
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
  if not range then
    learn_methods(tvb, tree)
  end
  local later -- chunks to show after the first one, the newest first
  while true do
    local from = load_block(offset, head_size)
    local before, _, entries, protocol, info = unpack("<ddI4BI2", block, from)
    if protocol > 0 then
      from = load_block(offset, head_size + info) + head_size
      local columns = pinfo.cols
      columns.protocol = protocols[protocol].name
      columns.info:clear_fence()
      columns.info = sub(block, from, from + info - 1)
    end
    if before == 0 then
      if entries > 0 then
        show_chunk(offset, head_size + info, entries, tvb, tree)
      end
      break
    end
    later = later or {}
    later[#later + 1] = {offset, head_size + info, entries}
    offset = before
  end
  for i = later and #later or 0, 1, -1 do
    local chunk = later[i]
    show_chunk(chunk[1], chunk[2], chunk[3], tvb, tree)
  end
end
