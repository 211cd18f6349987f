import { Problem } from '../../../http/problems/problem.ts'
import { createWorkThread, WorkFailedError } from '../../../platform/loop/work-thread.ts'
import { refusal } from './picture.ts'
import type { PictureResult, PictureTask } from './picture-worker.ts'

// The slowest picture that is allowed, a WebP without loss of 12 megapixels, takes 4 s on an idle machine.
const MOST_MS = 20_000

const thread = createWorkThread<PictureTask, PictureResult>(new URL('./picture-worker.ts', import.meta.url), {
  name: 'pictures',
  mostMs: MOST_MS,
  memoryMb: 128,
})

/** Draws an uploaded picture of a workspace anew, on another thread. @throws Problem 503 if too many pictures wait. */
export async function redraw(of: string, task: PictureTask): Promise<PictureResult> {
  try {
    return await thread.run(task, of)
  } catch (error) {
    if (!(error instanceof WorkFailedError)) throw error
    if (error.reason === 'busy')
      throw new Problem(503, 'busy', {
        detail: 'This server is working on other pictures. Nothing was stored. Send it again in a moment.',
        retryAfter: 5,
      })
    return refusal('invalid_picture', 'This picture takes too long to read. Make it simpler or smaller.')
  }
}
