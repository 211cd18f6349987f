import { expect, test } from 'vitest'
import { WorkFailedError } from '../../../platform/loop/work-thread.ts'
import { sampleVariables, type EmailVariables } from './email-variables.ts'
import { createLetterQueue } from './letter-queue.ts'
import type { TemplateTask } from './template-worker.ts'

const SOURCE = { subject: 'x', html: 'x' }
const sample = sampleVariables({
  baseUrl: 'https://a.test',
  workspace: { name: 'A', logo_url: null, color: null },
  language: 'en',
})
const person = (name: string): EmailVariables => ({ ...sample, name })

/** A thread that writes the names, at most `most` of them; `deadly` ends it. */
function startThread(most = 16) {
  const batches: string[][] = []
  const run = async (task: TemplateTask) => {
    const people = task.kind === 'render' ? task.people : []
    batches.push(people.map(({ name }) => name))
    await Promise.resolve()
    if (people.some(({ name }) => name === 'deadly')) throw new WorkFailedError('died')
    return {
      letters: people
        .slice(0, most)
        .map(({ name }) => ({ subject: name, html: '', text: '', language: 'en', links: [] })),
    }
  }
  return { batches, run }
}

async function outcomesOf(queue: ReturnType<typeof createLetterQueue>, names: string[]): Promise<string[]> {
  const settled = await Promise.allSettled(names.map((name) => queue.write(person(name))))
  return settled.map((one) => (one.status === 'fulfilled' ? one.value.subject : one.reason.name))
}

test('letters that come while the thread works are handed over together, sixteen at most', async () => {
  const thread = startThread()
  const names = Array.from({ length: 40 }, (_, n) => `p${n}`)
  expect(await outcomesOf(createLetterQueue(thread, 'ours', SOURCE), names)).toEqual(names)
  expect(thread.batches.map(({ length }) => length)).toEqual([1, 16, 16, 7])
})

test('letters that the thread left over are handed over again, in their order', async () => {
  const thread = startThread(2)
  expect(await outcomesOf(createLetterQueue(thread, 'ours', SOURCE), ['a', 'b', 'c', 'd', 'e'])).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
  ])
  expect(thread.batches).toEqual([['a'], ['b', 'c', 'd', 'e'], ['d', 'e']])
})

test('a person with whose data the thread ends takes no letter of others along', async () => {
  const queue = createLetterQueue(startThread(), 'ours', SOURCE)
  expect(await outcomesOf(queue, ['a', 'b', 'deadly', 'c'])).toEqual(['a', 'b', 'TemplateFailedError', 'c'])
})

test('a template that ended the thread three times in a row is not handed over again', async () => {
  const thread = startThread()
  const queue = createLetterQueue(thread, 'ours', SOURCE)
  for (let n = 0; n < 3; n++) await outcomesOf(queue, ['deadly'])
  expect(await outcomesOf(queue, ['a'])).toEqual(['TemplateFailedError'])
  expect(thread.batches).toHaveLength(3)
})

test('past a hundred letters of one template that wait, more are refused until later', async () => {
  const queue = createLetterQueue(startThread(), 'ours', SOURCE)
  const outcomes = await outcomesOf(
    queue,
    Array.from({ length: 103 }, (_, n) => `p${n}`),
  )
  expect(outcomes.filter((one) => one === 'Problem')).toHaveLength(2)
})
