import { AsyncLocalStorage } from 'node:async_hooks'
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import type { Context, Span, SpanContext } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { Config } from '../../platform/config/config.ts'
import type { Log } from '../../platform/config/log.ts'
import type { SpanAttributes, TracedEvent, TraceSpan, Traced, Tracing } from '../../platform/ports/tracing.ts'
import { asEventId, createIds, idsOf } from './ids.ts'

/** The span that is under way. */
interface Here {
  span: Span
  context: Context
  /** The request that began this trace, and whether its id is still free for an event. */
  request: { idIsFree: boolean }
}

const COMPLAIN_MS = 60_000

/** Sends spans to a collector by OTLP over HTTP. */
export function createTracing(
  options: NonNullable<Config['tracing']>,
  { log, version }: { log: Log; version: string },
): Tracing {
  complainTo(log)
  const ids = createIds()
  const sampler = samplerOf(options)
  const exporter = new OTLPTraceExporter({ url: options.url, headers: options.headers?.() ?? {} })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': version,
      ...options.resource,
    }),
    sampler,
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('earshot', version)
  const current = new AsyncLocalStorage<Here>()

  async function run<T>(span: Span, parent: Context, request: Here['request'], work: Traced<T>): Promise<T> {
    const here = { span, context: trace.setSpan(parent, span), request }
    try {
      return await current.run(here, () => work(handleOf(span)))
    } catch (error) {
      handleOf(span).fail(error instanceof Error ? error.name : 'Error')
      throw error
    } finally {
      span.end()
    }
  }

  const start = (name: string, kind: SpanKind, attributes: SpanAttributes, context: Context) =>
    tracer.startSpan(name, { kind, attributes }, context)

  // Where the sampler decides by the trace id, every process decides the same for an event.
  function contextOf(event: TracedEvent): Context {
    const { traceId, spanId } = idsOf(event.id)
    const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, event.type, SpanKind.INTERNAL, {}, [])
    const traceFlags = decision === SamplingDecision.RECORD_AND_SAMPLED ? TraceFlags.SAMPLED : TraceFlags.NONE
    return remote({ traceId, spanId, traceFlags })
  }

  return {
    async request(method, traceparent, work) {
      const caller = traceparent === undefined ? null : parseTraceParent(traceparent)
      const parent = caller ? remote(caller) : ROOT_CONTEXT
      const span = start(method, SpanKind.SERVER, { 'http.request.method': method }, parent)
      return run(span, parent, { idIsFree: caller === null }, work)
    },
    async call(name, attributes, work) {
      const here = current.getStore()
      const parent = here?.context ?? ROOT_CONTEXT
      return run(start(name, SpanKind.CLIENT, attributes, parent), parent, here?.request ?? { idIsFree: false }, work)
    },
    async part(name, attributes, work) {
      const here = current.getStore()
      if (!here) return work(NO_SPAN)
      return run(start(name, SpanKind.INTERNAL, attributes, here.context), here.context, here.request, work)
    },
    eventId() {
      const here = current.getStore()
      if (!here?.request.idIsFree) return null
      here.request.idIsFree = false
      return asEventId(here.span.spanContext().traceId)
    },
    staged(event) {
      const here = current.getStore()
      const chosen = idsOf(event.id)
      const isOfTrace = here?.span.spanContext().traceId === chosen.traceId
      const links = here && !isOfTrace ? [{ context: here.span.spanContext() }] : []
      const span = ids.choosing(chosen, () =>
        tracer.startSpan(`event ${event.type}`, { links }, isOfTrace && here ? here.context : ROOT_CONTEXT),
      )
      if (links.length > 0) here?.span.addLink({ context: span.spanContext() })
      span.end()
    },
    async delivery(event, attributes, work) {
      const parent = contextOf(event)
      const span = start(`deliver ${event.type}`, SpanKind.CLIENT, attributes, parent)
      return run(span, parent, { idIsFree: false }, work)
    },
    close: () => provider.shutdown().catch(() => {}),
  }
}

function remote(context: SpanContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { ...context, isRemote: true })
}

const NO_SPAN: TraceSpan = { rename() {}, set() {}, fail() {} }

function handleOf(span: Span): TraceSpan {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (code) => void span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', code),
  }
}

/** The samplers of OTEL_TRACES_SAMPLER. */
function samplerOf({ sampler, ratio }: NonNullable<Config['tracing']>): Sampler {
  const [, isParentBased, name] = /^(parentbased_)?(.*)$/.exec(sampler) ?? []
  const root =
    name === 'always_off'
      ? new AlwaysOffSampler()
      : name === 'traceidratio'
        ? new TraceIdRatioBasedSampler(ratio)
        : new AlwaysOnSampler()
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

// The library's own words may quote the collector's answer.
function complainTo(log: Log): void {
  let silentUntil = 0
  const complain = () => {
    if (performance.now() < silentUntil) return
    silentUntil = performance.now() + COMPLAIN_MS
    log.warn('spans do not reach the collector: check OTEL_EXPORTER_OTLP_ENDPOINT')
  }
  const silent = () => {}
  diag.setLogger(
    { error: complain, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
}
