import { prove } from './proof-of-work.ts'

// Runs as a worker, so that the page never waits.
addEventListener('message', ({ data: [startToken, bits] }: MessageEvent<[string, number]>) =>
  postMessage(prove(startToken, bits)),
)
