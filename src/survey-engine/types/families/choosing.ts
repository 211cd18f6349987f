import type { ConditionLeaf } from '../../model/definition.ts'
import { MANY, type Behaviour, type Comparison, type Heard } from '../behaviour.ts'
import { readChoosing, readMany, type Choosable } from './choice-answers.ts'
import { CHOSEN } from './choices.ts'
import { MEMBERSHIP, PRESENCE } from './comparisons.ts'
import { askFrom, optionsOf, otherWords, readOption, readOptions } from './options-in-replies.ts'

const ONE: Comparison<Choosable> = {
  ...CHOSEN,
  operators: ['eq', 'ne', 'one_of', ...PRESENCE],
  everyAnswer: ({ choices, allow_other }) => [
    ...choices.map(({ id }) => id),
    ...(allow_other === true ? [{ other: '' }] : []),
  ],
}

/** A question that takes one of its choices. */
export const oneChoice = {
  read: (raw, question) => readChoosing(question, raw),
  comparison: () => ONE,
  ask: ({ choices, allow_other }, asking) =>
    askFrom(optionsOf(choices, asking), asking, { ownWords: allow_other === true }),
  reply(heard, question) {
    const { text, language } = heard
    const options = optionsOf(question.choices, heard)
    const id = readOption(text, options, language)
    if (id === 'many') return MANY
    if (id !== null) return id
    const listed = readOptions(text, options, language)
    if (listed && listed.ids.length > 1 && listed.rest.length === 0) return MANY
    const other = otherWords(question, text, language)
    return other === null ? null : { other }
  },
} satisfies Partial<Behaviour<Choosable>>

const SEVERAL: Comparison<Choosable> = {
  ...CHOSEN,
  operators: ['eq', 'ne', ...MEMBERSHIP, ...PRESENCE],
  comparesSets: true,
  impossible(
    { op, value }: ConditionLeaf,
    { choices, min_choices: least = 0, max_choices: most = choices.length + 1 },
  ) {
    const size = new Set(typeof value === 'object' ? value.map(String) : [value]).size
    if ((op === 'eq' || op === 'all_of' || op === 'contains') && size > most)
      return `No answer passes this test; at most ${most} may be chosen.`
    return op === 'eq' && size < least ? `No answer passes this test; at least ${least} have to be chosen.` : null
  },
}

/** A question that takes several of its choices. */
export const severalChoices = {
  takesSeveral: () => true,
  read: (raw, question) => readMany(question, raw),
  comparison: () => SEVERAL,
  ask({ choices, allow_other, min_choices: least = 0, max_choices: most }, asking) {
    const { say } = asking
    const bounds = [
      least > 1 && say('ask_at_least', { n: least }),
      most !== undefined && say('ask_at_most', { n: most }),
    ]
    const how = asking.spoken ? say('say_several') : [say('ask_several'), ...bounds.filter(Boolean)].join(' ')
    return askFrom(optionsOf(choices, asking), asking, { how, ownWords: allow_other === true })
  },
  reply: replyWithSeveral,
} satisfies Partial<Behaviour<Choosable>>

function replyWithSeveral(heard: Heard, question: Choosable): unknown {
  const { text, language } = heard
  const read = readOptions(text, optionsOf(question.choices, heard), language)
  if (read === null) return MANY
  const { ids, rest } = read
  if (rest.length === 0) return ids
  if (question.allow_other !== true) return null
  if (rest.length > 1 && ids.length > 0) return null
  const other = otherWords(question, rest.length > 1 ? text : (rest[0] ?? ''), language)
  return other === null ? null : [...ids, { other }]
}
