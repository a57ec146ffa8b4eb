import type { AppServices } from '../../domain/appContext.ts'
import { createLogger } from '../../processes/logger.ts'
import { startMetrics } from '../../processes/metrics/startMetrics.ts'
import { freePorts } from './freePorts.ts'

/** The metrics of a context, on a free port of this machine. */
export async function startTestMetrics(
  context: AppServices,
  logger = createLogger('test', 'silent'),
) {
  const [port = 0] = await freePorts(1)
  const place = { METRICS_HOST: '127.0.0.1', METRICS_PORT: port }
  const metrics = await startMetrics(context, place, logger)
  if (!metrics) throw new Error('no metrics')
  return metrics
}
