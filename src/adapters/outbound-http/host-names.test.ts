import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createNames } from './host-names.ts'

const A = 1
const NO_SUCH_NAME = 3

/** A name server that knows `known.example`, denies others, and is silent about names that begin with `slow`. */
async function startNameServer(): Promise<{ server: string; asked: string[] }> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12)
    const name = query
      .subarray(12, end)
      .toString('latin1')
      .replaceAll(/[^a-z0-9]/g, '.')
      .slice(1)
    asked.push(name)
    if (name.startsWith('slow')) return
    const isKnown = name === 'known.example'
    const isA = query.readUInt16BE(end + 1) === A
    const address = isA ? Buffer.from([203, 0, 113, 9]) : Buffer.from('20010db8000000000000000000000009', 'hex')
    const answer = Buffer.concat([
      Buffer.from([0xc0, 12, 0, isA ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, address.length]),
      address,
    ])
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8180 | (isKnown ? 0 : NO_SUCH_NAME), 2)
    head.writeUInt16BE(isKnown ? 1 : 0, 6)
    head.writeUInt16BE(0, 10)
    socket.send(
      Buffer.concat([head, query.subarray(12, end + 5), ...(isKnown ? [answer] : [])]),
      from.port,
      from.address,
    )
  })
  await once(socket.bind(0, '127.0.0.1'), 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, asked }
}

test('a name has its addresses, IPv4 first, and an unknown name has another error than a silent server', async () => {
  const { server } = await startNameServer()
  const find = createNames({ servers: [server], tryMs: 250 })
  expect(await find('known.example')).toEqual(['203.0.113.9', '2001:db8::9'])
  await expect(find('gone.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(find('slow.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
})

test('a name is found while a server is silent about fifty others', async () => {
  const { server } = await startNameServer()
  const find = createNames({ servers: [server] })
  let ended = 0
  for (let n = 0; n < 50; n += 1) void find(`slow${n}.example`).catch(() => (ended += 1))
  expect(await find('known.example')).toContain('203.0.113.9')
  expect(ended).toBe(0)
})

test('names of this machine are asked of no name server', async () => {
  const { server, asked } = await startNameServer()
  const find = createNames({ servers: [server] })
  const [first = ''] = await find('localhost')
  expect(first).toMatch(/^(127\.|::1$)/)
  expect(asked).toEqual([])
})
