import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Lifecycle } from './http/lifecycle.ts'

const SWEEP_MS = 50
/** For answers that are on their way when the server closes: longer than any read takes. */
const LAST_MS = 10_000

type DrainOptions = { lifecycle: Lifecycle; drainSeconds: number; lastMs?: number }

/**
 * Stops gracefully: `/ready` turns 503, long polls answer, streams end, other requests are
 * served for `drainSeconds` so that balancers notice, then the server closes. What is still open `lastMs`
 * later is cut off. Stop the order watch only after.
 */
export async function drainServer(
  app: FastifyInstance,
  { lifecycle, drainSeconds, lastMs = LAST_MS }: DrainOptions,
): Promise<void> {
  lifecycle.startDraining()
  await sleep(drainSeconds * 1_000)
  // Node closes idle connections once. A connection whose request was still in flight, or whose stream
  // ended later, would keep the server open until its keep-alive timeout of 72 s.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
  const last = setTimeout(() => app.server.closeAllConnections(), lastMs)
  await app.close().finally(() => {
    clearInterval(sweep)
    clearTimeout(last)
  })
}
