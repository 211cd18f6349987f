import type { HeavyRequest, Targets } from './heavy-requests.ts'

// Sorting the marks after a letter takes their number squared, in JavaScript and in PostgreSQL.
const ROWS = Object.entries({
  Latin: '\u0301\u0316',
  Hebrew: '\u0592\u0591',
  Arabic: '\u064b\u0655',
  Devanagari: '\u093c\u0951',
  kana: '\uff9e\u0301',
  music: '\u{1d165}\u0301',
  'short rows of Latin': `a${'\u0301\u0316'.repeat(15)}`,
  'ligatures of Arabic': '\ufdfa',
})
const PERSON = 'marks@example.com'

/** Texts of marks, wherever a text may come in. */
export function heavyMarks({ surveyId, live }: Pick<Targets, 'surveyId' | 'live'>): HeavyRequest[] {
  const json = (name: string, path: string, body: object, headers: Record<string, string> = {}): HeavyRequest => ({
    name,
    method: 'POST',
    path,
    type: 'application/json',
    body: JSON.stringify(body),
    headers,
  })
  const ofMarks = live['long texts'] ?? surveyId
  const texts = ROWS.flatMap(([script, row], n) => {
    const text = (length: number) => `@a${row.repeat(length)}`.slice(0, length)
    const titles = Array.from({ length: 41 }, (_, at) => ({ id: `q${at}`, type: 'open_text', title: text(5_000) }))
    const definition = { name: 'x', questions: titles }
    const answers = Object.fromEntries(['q1', 'q2', 'q3', 'q4'].map((id) => [id, `${PERSON} ${text(20_000)}`]))
    return [
      json(`a text of marks: ${script}`, `/public/surveys/${ofMarks}/responses`, { answers: { q1: text(50_000) } }),
      json(`four texts of marks: ${script}`, `/public/surveys/${ofMarks}/responses`, { answers }),
      json(`41 titles of marks, remembered: ${script}`, '/v1/surveys', definition, { 'idempotency-key': `marks-${n}` }),
      json(`a person of marks: ${script}`, '/v1/people', { external_id: `m${n}`, name: text(200) }),
      {
        name: `people of marks: ${script}`,
        method: 'POST',
        path: '/v1/people/import',
        type: 'text/csv',
        body: `external_id,attribute.n\n${Array.from({ length: 2_000 }, (_, at) => `i${n}_${at},${text(500)}\n`).join('')}`,
      },
    ]
  })
  return [
    ...texts,
    json('a privacy request that reads texts of marks', '/v1/gdpr/requests', {
      kind: 'access',
      subject: { email: PERSON },
      dry_run: true,
    }),
  ]
}
