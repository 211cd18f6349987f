import { COLUMNS, fitted, settled, type Box } from '../../../src/features/programme/dashboards/grid.ts'

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

/**
 * One step to a side, or past the next box above or below. The other box may go far away, and leave this one in its
 * row.
 */
export function stepped(boxes: Box[], id: string, { dx = 0, dy = 0 }: { dx?: number; dy?: number }): Box[] {
  const present = settled(boxes)
  const box = present.find((each) => each.id === id)
  if (!box) return present
  if (dx !== 0) return placed(present, id, { x: box.x + dx, y: box.y })
  const most = Math.max(...present.map(({ y, h }) => y + h))
  for (let y = box.y + dy; y >= 0 && y <= most; y += dy) {
    const next = placed(present, id, { x: box.x, y })
    if (!isSame(present, next)) return next
  }
  return present
}

function isSame(boxes: Box[], others: Box[]): boolean {
  const places = new Map(others.map(({ id, x, y }) => [id, `${x} ${y}`]))
  return boxes.every(({ id, x, y }) => places.get(id) === `${x} ${y}`)
}

/** The box that stands next above another. */
export function above(boxes: Box[], { x, y, w }: Box): Box | undefined {
  return boxes
    .filter((each) => each.y + each.h <= y && each.x < x + w && x < each.x + each.w)
    .toSorted((a, b) => b.y + b.h - (a.y + a.h) || a.x - b.x)[0]
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
