import { expect, test } from 'vitest'
import { settled, type Box } from '../../../src/features/programme/dashboards/grid.ts'
import { above, added, placed, sized, stepped } from './grid.ts'

const box = (id: string, x: number, y: number, w: number, h: number): Box => ({ id, x, y, w, h })
const shown = (boxes: Box[]) => boxes.map(({ id, x, y, w, h }) => `${id} ${x},${y} ${w}×${h}`)
const ROW = [box('a', 0, 0, 4, 3), box('b', 4, 0, 4, 3), box('c', 8, 0, 4, 3)]

test('boxes that lie on each other or beyond the edge make room, and holes close', () => {
  expect(shown(settled([box('a', 0, 9, 48, 2), box('b', 11, 0, 4, 3), box('c', 8, 1, 4, 2)]))).toEqual([
    'b 8,0 4×3',
    'c 8,3 4×2',
    'a 0,5 12×2',
  ])
})

test('a box that moves takes its place, and the others go below it', () => {
  expect(shown(placed(ROW, 'a', { x: 4, y: 0 }))).toEqual(['a 4,0 4×3', 'c 8,0 4×3', 'b 4,3 4×3'])
})

test('a step down passes the next box, a step up passes it again, and an edge stops', () => {
  const down = stepped([box('a', 0, 0, 6, 2), box('b', 0, 2, 6, 4)], 'a', { dy: 1 })
  expect(shown(down)).toEqual(['b 0,0 6×4', 'a 0,4 6×2'])
  expect(shown(stepped(down, 'a', { dy: -1 }))).toEqual(['a 0,0 6×2', 'b 0,2 6×4'])
  expect(stepped(down, 'a', { dy: 1 })).toEqual(down)
  expect(stepped(down, 'b', { dy: -1 })).toEqual(down)
  expect(stepped(ROW, 'a', { dx: -1 })).toEqual(ROW)
  expect(stepped(ROW, 'none', { dx: -1 })).toEqual(ROW)
})

test('a step passes one box, also where that box then goes far up and leaves the moved one in its row', () => {
  const board = settled([
    box('high', 4, 0, 8, 7),
    box('wide', 0, 7, 12, 3),
    box('next', 0, 10, 4, 4),
    box('last', 3, 14, 6, 4),
  ])
  const once = stepped(board, 'wide', { dy: 1 })
  expect(shown(once)).toEqual(['next 0,0 4×4', 'high 4,0 8×7', 'wide 0,7 12×3', 'last 3,10 6×4'])
  expect(above(once, once[2] ?? box('', 0, 0, 0, 0))?.id).toBe('high')
  const twice = stepped(once, 'wide', { dy: 1 })
  expect(shown(twice).slice(2)).toEqual(['last 3,7 6×4', 'wide 0,11 12×3'])
  expect(above(twice, once[0] ?? box('', 0, 0, 0, 0))).toBeUndefined()
})

test('a box grows to the edge and pushes what it meets', () => {
  expect(shown(sized(ROW, 'c', { w: 9, h: 1 }))).toEqual(['a 0,0 4×3', 'b 4,0 4×3', 'c 8,0 4×1'])
  expect(shown(sized(ROW, 'a', { w: 5, h: 0 }))).toEqual(['a 0,0 5×1', 'c 8,0 4×3', 'b 4,1 4×3'])
})

test('another box stands beside the last one, or below all', () => {
  expect(shown(added(ROW.slice(0, 2), 'd', { w: 4, h: 3 }))).toContain('d 8,0 4×3')
  expect(shown(added(ROW, 'd', { w: 4, h: 3 }))).toContain('d 0,3 4×3')
  expect(shown(added([], 'd', { w: 4, h: 3 }))).toEqual(['d 0,0 4×3'])
})
