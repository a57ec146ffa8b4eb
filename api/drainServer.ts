import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Lifecycle } from './http/lifecycle.ts'

/**
 * Stops gracefully: `/ready` turns 503, long polls answer, streams end, all else is served for
 * `drainSeconds` so that balancers notice, then the server closes. Stop the order watch only after.
 */
export async function drainServer(
  app: FastifyInstance,
  { lifecycle, drainSeconds }: { lifecycle: Lifecycle; drainSeconds: number },
): Promise<void> {
  lifecycle.startDraining()
  await setTimeout(drainSeconds * 1_000)
  await app.close()
}
