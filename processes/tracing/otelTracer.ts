import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { OpenSpan, SpanStart, Tracer } from '../../domain/observation/tracing.ts'
import type { Logger } from '../logger.ts'
import { createSampling, type SamplerVariables } from './createSampling.ts'

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** The active context of a trace that is not kept. */
const NOT_KEPT = ROOT_CONTEXT.setValue(Symbol('not kept'), true)

/**
 * Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT` by OTLP over HTTP. No global of OpenTelemetry is set, so that
 * libraries which would trace themselves add nothing.
 */
export function createOtelTracer(
  serviceName: string,
  variables: SamplerVariables,
  logger: Logger,
): { tracer: Tracer; stop(): Promise<void> } {
  reportProblems(logger)
  const { rootShare, sampler } = createSampling(variables)
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName }))
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
      .merge(detectResources({ detectors: [envDetector] })),
    sampler,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const spans = provider.getTracer('causeway')
  const active = new AsyncLocalStorage<Context>()
  const propagator = new W3CTraceContextPropagator()
  /** Null for what is no `traceparent`. */
  const contextUnder = (parent: string) => {
    const given = propagator.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter)
    return trace.getSpanContext(given) ? given : null
  }

  /** A trace that began here and is not kept: one for all, without anything of the SDK. */
  const notKept: OpenSpan = {
    enter: (work) => active.run(NOT_KEPT, work),
    set() {},
    end() {},
  }

  function open({ parent, ...start }: SpanStart): OpenSpan {
    const above = (parent ? contextUnder(parent) : null) ?? active.getStore()
    if (above === NOT_KEPT) return notKept
    if (!above && Math.random() >= rootShare) return notKept
    return openUnder(above ?? ROOT_CONTEXT, start)
  }

  function openUnder(above: Context, { name, kind, attributes = {} }: SpanStart): OpenSpan {
    const span = spans.startSpan(name, { kind: KINDS[kind], attributes }, above)
    const context = trace.setSpan(above, span)
    return {
      enter: (work) => active.run(context, work),
      set: (more) => void span.setAttributes(more),
      end: (error) => end(span, error),
    }
  }

  return {
    tracer: {
      open,
      isSampled() {
        const context = active.getStore()
        if (context === NOT_KEPT) return false
        const flags = context && trace.getSpanContext(context)?.traceFlags
        return ((flags ?? TraceFlags.NONE) & TraceFlags.SAMPLED) !== 0
      },
      traceParent() {
        // Others must not decide again. The ids lead to nothing, so they are drawn when they are asked for.
        if (active.getStore() === NOT_KEPT) return `00-${drawId(16)}-${drawId(8)}-00`
        const carrier: { traceparent?: string } = {}
        propagator.inject(active.getStore() ?? ROOT_CONTEXT, carrier, defaultTextMapSetter)
        return carrier.traceparent ?? null
      },
    },
    stop: () => provider.shutdown(),
  }
}

function drawId(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

function end(span: Span, error: string | undefined): void {
  if (error !== undefined) {
    span.setAttribute('error.type', error)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

/** A collector that does not answer is reported, and nothing waits for it. */
function reportProblems(logger: Logger): void {
  const warn = (message: string) => logger.warn({ cause: message }, 'traces are not sent')
  const nothing = () => {}
  diag.setLogger({ error: warn, warn, info: nothing, debug: nothing, verbose: nothing })
}
