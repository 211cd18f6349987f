/** The longest URL that the server redirects to, as it was written. */
export const LONGEST_TARGET = 2_000

// Spaces, controls, U+2028, U+2029, and the backslash, which browsers read as a slash.
const NEVER = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\\]/u
// Text that a decoder could turn into the end of a header or of a string.
const ENCODED_CONTROL = /%(?:0[0-9a-f]|1[0-9a-f]|7f)/i

/**
 * The normal form of an absolute http(s) URL that is safe in `Location`. Null for anything else: other schemes,
 * relative URLs, credentials, and line ends in any form. Checked at creation and before each redirect.
 */
export function redirectTarget(text: string): string | null {
  if (text.length > LONGEST_TARGET || NEVER.test(text) || ENCODED_CONTROL.test(text)) return null
  if (!/^https?:\/\/[^/?#@]/i.test(text)) return null
  // With an @ before the path, the apparent host is a user name.
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return null
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.username !== '' || url.password !== '')
    return null
  // Encoding letters beyond ASCII makes the normal form longer.
  return url.href.length <= 4 * LONGEST_TARGET ? url.href : null
}
