const UNUSED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])
// Š Ž š ž Ÿ. Mac Roman has ä é ö û ü there.
const RARE = new Set([0x8a, 0x8e, 0x9a, 0x9e, 0x9f])
// Signs that are no letters. In Mac Roman and in the encodings of Central Europe many of them are.
const isSign = (byte: number) =>
  (byte >= 0x83 && byte <= 0x8b && byte !== 0x85 && byte !== 0x8a) ||
  byte === 0x98 ||
  byte === 0x99 ||
  byte === 0x9b ||
  (byte >= 0xa1 && byte <= 0xbf && ![0xaa, 0xad, 0xb4, 0xb5, 0xb7, 0xba].includes(byte))
const isPlain = (byte: number) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a && byte < 0x80
const isAccented = (byte: number) => byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7
const isHighLetter = (byte: number) => isAccented(byte) || RARE.has(byte)
// Signs that stand beside accented letters: spaces, quotes, dashes, “¡Á”, “é®”.
const BESIDE = new Set([0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0xa0, 0xa1, 0xa9, 0xab, 0xad])
for (const sign of [0xae, 0xb4, 0xb7, 0xbb, 0xbf]) BESIDE.add(sign)
// Signs that end a word: a space, “»”, “’”, “”” and “…”.
const ENDS = new Set([0xa0, 0xbb, 0x92, 0x94, 0x85])
// Of the signs beside others, “ƒ”, “†”, “‡” and “ˆ” are second bytes of Japanese and Chinese.
const SECOND = new Set([0x83, 0x86, 0x87, 0x88])
const BEFORE_SECOND = new Set([0x91, 0x92, 0x93, 0x94, 0x96, 0x97])
const MANY = 8

/**
 * Says whether bytes are Windows-1252. Another encoding puts signs into words, or has words of accented letters. One
 * wrong byte in UTF-8 must not make each of its letters two.
 */
export function countLetters() {
  let [before, last] = [0, 0]
  let [strange, western, pairs, unused, utf8] = [0, 0, 0, 0, 0]
  // “ without ” or „ is the first byte of 田, 山 and other letters of Japanese.
  let [opened, closed] = [0, 0]
  return {
    add(bytes: Uint8Array) {
      for (const byte of bytes) {
        const isLetter = isPlain(byte) || isAccented(byte)
        if (isSign(last) && isLetter && (isPlain(before) || isAccented(before))) strange += 4
        const areHigh = last >= 0x80 && byte >= 0x80
        if (areHigh && !(isHighLetter(last) && isHighLetter(byte)) && !BESIDE.has(last) && !BESIDE.has(byte))
          strange += 4
        if (last >= 0xc2 && last <= 0xdf && byte >= 0x80 && byte <= 0xbf && !ENDS.has(byte)) utf8 += 2
        if (isAccented(last) && (isPlain(before) || isPlain(byte))) western += 1
        if (isAccented(last) && isAccented(byte)) pairs += 1
        if (RARE.has(byte) && isPlain(last)) strange += 1
        if (BEFORE_SECOND.has(last) && SECOND.has(byte)) strange += 4
        if (byte === 0x93) opened += 1
        if (byte === 0x94 || byte === 0x84) closed += 1
        if (UNUSED.has(byte)) unused += 1
        before = last
        last = byte
      }
    },
    areOfAnotherEncoding: () =>
      unused > 0 ||
      strange + (closed === 0 ? 4 * opened : 0) > western ||
      utf8 > western ||
      (pairs >= MANY && pairs > western),
  }
}
