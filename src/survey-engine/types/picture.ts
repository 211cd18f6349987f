import type { PictureQuestion } from '../model/definition.ts'
import type { Behaviour } from './behaviour.ts'
import { lintChoices, ofChoices } from './families/choices.ts'
import { oneChoice, severalChoices } from './families/choosing.ts'

/** One of several pictures, or several with `multiple`. */
export const picture: Behaviour<PictureQuestion, 'choice'> = {
  ...ofChoices,
  takesSeveral: ({ multiple }) => multiple === true,
  read: (raw, question) => choosing(question).read(raw, question),
  comparison: (question) => choosing(question).comparison(),
  ask: (question, asking) => choosing(question).ask(question, asking),
  reply: (heard, question) => choosing(question).reply(heard, question),
  unspeakable: () => 'Pictures cannot be heard',
  lint: (question, channel) =>
    lintChoices(question, channel, channel === 'sms' ? ['Pictures are not sent; people choose by the labels.'] : []),
}

function choosing({ multiple }: PictureQuestion) {
  return multiple === true ? severalChoices : oneChoice
}
