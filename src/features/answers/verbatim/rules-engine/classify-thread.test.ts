import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { WorkFailedError, type WorkThread } from '../../../../platform/loop/work-thread.ts'
import { classifyTexts, MOST_TOGETHER } from './classify-thread.ts'
import type { Classified, GivenText } from './classifier.ts'
import type { ClassifyTask } from './classify-worker.ts'
import { kindOf } from '../../../../testing/code/boundaries.ts'
import { readSources } from '../../../../testing/code/imports.ts'

const given = (text: string, rest: Partial<GivenText> = {}): GivenText => ({
  text,
  surveyId: '',
  expected: 'de-AT',
  languages: [],
  language: null,
  ...rest,
})

/** A thread that fails at each task that holds a text of poison. */
function threadThat(fails: WorkFailedError['reason']): WorkThread<ClassifyTask, Classified[]> & { ran: string[][] } {
  const ran: string[][] = []
  return {
    ran,
    async run({ texts }) {
      ran.push(texts.map(({ text }) => text))
      if (texts.some(({ text }) => text.startsWith('poison'))) throw new WorkFailedError(fails)
      return texts.map(({ text }) => ({
        language: 'en',
        sentiment: { label: 'positive', score: 1 },
        topics: [],
        words: [text],
      }))
    },
  }
}

test.each(['too slow', 'died'] as const)(
  'a text that fails (%s) is set aside, and the others go on',
  async (reason) => {
    const thread = threadThat(reason)
    const texts = [given('a'), given('poison'), given('b'), given('poison too', { language: 'fr' }), given('c')]
    const found = await classifyTexts('ours', [], texts, thread)
    const plain = { sentiment: { label: 'neutral', score: 0 }, topics: [], words: [] }
    expect(found.map(({ words }) => words)).toEqual([['a'], [], ['b'], [], ['c']])
    expect(found[1]).toEqual({ ...plain, language: 'de' })
    expect(found[3]).toEqual({ ...plain, language: 'fr' })
  },
)

test('a thread that is busy sets nothing aside', async () => {
  await expect(classifyTexts('ours', [], [given('poison')], threadThat('busy'))).rejects.toThrow('busy')
})

test('one task holds a bounded number of characters, or one text', async () => {
  const thread = threadThat('died')
  const sizes = [150_000, 50_000, 1, 199_999, 1, 500_000, 3, 4]
  const found = await classifyTexts(
    'ours',
    [],
    sizes.map((size) => given('x'.repeat(size))),
    thread,
  )
  expect(found.map(({ words }) => words[0]?.length)).toEqual(sizes)
  expect(thread.ran.map((texts) => texts.map(({ length }) => length))).toEqual([
    [150_000, 50_000],
    [1, 199_999],
    [1],
    [500_000],
    [3, 4],
  ])
  expect(MOST_TOGETHER).toBe(200_000)
})

const product = readSources(fileURLToPath(new URL('../../../../', import.meta.url))).filter(
  ({ path }) => kindOf(path) !== 'test',
)
const FEATURE = 'features/answers/verbatim'

test('texts are classified, and their words found, on the work thread alone', () => {
  const importing = product.filter(({ imports }) =>
    imports.some(({ names }) => names.includes('searchWords') || names.includes('createClassifier')),
  )
  expect(importing.map(({ path }) => path)).toEqual([
    `${FEATURE}/rules-engine/classifier.ts`,
    `${FEATURE}/rules-engine/classify-worker.ts`,
  ])
})

test('no other feature imports this one, so that it can be deleted', () => {
  const importing = product.filter(
    ({ path, imports }) => !path.startsWith(FEATURE) && imports.some(({ to }) => to.startsWith(FEATURE)),
  )
  expect(importing.map(({ path }) => path)).toEqual(['features.ts'])
})
