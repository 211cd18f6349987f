import { shortened } from '../../../charts/svg.ts'
import type { Filter, ListState } from '../../app/list-state.ts'
import { formatList } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { useNames } from '../names.ts'
import { chipsOf, joinedBy, needsValue, testOf, textsOf } from './conditions.ts'
import { fieldName, useValueName, type Field } from './fields.ts'

/** The parts of a condition, as its chip shows them. */
export interface ChipWords {
  name: string
  /** Null for a segment, whose name says it all. */
  condition: string | null
  /** Null for an operator without a value. */
  value: string | null
}

/** The words of the conditions of a filter. Null for one of another shape. */
export function useChipWords(fields: Field[], filter: ListState['filter']): (chip: Filter) => ChipWords | null {
  const words = useWords()
  const valueName = useValueName()
  const fieldOf = (chip: Filter) => fields.find(({ field }) => field === testOf(chip)?.test.field)
  const names = useNames(...chipsOf(filter).map((chip) => fieldOf(chip)?.refers ?? null))
  return (chip) => {
    const shown = testOf(chip)
    if (!shown) return null
    const { test, isNot } = shown
    const field = fieldOf(chip)
    const segment =
      field?.refers === 'segment' && test.op === 'eq' && !isNot ? names.get(String(test.value)) : undefined
    if (segment !== undefined) return { name: segment, condition: null, value: null }
    const op = words(`list:ops.${test.op}`)
    const values = textsOf(test).map((value) => names.get(value) ?? valueName(field, value))
    return {
      name: field ? fieldName(field, words) : test.field,
      condition: isNot ? words('list:not', { op }) : op,
      value: needsValue(test.op) ? values.join(words(`list:${joinedBy(test)}`)) : null,
    }
  }
}

/** A name that is longer gets an end of three dots. */
const MOST_LETTERS = 80

/** The name of the group that a filter chooses: the words of its chips. Null where a condition has none. */
export function useGroupWords(fields: Field[], filter: ListState['filter']): string | null {
  const wordsOf = useChipWords(fields, filter)
  const chips = chipsOf(filter).map(wordsOf)
  if (chips.length === 0 || chips.includes(null)) return null
  const texts = chips.map((chip) => [chip?.name, chip?.condition, chip?.value].filter((each) => each != null).join(' '))
  return shortened(formatList(texts), MOST_LETTERS)
}
