import type { FastifyInstance } from 'fastify'
import type { AppServices } from '../../domain/appContext.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { checkHealth, type Health, type HealthCheck } from '../../domain/health/checkHealth.ts'
import { errorBody } from '../error/envelope.ts'

function withStatus(checks: Record<string, HealthCheck>, status: HealthCheck['status']) {
  return Object.fromEntries(Object.entries(checks).filter(([, check]) => check.status === status))
}

/**
 * `GET /health`: `error` when any check is down (slow is not), and a 503 when the service cannot answer from its
 * index. It asks for no key. Requests at the same time share one check, so that many cannot use up the database.
 */
export function serveHealth(
  app: FastifyInstance,
  service: AppServices,
  { maxLagSeconds }: { maxLagSeconds: number },
): void {
  let running: Promise<Health> | undefined
  const check = () => {
    running ??= checkHealth(service, { maxLagSeconds }).finally(() => {
      running = undefined
    })
    return running
  }
  app.get('/health', async (_, reply) => {
    const { isHealthy, checks } = await check()
    const down = withStatus(checks, 'down')
    const unhealthy = new ServiceError('UNHEALTHY', `Down: ${Object.keys(down).join(', ')}.`)
    reply.header('cache-control', 'no-store')
    if (!isHealthy) reply.code(503).header('retry-after', 1)
    return {
      status: Object.keys(down).length === 0 ? 'ok' : 'error',
      info: { ...withStatus(checks, 'up'), ...withStatus(checks, 'slow') },
      error: isHealthy ? down : { ...down, ...errorBody(unhealthy) },
      details: checks,
    }
  })
}
