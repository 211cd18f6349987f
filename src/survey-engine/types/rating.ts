import type { RatingQuestion } from '../model/definition.ts'
import type { Behaviour } from './behaviour.ts'
import { scored } from './families/scored.ts'
import { isWholeFrom } from './families/choices.ts'

/** A number from 1 to as many as the author sets. */
export const rating: Behaviour<RatingQuestion, 'scale'> = {
  ...scored<RatingQuestion>(({ scale }) => ({ min: 1, max: scale })),
  checkDraft(issues, { scale, style }, path) {
    if (!isWholeFrom(scale, 3, 10)) issues.add(`${path}.scale`, 'Use a whole number from 3 to 10.')
    if (style === 'smiley' && scale > MOST_FACES)
      issues.add(`${path}.style`, `Use star or number; there are ${MOST_FACES} faces.`)
  },
}

const MOST_FACES = 5
