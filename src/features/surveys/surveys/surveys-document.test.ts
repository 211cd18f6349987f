import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorsOf } from '../../../survey-engine/checks/condition-checks.ts'
import { OPERATORS } from '../../../survey-engine/model/definition.ts'
import { LIMITS } from '../../../survey-engine/model/limits.ts'
import { MESSAGE_KEYS, placeholdersOf } from '../../../survey-engine/words/message-keys.ts'
import { EVERY_TYPE } from '../../../survey-engine/survey.fixture.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { uploadPicture } from '../../../testing/makers.ts'

const DOCUMENT = readFileSync(new URL('../../../../docs/surveys.md', import.meta.url), 'utf8')
const EXAMPLES = [...DOCUMENT.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => JSON.parse(text) as { name: string },
)

describe('docs/surveys.md', () => {
  let server: TestServer
  let token: string
  let picture: string
  beforeAll(async () => {
    server = await startTestServer()
    const workspace = await createWorkspace(server)
    token = workspace.token
    picture = (await uploadPicture(server, workspace)).url
  })
  afterAll(() => server.close())

  test.each(EXAMPLES.map((example) => [example.name, example]))(
    'the example "%s" can be created and published',
    async (_, example) => {
      const body = JSON.stringify(example).replaceAll(/https:\/\/example\.com\/\w+\.png/g, picture)
      const created = await server.request('POST', '/v1/surveys', { token, body })
      expect(created, created.text).toMatchObject({ status: 201 })
      const published = await server.request('POST', `/v1/surveys/${created.body.id}/publish`, { token })
      expect(published, published.text).toMatchObject({ status: 200, body: { state: 'live' } })
    },
  )

  test('has an example of every type and every action', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(8)
    const text = JSON.stringify(EXAMPLES)
    for (const { type } of EVERY_TYPE) expect(text).toContain(`"type":"${type}"`)
    for (const action of ['jump', 'require', 'show', 'hide', 'calculate', 'end'])
      expect(text).toContain(`"action":"${action}"`)
  })

  test('lists the operators of every type', () => {
    for (const question of EVERY_TYPE) {
      if (question.type === 'statement') continue
      const variant =
        question.id === 'pictures'
          ? '`picture` with `multiple`'
          : question.id === 'number'
            ? '`open_text` with the format `number`'
            : `\`${question.type}\``
      const rows = tableRows('Operators').filter(
        ([types = '']) => types.split(', ').includes(variant) || types === variant,
      )
      expect(rows, variant).toHaveLength(1)
      const words = rows[0]?.[1]?.match(/[a-z_]+/g) ?? []
      expect(words.filter((word) => (OPERATORS as readonly string[]).includes(word)).sort(), variant).toEqual(
        [...operatorsOf(question)].sort(),
      )
    }
  })

  test('lists every message with its placeholders', () => {
    const listed = tableRows('Keys').flatMap(([, keys = '']) => keys.replaceAll('`', '').split(' '))
    const known = MESSAGE_KEYS.map((key) => {
      const placeholders = ['errors_zero', 'errors_one'].includes(key) ? [] : placeholdersOf(key)
      return key + placeholders.map((name) => `{${name}}`).join('')
    })
    expect(listed.sort()).toEqual(known.sort())
  })

  test('gives the limits that hold', () => {
    const limits = Object.fromEntries(
      tableRows('Most').map(([name = '', most = '']) => [name, Number(most.replace(',', ''))]),
    )
    expect(limits).toEqual({
      Questions: LIMITS.questions,
      'Choices of a question': LIMITS.choices,
      'Choices and rows that are shuffled': LIMITS.shuffledLines,
      Rules: LIMITS.rules,
      'Actions of a rule': LIMITS.actionsPerRule,
      'Comparisons of a condition': LIMITS.conditionLeaves,
      'Levels of a condition': LIMITS.conditionDepth,
      Endings: LIMITS.endings,
      Quotas: LIMITS.quotas,
      'Custom fields': LIMITS.customFields,
      Variables: LIMITS.variables,
      Languages: LIMITS.languages,
      'Comparisons in all conditions': LIMITS.comparisons,
      'Comparisons by `contains` with texts, in all conditions': LIMITS.textSearches,
      'Characters of a text, with the values that fill its placeholders': LIMITS.textLength,
      'Placeholders of a text': LIMITS.placeholders,
      'Characters of a value that fills a placeholder': LIMITS.pipedLength,
      'Characters that values add to all texts of one page or message': LIMITS.pipedInAll,
      'Characters of a message': LIMITS.messageLength,
    })
  })
})

/** The cells of the table whose second column has this heading. */
function tableRows(heading: string): string[][] {
  const lines = DOCUMENT.split('\n')
  const at = lines.findIndex((line) => line.startsWith('|') && line.endsWith(`| ${heading} |`))
  const rows = lines.slice(at + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}
