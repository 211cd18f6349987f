import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBodyBudget } from './body-budget.ts'
import { endUnread } from './unread-answers.ts'

const MIB = 1024 * 1024
const SIZE = 8 * MIB
let server: Server
let port: number
let now = 0
beforeEach(async () => {
  now = 1_000_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  server = createServer(
    endUnread((request, response) => response.end(request.url === '/large' ? Buffer.alloc(SIZE) : 'small')),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
})
afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  server.close()
})

/** Asks for the large answer, and reads nothing of it. */
async function askAndLeave(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.pause()
  socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  return socket
}

const small = async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/small`, { headers: { connection: 'close' } })
  return { status: answer.status, text: await answer.text() }
}
const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))

test('a network that leaves too much unread gets no more until its connections have ended', async () => {
  const sockets = await Promise.all(Array.from({ length: 10 }, askAndLeave))
  await expect.poll(async () => ((now += 100), (await small()).status)).toBe(503)
  expect((await small()).text).toContain('many answers')
  now += 2_500
  // Enough of the oldest end at the next look.
  await expect.poll(async () => ((now += 200), (await small()).status)).toBe(200)
  expect(await connections()).toBeLessThan(10)
  for (const socket of sockets) socket.destroy()
})

test('an answer of which nothing is taken for 30 seconds ends, and a slow reader gets the whole', async () => {
  const [left, slow] = [await askAndLeave(), await askAndLeave()]
  await expect.poll(connections).toBe(2)
  for (let seconds = 0; seconds < 40; seconds += 5) {
    now += 5_000
    let taken = 0
    slow.resume()
    while (taken < MIB / 2) taken += ((await once(slow, 'data')) as [Buffer])[0].length
    slow.pause()
    await small()
  }
  await expect.poll(connections).toBe(1)
  left.destroy()
  slow.destroy()
})

test('past the bound, the oldest body of the caller who holds most gives way', () => {
  const ended: string[] = []
  const held = createBodyBudget(100)
  const begin = (of: string, name: string) => held.begin(of, () => ended.push(name))
  const [first, second, other] = [begin('a', 'first'), begin('a', 'second'), begin('b', 'other')]
  first.add(40)
  second.add(40)
  other.add(20)
  expect(ended).toEqual([])
  other.add(10)
  expect(ended).toEqual(['first'])
  expect(held.total()).toBe(70)
  second.release()
  other.release()
  first.add(500)
  expect(held.total()).toBe(0)
})
