import type { ServiceContext } from '../../domain/context.ts'
import { startMetrics } from '../../processes/metrics/startMetrics.ts'
import { freePorts } from './freePorts.ts'

/** The metrics of a context, on a free port of this machine. */
export async function startTestMetrics(context: ServiceContext) {
  const [port = 0] = await freePorts(1)
  const metrics = await startMetrics(context, { METRICS_HOST: '127.0.0.1', METRICS_PORT: port })
  if (!metrics) throw new Error('no metrics')
  return metrics
}
