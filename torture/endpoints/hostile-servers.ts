import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { BEHAVIOURS } from './hostile-behaviours.ts'

// Every address of 127.0.0.0/8 is this host on Linux: one is where hostile endpoints may be reached, the other is
// private.
export const REACHABLE = '127.0.0.2'
const PRIVATE = '127.0.0.1'
const BLOCKED = /^the address is not allowed$/

export interface HostileEndpoint {
  name: string
  url: string
  /** The end of its deliveries: delivered, or dead-lettered with this error at each attempt. */
  ends: 'delivered' | RegExp
  /** An attempt lasts many seconds. */
  holds: boolean
}

export interface HostileServers {
  endpoints: HostileEndpoint[]
  /** The host's answers for names: one list of addresses for each look-up. */
  names: Record<string, string[][]>
  /** Connections to private addresses, on the ports of the hostile servers. */
  dialled(): number
  /** Dials a private address once, to show that it would be noticed. */
  provesItself(): Promise<boolean>
  close(): Promise<void>
}

export async function startHostileServers(): Promise<HostileServers> {
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  let dialled = 0
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const listen = async (server: Server, host: string, port = 0): Promise<number> => {
    server.listen(port, host)
    await once(server, 'listening')
    servers.push(server)
    return (server.address() as AddressInfo).port
  }

  const plain = createServer((socket) => {
    keep(socket)
    socket.on('data', (chunk: Buffer) => {
      const name = decodeURIComponent(/^POST \/(\S*)/.exec(chunk.toString('latin1'))?.[1] ?? '')
      BEHAVIOURS[name]?.act(socket, `http://${PRIVATE}:${port}/`)
    })
  })
  const port = await listen(plain, REACHABLE)
  for (const host of [PRIVATE, '::1']) {
    const counter = createServer((socket) => {
      keep(socket)
      dialled += 1
      socket.destroy()
    })
    // A host without IPv6 has no such address to dial.
    await listen(counter, host, port).catch(() => {})
  }
  const badTls = await listen(createTlsServer({ key: KEY, cert: CERTIFICATE }, keep), REACHABLE)
  const muteTls = await listen(createServer(keep), REACHABLE)

  const kinds = Object.entries(BEHAVIOURS).map(([name, { ends, holds = false }]) => ({
    name,
    url: `http://${REACHABLE}:${port}/${encodeURIComponent(name)}`,
    ends,
    holds,
  }))
  const changing = ['changes.example', 'changes-back.example'].map((host) => ({
    name: `${host} changes its address`,
    url: `http://${host}:${port}/${encodeURIComponent('answers 500 and closes')}`,
    ends: /HTTP 500|not allowed/,
    holds: false,
  }))
  const literals = [
    PRIVATE,
    '2130706433',
    '0x7f.1',
    '017700000001',
    '0.0.0.0',
    '[::1]',
    `[::ffff:${PRIVATE}]`,
    '[::ffff:7f00:1]',
    'localhost',
    'localhost.',
  ]
  const blocked = [...Object.keys(BLOCKED_NAMES), ...literals].map((host) => ({
    name: `${host} is private`,
    url: `http://${host}:${port}/`,
    ends: BLOCKED,
    holds: false,
  }))
  return {
    endpoints: [
      ...kinds,
      {
        name: 'has a bad certificate',
        url: `https://${REACHABLE}:${badTls}/`,
        ends: /certificate was not accepted/,
        holds: false,
      },
      {
        name: 'never shakes hands',
        url: `https://${REACHABLE}:${muteTls}/`,
        ends: /took too long|no complete answer/,
        holds: true,
      },
      { name: 'is not there', url: `http://${REACHABLE}:1/`, ends: /refused/, holds: false },
      { name: 'has no address', url: 'http://nowhere.example/', ends: /does not resolve/, holds: false },
      ...changing,
      ...blocked,
    ],
    names: {
      'changes.example': [[REACHABLE], [PRIVATE]],
      'changes-back.example': [[PRIVATE], [REACHABLE]],
      ...BLOCKED_NAMES,
    },
    dialled: () => dialled,
    async provesItself() {
      const before = dialled
      await fetch(`http://${PRIVATE}:${port}/`).catch(() => {})
      return dialled === before + 1
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

const BLOCKED_NAMES: Record<string, string[][]> = {
  'mixed.example': [[REACHABLE, PRIVATE]],
  'mixed-public.example': [['8.8.8.8', PRIVATE]],
  'private.example': [[PRIVATE]],
  'mapped.example': [[`::ffff:${PRIVATE}`]],
  'metadata.example': [['169.254.169.254']],
}

// Made for this file, and of no real server: signed by itself, for another name.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgeRWk40sKWW7V45ZT
ugQth7bcQ9H6QLvgoY9UsQqpRI+hRANCAAQwl+DVxP31Hhcf5JxlC8d8IF7rwfp6
WW//IRaUawsNW7zhvpmS4qbSuhmtenfoas3bJsalcvxE2a0AeuA0GX5r
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBhzCCAS2gAwIBAgIUUp3jAhkoXCyx8rjAt25nwaPRcAIwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOZmF1bHRzLmludmFsaWQwHhcNMjYxMTIxMDUyMzEzWhcNMjYx
MTIyMDUyMzEzWjAZMRcwFQYDVQQDDA5mYXVsdHMuaW52YWxpZDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABDCX4NXE/fUeFx/knGULx3wgXuvB+npZb/8hFpRrCw1b
vOG+mZLiptK6Ga16d+hqzdsmxqVy/ETZrQB64DQZfmujUzBRMB0GA1UdDgQWBBQL
GAmSiG1GEHVtL9dSVRqDb1uRTjAfBgNVHSMEGDAWgBQLGAmSiG1GEHVtL9dSVRqD
b1uRTjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCID4zucfDGBfq
RaP0VMKt1gTMug66ENpk2yQjCgkgD1qzAiEAznTTeySje9Nn9/XdsoZN7YA0PLHd
5KNkjLHSEv5kLSc=
-----END CERTIFICATE-----`
