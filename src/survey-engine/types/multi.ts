import type { MultiQuestion } from '../model/definition.ts'
import { LIMITS } from '../model/limits.ts'
import type { Behaviour } from './behaviour.ts'
import { lintChoices, ofChoices, isWholeFrom } from './families/choices.ts'
import { severalChoices } from './families/choosing.ts'

/** Several of several choices. */
export const multi: Behaviour<MultiQuestion, 'choice'> = {
  ...ofChoices,
  ...severalChoices,
  checkDraft(issues, question, path) {
    ofChoices.checkDraft(issues, question, path)
    for (const key of ['min_choices', 'max_choices'] as const) {
      if (!isWholeFrom(question[key] ?? 1, 0, LIMITS.choices + 1)) issues.add(`${path}.${key}`, 'Use a whole number.')
    }
  },
  checkPublish(issues, question, path) {
    ofChoices.checkPublish(issues, question, path)
    const { choices, allow_other, min_choices = 0, max_choices = Infinity } = question
    const most = Math.min(max_choices, choices.length + Number(allow_other === true))
    if (max_choices === 0) issues.add(`${path}.max_choices`, 'Allow at least one choice.')
    if (min_choices > most)
      issues.add(`${path}.min_choices`, `Ask for at most ${most} ${most === 1 ? 'choice' : 'choices'}.`)
  },
  lint: (question, channel) =>
    lintChoices(question, channel, channel === 'voice' ? ['People have to say several numbers at once.'] : []),
}
