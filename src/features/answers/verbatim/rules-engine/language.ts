import { francAll } from 'franc-min'

/** Languages in Latin letters, by the code of the library and that of surveys. */
const LATIN: Record<string, string> = {
  eng: 'en', deu: 'de', spa: 'es', fra: 'fr', ita: 'it', nld: 'nl', por: 'pt', pol: 'pl', tur: 'tr', vie: 'vi', ind: 'id', swe: 'sv',
  ron: 'ro', hun: 'hu', ces: 'cs', hrv: 'hr',
} // prettier-ignore
/** Languages of other scripts. A script of several is that of the first, unless the survey has another. */
const OF_SCRIPT: Array<[script: RegExp, languages: string[]]> = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/gu, ['ja']],
  [/\p{sc=Hangul}/gu, ['ko']],
  [/\p{sc=Han}/gu, ['zh', 'ja', 'yue']],
  [/\p{sc=Arabic}/gu, ['ar', 'fa', 'ur', 'ps', 'ckb']],
  [/\p{sc=Cyrillic}/gu, ['ru', 'uk', 'bg', 'sr', 'mk', 'be', 'kk', 'ky', 'mn', 'tg']],
  [/\p{sc=Devanagari}/gu, ['hi', 'mr', 'ne']],
  [/\p{sc=Hebrew}/gu, ['he', 'yi']],
  [/\p{sc=Greek}/gu, ['el']],
  [/\p{sc=Thai}/gu, ['th']],
  [/\p{sc=Bengali}/gu, ['bn', 'as']],
  [/\p{sc=Tamil}/gu, ['ta']],
  [/\p{sc=Telugu}/gu, ['te']],
  [/\p{sc=Georgian}/gu, ['ka']],
  [/\p{sc=Armenian}/gu, ['hy']],
]
const ELSEWHERE = new Set(OF_SCRIPT.flatMap(([, languages]) => languages))
/** A sign of these is worth several letters. */
const SYLLABLES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu
const WORTH = 3
const UKRAINIAN = /[іїєґ]/iu
const RUSSIAN = /[ыэъё]/iu
/** Letters. Of fewer, trigrams say nothing: 1 of 6 texts was taken for another of three languages. */
const SHORT = 24
/** Letters. In 320 texts of more, each had its own language at 0.9 or above among all of them. */
const LONG = 80
// How near to the first the right language is. In a foreign text of 80 letters the survey's is nearer 1 time in 100.
const NEAR = 0.88
const ENOUGH = 1_000

/**
 * The language of a text as ISO 639-1: by its script, else one that the survey has, unless the text is long and clearly
 * in another. A short text is in the language of the response.
 * @param expected the language of the response, such as `de` or `de-AT`.
 * @param languages those of its survey.
 */
export function languageOf(text: string, expected: string, languages: readonly string[] = []): string {
  const known = [...new Set([expected, ...languages].map((tag) => tag.split(/[-_]/, 1)[0]?.toLowerCase() ?? tag))]
  const start = text.slice(0, ENOUGH)
  const letters = countOf(start, /\p{L}/gu)
  const byScript = letters > 0 && languageOfScript(start, letters, known)
  if (byScript) return byScript
  const latin = known.filter((language) => !ELSEWHERE.has(language))
  const own = latin[0] ?? known[0] ?? expected
  if (letters < SHORT) return own
  const near = nearest(rank(start, latin), own)
  if (letters < LONG) return near
  const all = rank(start, Object.values(LATIN))
  const clear = all[0]?.language ?? near
  // A language that the library does not have is only left for another of the survey.
  if (!Object.values(LATIN).includes(near)) return latin.includes(clear) || latin.length === 0 ? clear : near
  return nearest(all, near)
}

/** The language of the script that most of the letters are in, if that is not Latin. */
function languageOfScript(text: string, letters: number, known: string[]): string | null {
  const extra = countOf(text, SYLLABLES) * (WORTH - 1)
  const [kana = 0, hangul = 0, han = 0, ...others] = OF_SCRIPT.map(([script]) => countOf(text, script))
  const counts = [kana > 0 ? (kana + han) * WORTH : 0, hangul * WORTH, kana > 0 ? 0 : han * WORTH, ...others]
  const most = Math.max(...counts)
  if (most * 2 <= letters + extra) return null
  const candidates = OF_SCRIPT[counts.indexOf(most)]?.[1] ?? []
  const own = known.find((language) => candidates.includes(language)) ?? candidates[0] ?? null
  if (own !== 'ru' && own !== 'uk') return own
  const [isUkrainian, isRussian] = [UKRAINIAN.test(text), RUSSIAN.test(text)]
  return isUkrainian === isRussian ? own : isUkrainian ? 'uk' : 'ru'
}

interface Ranked {
  language: string
  /** 1 for the first, less for the others. */
  score: number
}

function rank(text: string, languages: string[]): Ranked[] {
  const only = Object.keys(LATIN).filter((code) => languages.includes(LATIN[code] ?? ''))
  if (only.length === 0) return []
  return francAll(text, { only, minLength: 3 }).flatMap(([code, score]) => {
    const language = LATIN[code]
    return language === undefined ? [] : { language, score }
  })
}

/** The first, unless `own` is nearly as likely or not among them. */
function nearest(ranked: Ranked[], own: string): string {
  const [first] = ranked
  const mine = ranked.find(({ language }) => language === own)
  return !first || !mine || mine.score >= NEAR ? own : first.language
}

function countOf(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0
}
