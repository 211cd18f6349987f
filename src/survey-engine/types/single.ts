import type { ChoiceQuestion } from '../model/definition.ts'
import type { Behaviour } from './behaviour.ts'
import { ofChoices } from './families/choices.ts'
import { oneChoice } from './families/choosing.ts'

/** One of several choices, all of them in sight. */
export const single: Behaviour<ChoiceQuestion, 'choice'> = { ...ofChoices, ...oneChoice }
