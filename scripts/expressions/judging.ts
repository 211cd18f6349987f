import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Expression } from './expressions.ts'

type Source = NonNullable<Expression['source']>

/** The problem of each expression, or null, from as many threads as there are processors. */
export async function judge(sources: Source[]): Promise<Array<string | null>> {
  const problems: Array<string | null> = []
  const waiting = [...sources.entries()]
  const work = async () => {
    // The library's own program for another platform is an optional package; its JavaScript is always there.
    const thread = new Worker(new URL('judge.ts', import.meta.url), {
      env: { ...process.env, RECHECK_BACKEND: 'pure' },
    })
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [index, source] = next
      thread.postMessage(source)
      problems[index] = ((await once(thread, 'message')) as [string | null])[0]
    }
    await thread.terminate()
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), sources.length) }, work))
  return problems
}
