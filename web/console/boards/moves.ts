import { useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import { useWords } from '../words/words.ts'
import { COLUMNS, type Box } from '../../../src/features/programme/dashboards/grid.ts'
import { above, placed, sized, stepped } from './grid.ts'
import { formatNumber } from '../words/format.ts'

/** As in the style of the board. */
const ROW_PX = 56
const GAP_PX = 16
/** A press that moves less is a click. */
const LEAST_PX = 4

interface Props {
  place: RefObject<HTMLDivElement | null>
  boxes: Box[]
  onChange: (boxes: Box[]) => void
  /** Says where a box is, after a move from these places. */
  onSay: (text: string, before: Box[]) => void
  titleOf: (id: string) => string
}

export type Moves = ReturnType<typeof useMoves>
type Way = 'move' | 'size'

/** Moves and sizes the boxes of a board, by the pointer and by keys. */
export function useMoves({ place, boxes, onChange, onSay, titleOf }: Props) {
  const words = useWords()
  const [dragged, setDragged] = useState<Box[] | null>(null)
  const apply = (next: Box[], id: string) => {
    onChange(next)
    const box = next.find((each) => each.id === id)
    if (!box) return
    const text = placeText(words, titleOf(id), box)
    const upper = above(next, box)
    onSay(upper ? words('dashboards:placeBelow', { place: text, title: titleOf(upper.id) }) : text, boxes)
  }
  const isRtl = () => document.documentElement.dir === 'rtl'
  const press = (event: KeyboardEvent, id: string) => {
    if (!event.altKey || event.metaKey || event.ctrlKey) return
    const across = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const down = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (across === undefined && down === undefined) return
    event.preventDefault()
    const dx = (across ?? 0) * (isRtl() ? -1 : 1)
    const dy = down ?? 0
    const box = boxes.find((each) => each.id === id)
    if (!box) return
    apply(event.shiftKey ? sized(boxes, id, { w: box.w + dx, h: box.h + dy }) : stepped(boxes, id, { dx, dy }), id)
  }
  const begin = (event: PointerEvent, id: string, way: Way) => {
    const board = place.current
    const box = boxes.find((each) => each.id === id)
    if (event.button !== 0 || !board || !box) return
    if (way === 'size') event.preventDefault()
    const column = (board.clientWidth + GAP_PX) / COLUMNS
    const start = { x: event.clientX, y: event.clientY + scrollY }
    let next: Box[] | null = null
    const follow = ({ clientX, clientY }: globalThis.PointerEvent) => {
      const moved = { x: (clientX - start.x) * (isRtl() ? -1 : 1), y: clientY + scrollY - start.y }
      if (next === null && Math.hypot(moved.x, moved.y) < LEAST_PX) return
      const dx = Math.round(moved.x / column)
      const dy = Math.round(moved.y / (ROW_PX + GAP_PX))
      next =
        way === 'move'
          ? placed(boxes, id, { x: box.x + dx, y: box.y + dy })
          : sized(boxes, id, { w: box.w + dx, h: box.h + dy })
      setDragged(next)
    }
    const end = ({ type }: Event) => {
      for (const name of ['pointerup', 'pointercancel'] as const) removeEventListener(name, end)
      removeEventListener('pointermove', follow)
      setDragged(null)
      if (type !== 'pointerup' || next === null) return
      apply(next, id)
      // The click that ends a move opens nothing.
      addEventListener('click', stop, { capture: true, once: true })
      setTimeout(() => removeEventListener('click', stop, { capture: true }))
    }
    addEventListener('pointermove', follow)
    for (const name of ['pointerup', 'pointercancel'] as const) addEventListener(name, end)
  }
  const step = (id: string, dy: number) => apply(stepped(boxes, id, { dy }), id)
  return { shown: dragged ?? boxes, isMoving: dragged !== null, press, begin, step }
}

function stop(event: Event): void {
  event.stopPropagation()
  event.preventDefault()
}

/** Where a widget stands, in words. */
export function placeText(words: ReturnType<typeof useWords>, title: string, { x, y, w, h }: Box): string {
  return words('dashboards:place', {
    title,
    column: formatNumber(x + 1),
    row: formatNumber(y + 1),
    wide: formatNumber(w),
    high: formatNumber(h),
  })
}
