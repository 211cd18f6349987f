/** The longest URL that is redirected to, as it is written. */
export const LONGEST_TARGET = 2_000

// Spaces and controls, U+2028 and U+2029, and the backslash, which browsers read as a slash.
const NEVER = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\\]/u
// What a decoder on the way could turn into the end of a header, or of a string.
const ENCODED_CONTROL = /%(?:0[0-9a-f]|1[0-9a-f]|7f)/i

/**
 * An absolute http(s) URL that may stand in `Location`, in its normal form; null for whatever else: other schemes, what is
 * relative to a scheme or host, credentials, and line ends in any disguise. Asked at creation and again before each redirect.
 */
export function redirectTarget(text: string): string | null {
  if (text.length > LONGEST_TARGET || NEVER.test(text) || ENCODED_CONTROL.test(text)) return null
  if (!/^https?:\/\/[^/?#@]/i.test(text)) return null
  // An @ before the path makes a name of what looks like the host.
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return null
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.username !== '' || url.password !== '')
    return null
  // The normal form is longer where letters beyond ASCII are encoded.
  return url.href.length <= 4 * LONGEST_TARGET ? url.href : null
}
