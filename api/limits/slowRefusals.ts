import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRefusalCounts } from '../../domain/limits/refusalCounts.ts'
import { findRequestContext } from '../http/requestContext.ts'
import { pauseWork } from '../http/requestsAtWork.ts'
import { clientAddress } from './clientAddress.ts'

type SlowDown = (name: string) => Promise<void>

const DECORATOR = 'slowRefusals'
/** The delay, drawn for each refusal so that a client's next requests do not come together. */
const LEAST_MS = 500
const MOST_MS = 1_500

/**
 * Delays refusals of a client that has had too many. A refusal is free, but takes this process a tenth of a
 * millisecond: without a delay, one address could keep it busy with them.
 */
export function slowRefusals(app: FastifyInstance, isOn: boolean): void {
  const counts = createRefusalCounts()
  app.decorateRequest(DECORATOR, null)
  if (!isOn) return
  const slowDown: SlowDown = async (name) => {
    if (!counts.add(name)) return
    await sleep(LEAST_MS + Math.random() * (MOST_MS - LEAST_MS))
  }
  app.addHook('onRequest', async (request) => request.setDecorator(DECORATOR, slowDown))
}

/** Waits before a failure with this code is answered, if its client has had too many that cost it no quota. */
export async function beforeRefusal(
  code: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const slowDown = request.getDecorator<SlowDown | null>(DECORATOR)
  const caller = findRequestContext(request)?.caller
  const isCharged = code !== 429 && (caller || reply.hasHeader('ratelimit-limit'))
  if (!slowDown || code >= 500 || isCharged) return
  const resume = pauseWork(request)
  await slowDown(caller ? `key:${caller.keyId}` : `address:${clientAddress(request)}`)
  resume()
}
