import { hiddenValue, setHidden, type PageData } from './page.ts'

/** An old phone rarely needs longer. The answers matter more than the proof. */
const LIMIT_MS = 20_000

/**
 * Finds the proof of work for the start token of the form, for a new response. It stands in the form too. Undefined if
 * the survey asks for none, if the browser runs no worker, or if the worker
 * takes too long.
 */
export type Prove = () => Promise<string | undefined>

export function createProver({ proof }: PageData, form: HTMLFormElement): Prove {
  let latest: { begun: string; found: Promise<string | undefined> } | null = null
  return async () => {
    const begun = hiddenValue(form, '_begun')
    if (!proof || begun === undefined) return undefined
    if (latest?.begun !== begun) latest = { begun, found: askWorker(proof, begun) }
    const number = await latest.found
    if (number !== undefined) setHidden(form, '_proof', number)
    // Without a connection the worker cannot be loaded. The next save tries it again.
    else latest = null
    return number
  }
}

function askWorker({ src, bits }: { src: string; bits: number }, begun: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const worker = startWorker(src)
    if (!worker) return resolve(undefined)
    const end = (number?: string) => {
      clearTimeout(timer)
      worker.terminate()
      resolve(number)
    }
    const timer = setTimeout(end, LIMIT_MS)
    worker.addEventListener('message', ({ data }: MessageEvent<string>) => end(data))
    worker.addEventListener('error', () => end())
    worker.postMessage([begun, bits])
  })
}

/**
 * Null where the browser has no workers or refuses them at once, as it does in a frame without an origin of its own.
 */
function startWorker(src: string): Worker | null {
  try {
    return new Worker(src)
  } catch {
    return null
  }
}
