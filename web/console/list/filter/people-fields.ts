import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Filter } from '../../app/list-state.ts'
import { useMay } from '../../app/me.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatList } from '../../words/format.ts'
import { useWords, type Words } from '../../words/words.ts'
import { segmentNamesQuery } from '../names.ts'
import { needsValue, textsOf, type Test } from './conditions.ts'
import { useFields, type Field } from './fields.ts'

const FAMILY = 'attribute.'
const LONGEST_NAME = 200

/** The attributes of people, for those who may read them and keep the segment that a condition on one becomes. */
export function usePeopleFields(isWanted: boolean): Field[] {
  const mayRead = useMay('people.manage')
  const mayKeep = useMay('segments.manage')
  const isOffered = isWanted && mayRead && mayKeep
  const fields = useFields('people', undefined, isOffered)
  if (!isOffered) return []
  return fields
    .filter(({ field }) => field.startsWith(FAMILY))
    .map((field) => ({ ...field, label: field.label ?? field.field.slice(FAMILY.length) }))
}

/**
 * Turns a condition on people into one on answers: of the segment of exactly these people. It is made if there is none.
 */
export function useSegmentOf() {
  const words = useWords()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (chip: Filter) => {
      const filter: Filter = { all: [chip] }
      const wanted = [filter, chip].map(inOneOrder)
      const { data } = await client.fetchQuery({ ...segmentNamesQuery, staleTime: 0 })
      const found = data.find((segment) => wanted.includes(inOneOrder(segment.filter)))
      const { id } =
        found ??
        (await answerOf(
          api.POST('/v1/segments', {
            body: { name: segmentName(chip, words), description: '', filter: filter as never },
          }),
        ))
      // Its name is read before its chip shows it.
      if (!found) {
        await client.invalidateQueries({ queryKey: ['segments'] })
        await client.fetchQuery(segmentNamesQuery)
      }
      return { field: 'segment_id', op: 'eq', value: id }
    },
  })
}

/** A filter as text. The API keeps its members in an order of its own. */
function inOneOrder(filter: unknown): string {
  return JSON.stringify(filter, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

/** Such as “plan: pro”. */
function segmentName(chip: Filter, words: Words): string {
  const isNot = 'not' in chip
  const test = (isNot ? chip.not : chip) as Test
  const name = test.field.slice(FAMILY.length)
  const values = formatList(textsOf(test))
  const op = words(`list:ops.${test.op}`)
  const condition = isNot ? words('list:not', { op }) : op
  const isPlain = !isNot && (test.op === 'eq' || test.op === 'one_of')
  const text = isPlain ? `${name}: ${values}` : [name, condition, needsValue(test.op) ? values : ''].join(' ').trim()
  return text.slice(0, LONGEST_NAME)
}
