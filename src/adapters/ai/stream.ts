import { z } from 'zod'
import { AiError } from '../../platform/ports/ai-port.ts'

const Piece = z.object({
  choices: z
    .array(
      z.object({ delta: z.object({ content: z.string().nullish() }).nullish(), finish_reason: z.string().nullish() }),
    )
    .min(1),
})
const Whole = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) })

interface Stream {
  take(text: string): void
  isDone(): boolean
  length(): number
  /** @throws AiError if the answer broke off. */
  end(): string
}

/** Reads server-sent events, or one JSON document from a server that does not stream. */
export function createStream(contentType: string): Stream {
  return contentType.includes('text/event-stream') ? eventStream() : document()
}

function eventStream(): Stream {
  let [rest, answer, done] = ['', '', false]
  return {
    take(text) {
      const lines = (rest + text).split(/\r?\n/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (!line.startsWith('data:')) continue
        const value = line.slice(5).trim()
        if (value === '[DONE]') done = true
        else {
          const [choice] = Piece.safeParse(readJson(value)).data?.choices ?? []
          answer += choice?.delta?.content ?? ''
          if (choice?.finish_reason === 'stop') done = true
        }
      }
    },
    isDone: () => done,
    length: () => answer.length + rest.length,
    end() {
      if (!done) throw new AiError('incomplete')
      return answer
    },
  }
}

function document(): Stream {
  let text = ''
  return {
    take: (more) => void (text += more),
    isDone: () => false,
    length: () => text.length,
    end() {
      const [choice] = Whole.safeParse(readJson(text)).data?.choices ?? []
      if (!choice) throw new AiError('incomplete')
      return choice.message.content
    },
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
