import { createHash, randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { Id } from '../../platform/ids.ts'

/** The ids of a span that the next one takes. */
interface Chosen {
  traceId?: string
  spanId: string
}

/** Makes ids of traces and spans. A trace id is a UUIDv7, so that it can be the id of an event. */
export function createIds() {
  let chosen: Chosen | null = null
  return {
    generateTraceId: () => chosen?.traceId ?? uuidv7().replaceAll('-', ''),
    generateSpanId: () => chosen?.spanId ?? randomBytes(8).toString('hex'),
    /** Starts a span with ids that are known before. */
    choosing<T>(ids: Chosen, start: () => T): T {
      chosen = ids
      try {
        return start()
      } finally {
        chosen = null
      }
    },
  }
}

/** The trace of an event, and the span under which its deliveries stand. Every process computes the same. */
export function idsOf(event: Id<'event'>): { traceId: string; spanId: string } {
  return {
    traceId: event.replaceAll('-', ''),
    spanId: createHash('sha256').update(`earshot event ${event}`).digest('hex').slice(0, 16),
  }
}

export function asEventId(traceId: string): Id<'event'> {
  return traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Id<'event'>
}
