/** How a value is shown that is never told again. */
export const MASK = '*'.repeat(12)

/** Whether a text is what we show in place of a secret, such as `whsec_1a2b************`. It is never the secret itself. */
export function isMask(text: string): boolean {
  return text.endsWith(MASK)
}

export const IS_A_MASK = 'This is how a secret is shown. Send the secret itself, or leave it out to keep it.'
