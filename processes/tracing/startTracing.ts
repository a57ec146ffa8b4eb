import { setTracer } from '../../domain/observation/tracing.ts'
import type { Logger } from '../logger.ts'
import type { SamplerVariables } from './createSampling.ts'

export type TracingVariables = SamplerVariables & {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
}

/**
 * Traces this process. Null, with nothing of OpenTelemetry loaded, if no collector is named. `stop` sends what is
 * left.
 */
export async function startTracing(
  serviceName: string,
  variables: TracingVariables,
  logger: Logger,
): Promise<{ stop(): Promise<void> } | null> {
  if (!variables.OTEL_EXPORTER_OTLP_ENDPOINT) return null
  const { createOtelTracer } = await import('./otelTracer.ts')
  const { tracer, stop } = createOtelTracer(serviceName, variables, logger)
  setTracer(tracer)
  return {
    async stop() {
      setTracer(null)
      // A collector that is gone must not hold up the end of the process.
      await stop().catch((error) => logger.warn({ err: error }, 'traces are not sent'))
    },
  }
}
