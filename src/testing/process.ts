import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
// The command of `npm start`.
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string }
}
const START = scripts.start.replace(/^exec node /, '').split(' ')

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface TestProcess {
  pid: number
  /** Resolves to its address. Rejects with its output if it ends first. */
  url: Promise<string>
  exit: Promise<Exit>
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): Promise<Exit>
}

/** Runs `npm start` on a free port of 127.0.0.1, with these settings and an otherwise empty environment. */
export function startProcess(settings: Record<string, string>, cwd = ROOT): TestProcess {
  ensureBuilt()
  const child = spawn(process.execPath, START, {
    cwd,
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()))
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Exit)
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString()
      const port = /listening at http:\/\/localhost:(\d+)/.exec(said.stdout)?.[1]
      if (port) resolve(`http://127.0.0.1:${port}`)
      else if (said.stdout.includes('worker is running')) resolve('')
    })
    void exit.then(({ code }) => reject(new Error(`it ended with ${code}: ${said.stdout}${said.stderr}`)))
  })
  url.catch(() => {})
  return {
    pid: child.pid ?? 0,
    url,
    exit,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    kill(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return exit
    },
  }
}

export interface Gate {
  port: number
  /** Lets connections through. */
  open(): Promise<void>
  /** Refuses new connections and cuts open ones. */
  close(): Promise<void>
}

/** A TCP port of 127.0.0.1 in front of a server. It begins closed, so that the server seems unreachable. */
export async function createGate(target: { path: string } | { host: string; port: number }): Promise<Gate> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const close = async () => {
    if (!server.listening) return
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  const port = await listen(0)
  await close()
  return { port, open: async () => void (await listen(port)), close }
}

/** The URL of a database behind a gate, which speaks TCP even if the server uses a Unix socket. */
export async function gateTo(databaseUrl: string): Promise<{ gate: Gate; url: string }> {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  const gate = await createGate(folder ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port })
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${gate.port}`
  return { gate, url: url.toString() }
}

let isChecked = false

/** Builds `dist` if a source is newer, so that processes run the code as it is now. */
export function ensureBuilt(): void {
  if (isChecked) return
  isChecked = true
  const built = statSync(join(ROOT, 'dist/server/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (newest('src', 'scripts', 'web', 'package-lock.json') < built) return
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.ts'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the server cannot be built: ${stderr}`)
}

function newest(...paths: string[]): number {
  const files = paths.flatMap((path) => {
    if (!statSync(join(ROOT, path)).isDirectory()) return [path]
    return readdirSync(join(ROOT, path), { recursive: true }).map((name) => join(path, String(name)))
  })
  return Math.max(...files.map((file) => statSync(join(ROOT, file)).mtimeMs))
}
