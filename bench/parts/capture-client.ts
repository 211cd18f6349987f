import { Pool } from 'undici'

// Clients in a process of their own: each posts, waits for the answer, and posts again.
interface Order {
  url: string
  path: string
  clients: number
  seconds: number
}

const bodies = Array.from({ length: 64 }, (_, n) =>
  JSON.stringify({
    answers: {
      q1: n % 11,
      q2: n % 11 > 6 ? 'speed' : 'price',
      q3: ['app', 'shop'],
      q4: (n % 5) + 1,
      q5: { speed: 'good', care: 'bad' },
      q6: 'Quick and friendly, though the parcel came a day late.',
    },
    custom_data: { plan: n % 2 ? 'pro' : 'free', seats: n },
  }),
)

process.on('message', (order: Order) => void run(order).then((done) => process.send?.(done)))
process.on('disconnect', () => process.exit())

async function run({ url, path, clients, seconds }: Order): Promise<{ rate: number; refused: number; p99Ms: number }> {
  const pool = new Pool(url, { connections: clients, pipelining: 1 })
  const end = performance.now() + seconds * 1000
  const tookMs: number[] = []
  let refused = 0
  const started = performance.now()
  const client = async (first: number) => {
    for (let n = first; performance.now() < end; n++) {
      const began = performance.now()
      const status = await post(pool, path, bodies[n % bodies.length] ?? '')
      tookMs.push(performance.now() - began)
      if (status !== 201) refused += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)))
  const rate = tookMs.length / ((performance.now() - started) / 1000)
  await pool.close()
  return { rate, refused, p99Ms: tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? NaN }
}

function post(pool: Pool, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0
    pool.dispatch(
      { path, method: 'POST', headers: { 'content-type': 'application/json' }, body },
      {
        onRequestStart() {},
        onResponseStart: (_controller, statusCode) => void (status = statusCode),
        onResponseData() {},
        onResponseEnd: () => resolve(status),
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}
