import type { ChoiceQuestion } from '../model/definition.ts'
import type { Behaviour } from './behaviour.ts'
import { ofChoices } from './families/choices.ts'
import { oneChoice } from './families/choosing.ts'

/** One of several choices, from a list that opens. */
export const dropdown: Behaviour<ChoiceQuestion, 'choice'> = { ...ofChoices, ...oneChoice }
