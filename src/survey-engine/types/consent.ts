import { readYesNo } from '../language/reply-words.ts'
import type { PlainQuestion } from '../model/definition.ts'
import type { Behaviour, Comparison } from './behaviour.ts'
import { PRESENCE } from './families/comparisons.ts'

/** Yes or no; a survey that requires it requires a yes. */
export const consent: Behaviour<PlainQuestion, 'yes'> = {
  kind: 'yes',
  read: (raw) => (typeof raw === 'boolean' ? { value: raw } : { problem: 'Answer true or false.' }),
  lacking: (value, _question, required) => (required && value === false ? 'Give your consent; it is required.' : null),
  refuses: (value) => value === false,
  comparison: () => YES_OR_NO,
  show: (value, _question, { say }) => say(value === true ? 'yes' : 'no'),
  ask: (_question, { spoken, say }) => [say(spoken ? 'say_yes_no' : 'ask_yes_no')],
  reply: ({ text, language, spoken }) => readYesNo(text, language, spoken),
}

const YES_OR_NO: Comparison<PlainQuestion> = {
  operators: ['eq', 'ne', ...PRESENCE],
  operand: (value) => value === true,
  misfit: (values) => (values.every((value) => typeof value === 'boolean') ? null : 'Compare with true or false.'),
  everyAnswer: ({ required }) => (required === true ? [true] : [true, false]),
}
