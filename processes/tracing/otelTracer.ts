import { AsyncLocalStorage } from 'node:async_hooks'
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
import { createSampler, type SamplerVariables } from './createSampler.ts'

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

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
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName }))
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(variables),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const spans = provider.getTracer('causeway')
  const active = new AsyncLocalStorage<Context>()
  const propagator = new W3CTraceContextPropagator()
  const contextUnder = (parent: string) =>
    propagator.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter)

  function open({ name, kind, attributes = {}, parent }: SpanStart): OpenSpan {
    const above = parent ? contextUnder(parent) : (active.getStore() ?? ROOT_CONTEXT)
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
        const flags = context && trace.getSpanContext(context)?.traceFlags
        return ((flags ?? TraceFlags.NONE) & TraceFlags.SAMPLED) !== 0
      },
      traceParent() {
        const carrier: { traceparent?: string } = {}
        propagator.inject(active.getStore() ?? ROOT_CONTEXT, carrier, defaultTextMapSetter)
        return carrier.traceparent ?? null
      },
    },
    stop: () => provider.shutdown(),
  }
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
