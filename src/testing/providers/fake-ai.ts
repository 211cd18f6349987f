import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeAi {
  baseUrl: string
  /** The bodies of the requests. */
  asked: Array<{ authorization: string | undefined; body: string }>
  /** How the next requests are answered. */
  reply: (response: ServerResponse) => void
  close(): Promise<void>
}

/** A server that speaks OpenAI's chat completions with streaming. */
export async function startFakeAi(): Promise<FakeAi> {
  const asked: FakeAi['asked'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      asked.push({ authorization: request.headers.authorization, body })
      fake.reply(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fake: FakeAi = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    reply: streamed('{}'),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return fake
}

/** Streams a text in small pieces. @param end false: the connection closes before the end. */
export function streamed(text: string, { end = true } = {}): FakeAi['reply'] {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of text.match(/[\s\S]{1,7}/g) ?? [])
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: piece }, finish_reason: null }] })}\n\n`)
    response.end(end ? 'data: [DONE]\n\n' : undefined)
  }
}
