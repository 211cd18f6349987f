import { createWorkThread } from '../../../platform/loop/work-thread.ts'
import type { Letter } from './letter.ts'

const thread = createWorkThread<Letter, string>(new URL('./pdf-worker.ts', import.meta.url), {
  name: 'pdf',
  mostMs: 60_000,
  memoryMb: 256,
})

/** The PDF of a report in base64, made on another thread. @throws WorkFailedError */
export function makePdf(letter: Letter): Promise<string> {
  return thread.run(letter)
}
