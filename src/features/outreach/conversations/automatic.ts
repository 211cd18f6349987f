import { COMMAND_WORDS } from '../../../survey-engine/language/commands.ts'
import { wordsOf } from '../../../survey-engine/language/reply-words.ts'

/** Whether a phone wrote the message, not a person: a reaction to our message, or an automatic reply. */
export function isAutomatic(text: string): boolean {
  return isReaction(text) || isAutomaticReply(text)
}

/** A quotation with a few words on one side of it, or on both. A long message loses its end. */
const AROUND_QUOTATION =
  /^(?<before>[^“”„‟«»"‘’‚‹›「」]{0,60})[“”„‟«»"‘’‚‹›「」][^]*(?:[“”„‟«»"‘’‚‹›「」](?<after>[^“”„‟«»"‘’‚‹›「」]{0,60})|…)$/u
const OF_AN_ATTACHMENT =
  /^(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned|reacted \p{Extended_Pictographic}\S* to) an? (?:image|photo|picture|movie|video|attachment|gif|audio message|sticker|link|contact|location)\.?$/iu

/** A phone that cannot react to an SMS writes the reaction out: `Liked “…”`, `👍 to “…”`, `Removed a like from “…”`. */
function isReaction(text: string): boolean {
  const message = text.replace(/\p{Cf}|\uFE0F/gu, '').trim()
  if (OF_AN_ATTACHMENT.test(message)) return true
  const groups = AROUND_QUOTATION.exec(message)?.groups
  if (!groups) return false
  const said = wordsOf(`${groups['before']} ${groups['after'] ?? ''}`)
  const words = said.filter((word) => !/^\p{Extended_Pictographic}$/u.test(word))
  const { reactionVerbs, reactionWords } = COMMAND_WORDS
  return (
    words.length <= 7 &&
    words.every((word) => reactionWords.has(word)) &&
    (words.length < said.length || words.some((word) => reactionVerbs.has(word)))
  )
}

function isAutomaticReply(text: string): boolean {
  const said = ` ${wordsOf(text.slice(0, 300)).join(' ')} `
  return [...COMMAND_WORDS.automatic].some((beginning) => said.startsWith(` ${beginning} `))
}
