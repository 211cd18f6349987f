// These are too short for more than two letters in the wrong order: `HOME` is not `HOST`.
const SHORT = 4

/**
 * The setting that was probably meant by a name that is none. Null for the names of other programs: `AI_BASE_URL` and
 * `API_BASE_URL` are two settings, and so are `DATABASE_URL` and `DATABASE_SSL`.
 */
export function nearestSetting(name: string, settings: readonly string[]): string | null {
  return settings.find((setting) => isNear(name, setting)) ?? null
}

function isNear(name: string, setting: string): boolean {
  if (setting.length <= SHORT) return isSwapped(name, setting)
  const [given, ours] = [wordsOf(name), wordsOf(setting)]
  if (given.join('') === ours.join('')) return true
  if (given.length !== ours.length) return false
  let slips = 0
  for (const [at, word] of ours.entries()) {
    const other = given[at] ?? ''
    if (other === word) continue
    if (word.length > 2 ? !isOneSlip(other, word) : !isSwapped(other, word)) return false
    slips++
  }
  return slips <= 2
}

/** Without case and plural: `signup`, `Signups` and `SIGN_UP` are one name. */
function wordsOf(name: string): string[] {
  return name
    .toUpperCase()
    .split(/[_-]/)
    .map((word) => word.replace(/IES$/, 'Y').replace(/(?<=..)S$/, ''))
}

/** Whether one letter is missing, too many, wrong, or in the place of its neighbour. */
function isOneSlip(a: string, b: string): boolean {
  if (isSwapped(a, b)) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  return short.slice(long.length === short.length ? at + 1 : at) === long.slice(at + 1)
}

function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length || a === b) return false
  let at = 0
  while (a[at] === b[at]) at++
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
