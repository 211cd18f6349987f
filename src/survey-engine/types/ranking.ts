import type { RankingQuestion } from '../model/definition.ts'
import { LIMITS } from '../model/limits.ts'
import type { Behaviour, Comparison, Reading } from './behaviour.ts'
import { CHOSEN, lintChoices, ofChoices } from './families/choices.ts'
import { PRESENCE } from './families/comparisons.ts'
import { askFrom, optionsOf, readOptions } from './families/options-in-replies.ts'

/** All choices in an order, the best first. */
export const ranking: Behaviour<RankingQuestion, 'ranking'> = {
  ...ofChoices,
  kind: 'ranking',
  read: readRanking,
  comparison: () => ORDERED,
  controls: ({ choices }) => choices.length ** 2,
  checkDraft(issues, question, path) {
    ofChoices.checkDraft(issues, question, path)
    if (question.choices.length > LIMITS.rankedChoices)
      issues.add(`${path}.choices`, `Remove some choices; at most ${LIMITS.rankedChoices} can be ranked.`)
  },
  checkPublish(issues, { choices }, path) {
    if (choices.length < 2) issues.add(`${path}.choices`, 'Add choices.')
  },
  ask: ({ choices }, asking) =>
    askFrom(optionsOf(choices, asking), asking, { how: asking.say(asking.spoken ? 'say_ranking' : 'ask_ranking') }),
  reply(heard, { choices }) {
    const ranked = readOptions(heard.text, optionsOf(choices, heard), heard.language)
    return ranked && ranked.rest.length === 0 ? ranked.ids : null
  },
  unspeakable: () => 'People find it hard to say an order',
  lint: (question, channel) =>
    lintChoices(question, channel, channel === 'sms' ? ['People have to write the whole order in one message.'] : []),
}

const ORDERED: Comparison<RankingQuestion> = { ...CHOSEN, operators: ['starts_with', 'ends_with', ...PRESENCE] }

function readRanking(raw: unknown, { choices }: RankingQuestion): Reading {
  const problem = 'Rank every choice exactly once.'
  if (!Array.isArray(raw)) return { problem: 'Answer with an array of all choice ids, the best first.' }
  const items: unknown[] = raw
  if (items.length === 0) return null
  if (items.length !== choices.length) return { problem }
  const ranked: string[] = []
  const left = new Set(choices.map(({ id }) => id))
  for (const item of items) {
    if (typeof item !== 'string' || !left.delete(item)) return { problem }
    ranked.push(item)
  }
  return { value: ranked }
}
