import type { Id } from '../ids.ts'

export type SpanAttributes = Record<string, string | number | boolean>

/** A part of a trace that is under way. Names and attributes hold no id of a person, no query and no words. */
export interface TraceSpan {
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** @param code such as an error's name. Never its message. */
  fail(code: string): void
}

export type Traced<T> = (span: TraceSpan) => Promise<T>

/** An event and its deliveries are one trace: its trace id is the event's id, in every process. */
export interface TracedEvent {
  id: Id<'event'>
  type: string
}

/** Spans for an OpenTelemetry collector. A server without one has no tracing, and pays nothing. */
export interface Tracing {
  /** A request. The trace of a W3C `traceparent` goes on. */
  request<T>(method: string, traceparent: string | undefined, work: Traced<T>): Promise<T>
  /** A call to the outside, whether or not a trace is under way. */
  call<T>(name: string, attributes: SpanAttributes, work: Traced<T>): Promise<T>
  /** A part of a trace. Without a trace under way it makes no span. */
  part<T>(name: string, attributes: SpanAttributes, work: Traced<T>): Promise<T>
  /** The present trace's id for its first event. Null for further events, and where the caller began the trace. */
  eventId(): Id<'event'> | null
  /** An event was staged. Where it has a trace of its own, both traces link to each other. */
  staged(event: TracedEvent): void
  /** A delivery of an event, maybe hours later and in another process. */
  delivery<T>(event: TracedEvent, attributes: SpanAttributes, work: Traced<T>): Promise<T>
  /** Sends what waits. */
  close(): Promise<void>
}
