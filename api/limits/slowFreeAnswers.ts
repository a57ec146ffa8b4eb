import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createWindowCounts } from '../../domain/limits/windowCounts.ts'
import { clientAddress } from '../http/clientAddress.ts'
import { findRequestContext } from '../http/requestContext.ts'
import { pauseWork, unansweredOn } from '../http/requestsAtWork.ts'
import type { CutOff } from './cutOff.ts'

/** More in 10 s than a client that heeds a refusal, or a probe of health, asks for. */
const MOST_FREE = 300
/** The delay, drawn for each answer so that a client's next requests do not come together. */
const LEAST_MS = 500
const MOST_MS = 1_500

/**
 * Delays answers that cost no quota (refusals, health, preflights) for a client that has had too many. One takes this
 * process a tenth of a millisecond: without a delay, one address could keep it busy with them. A client that even then
 * sends the next request before it is answered loses its connection.
 */
export function slowFreeAnswers(app: FastifyInstance, cutOff: CutOff): void {
  const counts = createWindowCounts('free_answers', MOST_FREE)
  app.addHook('onSend', async (request, reply) => {
    if (isCharged(request, reply)) return
    const actor = findRequestContext(request)?.caller?.actor
    if (!counts.add(actor ?? `address:${clientAddress(request)}`)) return
    const { socket } = request.raw
    if (unansweredOn(socket) > 1) cutOff(socket)
    if (socket.destroyed) return
    const resume = pauseWork(request)
    await sleep(LEAST_MS + Math.random() * (MOST_MS - LEAST_MS))
    resume()
  })
}

/** Whether an answer cost a quota, or is a failure of a route that has one. Failures of GraphQL cost too little of it. */
function isCharged(request: FastifyRequest, reply: FastifyReply): boolean {
  const { statusCode } = reply
  const { limitClass } = request.routeOptions.config as FastifyContextConfig
  if (limitClass === undefined || statusCode === 429) return false
  if (statusCode < 400 || statusCode >= 500) return true
  if (findRequestContext(request)?.caller) return true
  return limitClass !== 'graphql' && reply.hasHeader('ratelimit-limit')
}
