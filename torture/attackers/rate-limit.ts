import { setTimeout as pause } from 'node:timers/promises'
import { createClient, isAnswer } from '../load.ts'
import { createRig, createWorkspace } from '../rig.ts'
import { createJudge, type Given, type Verdict } from '../verdict.ts'

export interface RateLimitSize {
  callers: number
  /** How often the window begins anew before the run ends. */
  windows: number
}

const LIMIT = 600
// A caller that was refused waits this long, as even a rude one would.
const REFUSED_MS = 100
// A window ends when a call is let through again so long after the one before.
const GAP_MS = 5_000

/** One API key, many callers, two processes: together they let no more than the limit through in a window. */
export async function runRateLimit({ databaseUrl, say }: Given, size: RateLimitSize): Promise<Verdict> {
  const rig = await createRig(databaseUrl)
  try {
    const judge = createJudge()
    const first = await rig.serve({ ROLE: 'api' })
    const second = await rig.serve({ ROLE: 'api' })
    const { token } = await createWorkspace(first.url, [])
    const client = createClient({ connections: size.callers })
    const made = await client.call('POST', `${first.url}/v1/api-keys`, {
      body: { name: 'Faults', permissions: [] },
      token,
    })
    if (!isAnswer(made) || made.status !== 201) throw new Error(`no key: ${JSON.stringify(made)}`)
    const { key } = made.body as { key: string }

    const allowed: Array<{ at: number; n: number }> = []
    const refusals: number[] = []
    const others: unknown[] = []
    let done = false
    const call = async (n: number, i: number) => {
      const { url } = (n + i) % 2 === 0 ? first : second
      const answer = await client.call('GET', `${url}/v1/me`, { token: key })
      if (isAnswer(answer) && answer.status === 200) return void allowed.push({ at: Date.now(), n: (n + i) % 2 })
      if (!isAnswer(answer) || answer.status !== 429 || !/^\d+$/.test(String(answer.headers['retry-after'])))
        return void others.push(answer)
      refusals.push(Date.now())
      await pause(REFUSED_MS)
    }
    const callers = Array.from({ length: size.callers }, async (_, n) => {
      for (let i = 0; !done; i++) await call(n, i)
    })
    const enough = () => {
      const last = windowsOf(allowed.map(({ at }) => at))
      return (
        last.length >= size.windows &&
        (last.at(-1)?.length ?? 0) >= LIMIT &&
        (refusals.at(-1) ?? 0) > (last.at(-1)?.at(-1) ?? 0) + 1_000
      )
    }
    for (const deadline = Date.now() + size.windows * 70_000; Date.now() < deadline && !enough();) {
      say(`${allowed.length} let through, ${refusals.length} refused`)
      await pause(250)
    }
    done = true
    await Promise.all(callers)
    await client.close()

    const windows = windowsOf(allowed.map(({ at }) => at))
    judge.must('the windows were seen', windows.length === size.windows, windows.length)
    judge.must(
      `at most ${LIMIT} in a window`,
      windows.every((window) => window.length <= LIMIT),
      windows.map((window) => window.length).join(', '),
    )
    judge.must(
      'a window lets the whole limit through',
      windows.every((window) => window.length >= LIMIT),
      windows.map((window) => window.length).join(', '),
    )
    judge.must('every other answer is 429 with Retry-After', others.length === 0, JSON.stringify(others[0]))
    judge.fact('let through', windows.map((window) => window.length).join(', '))
    judge.fact('by the first process', allowed.filter(({ n }) => n === 0).length)
    judge.fact('refused', refusals.length)
    return judge.verdict()
  } finally {
    await rig.stop()
  }
}

function windowsOf(times: number[]): number[][] {
  const windows: number[][] = []
  for (const at of times.toSorted((left, right) => left - right)) {
    const last = windows.at(-1)
    if (last && at - (last.at(-1) ?? 0) < GAP_MS) last.push(at)
    else windows.push([at])
  }
  return windows
}
