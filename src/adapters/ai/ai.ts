import { Agent } from 'undici'
import { AiError, type AiPort, type AiRequest } from '../../platform/ports/ai-port.ts'
import type { Secret } from '../../platform/config/secrets.ts'
import { createStream } from './stream.ts'

export interface AiSettings {
  baseUrl: string | null
  apiKey: Secret | null
  model: string
}

export interface AiAdapter extends AiPort {
  close(): Promise<void>
}

const LONGEST_BYTES = 512 * 1024
const LONGEST_ANSWER = 32 * 1024

/** Asks any server with OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat/streaming). */
export function createAi({ baseUrl, apiKey, model }: AiSettings): AiAdapter {
  const agent = new Agent({ connections: 8 })
  return {
    isConfigured: baseUrl !== null,
    async complete(request) {
      if (baseUrl === null) throw new AiError('not_configured')
      const timeout = AbortSignal.timeout(request.timeoutMs)
      const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
      try {
        return await ask(agent, { baseUrl, apiKey, model }, request, signal)
      } catch (error) {
        if (error instanceof AiError) throw error
        throw new AiError(timeout.aborted ? 'timeout' : 'network')
      }
    },
    close: () => agent.destroy(),
  }
}

async function ask(
  agent: Agent,
  { baseUrl, apiKey, model }: AiSettings & { baseUrl: string },
  { system, user }: AiRequest,
  signal: AbortSignal,
): Promise<string> {
  const { origin, pathname } = new URL(baseUrl)
  const { statusCode, headers, body } = await agent.request({
    origin,
    path: `${pathname.replace(/\/$/, '')}/chat/completions`,
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(apiKey && { authorization: `Bearer ${apiKey.reveal()}` }),
    },
    body: JSON.stringify({
      model,
      stream: true,
      temperature: 0,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
    }),
  })
  if (statusCode !== 200) {
    // Its error says only that nobody reads on.
    body.on('error', () => {}).destroy()
    throw new AiError('status')
  }
  const stream = createStream(String(headers['content-type'] ?? ''))
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > LONGEST_BYTES || stream.length() > LONGEST_ANSWER) throw new AiError('too_long')
    stream.take(decoder.decode(chunk, { stream: true }))
    if (stream.isDone()) break
  }
  return stream.end()
}
