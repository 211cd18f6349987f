import { expect, test } from 'vitest'
import { csvOf, MOST_COPIED } from './copy-csv.ts'

const column = (id: string, copy?: (row: Record<string, unknown>) => unknown) => ({
  id,
  ...(copy && { copy }),
})

test('cells are quoted, joined, and never run as a formula', () => {
  const rows = [
    { id: 'a', text: 'Late, "again"\nand again', tags: ['one', 'two'], score: { value: 3 }, none: null },
    { id: '=1+1', text: '＝HYPERLINK("x")', tags: [], score: null, none: undefined },
  ]
  const columns = ['id', 'text', 'tags', 'none'].map((id) => column(id))
  const score = column('score', (row) => (row['score'] as { value: number } | null)?.value)
  expect(csvOf([...columns, score], rows)).toBe(
    ['id,text,tags,none,score', 'a,"Late, ""again""\nand again",one; two,,3', `'=1+1,"'＝HYPERLINK(""x"")",,,`].join(
      '\r\n',
    ),
  )
})

test('no more rows are copied than a clipboard takes', () => {
  const rows = Array.from({ length: MOST_COPIED + 1 }, (_, n) => ({ n }))
  expect(csvOf([column('n')], rows).split('\r\n')).toHaveLength(MOST_COPIED + 1)
})
