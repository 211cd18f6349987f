import { answerOf, api } from '../session/api.ts'

/** How a batch ended, row by row. */
export interface Outcome {
  id: string
  total: number
  changed: number
  unchanged: number
  failed: number
}

const LOOK_MS = 500

/** Follows a batch that goes on in the background. @param onProgress gets the rows that are done */
export async function followBatch(
  answer: Partial<Outcome> & { id?: string | undefined; total: number },
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const { id = '' } = answer
  if (answer.changed !== undefined) return { changed: 0, unchanged: 0, failed: 0, ...answer, id }
  for (;;) {
    const batch = await answerOf(api.GET('/v1/batches/{id}', { params: { path: { id } } }))
    onProgress(batch.changed + batch.unchanged + batch.failed)
    if (batch.status !== 'running' && batch.status !== 'undoing') return batch
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
