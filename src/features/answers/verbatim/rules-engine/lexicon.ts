/** The words of one language that carry a feeling, and those that change it. Words are matched by their basic form. */
export interface Lexicon {
  /** Strength from −4 to 4 -> words, separated by spaces. */
  words: Record<string, string>
  /** Strength -> phrases, separated by semicolons. `0` takes the feeling out of the words of a phrase. */
  phrases: Record<string, string>
  negators: string
  /** Words that negate what stands before them: `funktioniert nicht`. */
  negatesBackwards: boolean
  stronger: string
  weaker: string
  /** After these words the opinion that counts follows. */
  contrasts: string
  /** Before an adjective: more of it than is good. */
  excess: string
  /** A wish for something better. */
  wishes: string
  /** Praise that opens an ironic text: `Great, another delay`. */
  ironic: string
  /** Words that make praise before them ironic. */
  again: string
}
