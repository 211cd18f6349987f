/** The columns of a dashboard. */
export const COLUMNS = 12
const MOST_ROWS = 48

/** Where a widget stands, in columns and rows. */
export interface Box {
  id: string
  x: number
  y: number
  w: number
  h: number
}

/** Every box as far up as it can be, in reading order. The box `first` goes before others of its row. */
export function settled(boxes: Box[], first?: string): Box[] {
  const depths = Array.from({ length: COLUMNS }, () => 0)
  return boxes
    .map(fitted)
    .toSorted((a, b) => a.y - b.y || Number(b.id === first) - Number(a.id === first) || a.x - b.x)
    .map((box) => {
      const y = Math.max(...depths.slice(box.x, box.x + box.w))
      depths.fill(y + box.h, box.x, box.x + box.w)
      return { ...box, y }
    })
    .toSorted((a, b) => a.y - b.y || a.x - b.x)
}

/** With one box at another place. The others make room. */
export function placed(boxes: Box[], id: string, to: { x: number; y: number }): Box[] {
  return settled(
    boxes.map((box) => (box.id === id ? { ...box, x: to.x, y: Math.max(0, to.y) } : box)),
    id,
  )
}

/** With one box of another size. */
export function sized(boxes: Box[], id: string, to: { w: number; h: number }): Box[] {
  return settled(
    boxes.map((box) => (box.id === id ? fitted({ ...box, w: Math.min(to.w, COLUMNS - box.x), h: to.h }) : box)),
    id,
  )
}

/** One step to a side, or past the next box above or below. */
export function stepped(boxes: Box[], id: string, { dx = 0, dy = 0 }: { dx?: number; dy?: number }): Box[] {
  const present = settled(boxes)
  const box = present.find((each) => each.id === id)
  if (!box) return present
  if (dx !== 0) return placed(present, id, { x: box.x + dx, y: box.y })
  const most = Math.max(...present.map(({ y, h }) => y + h))
  for (let y = box.y + dy; y >= 0 && y <= most; y += dy) {
    const next = placed(present, id, { x: box.x, y })
    if (next.find((each) => each.id === id)?.y !== box.y) return next
  }
  return present
}

/** With another box below the others, or beside the last if there is room. */
export function added(boxes: Box[], id: string, size: { w: number; h: number }): Box[] {
  const present = settled(boxes)
  const last = present.at(-1)
  const isBeside = last !== undefined && last.x + last.w + size.w <= COLUMNS
  const bottom = Math.max(0, ...present.map(({ y, h }) => y + h))
  const place = isBeside ? { x: last.x + last.w, y: last.y } : { x: 0, y: bottom }
  return settled([...present, { id, ...place, ...size }])
}

function fitted({ id, x, y, w, h }: Box): Box {
  const wide = clamped(w, 1, COLUMNS)
  return { id, w: wide, h: clamped(h, 1, MOST_ROWS), x: clamped(x, 0, COLUMNS - wide), y }
}

function clamped(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}
