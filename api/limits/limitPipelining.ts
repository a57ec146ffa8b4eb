import type { FastifyInstance } from 'fastify'
import { trackRequest, unansweredOn } from '../http/requestsAtWork.ts'
import type { CutOff } from './cutOff.ts'

/** Unanswered requests of one connection. Browsers and proxies have one. */
export const MOST_PIPELINED = 16

/**
 * Cuts off a connection with too many unanswered requests, whatever they ask for: Node holds all answers that a client
 * does not read.
 */
export function limitPipelining(app: FastifyInstance, cutOff: CutOff): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    // The request was dispatched before its connection was destroyed.
    if (socket.destroyed) return void reply.hijack()
    if (unansweredOn(socket) >= MOST_PIPELINED) {
      cutOff(socket)
      return void reply.hijack()
    }
    trackRequest(request, reply)
    done()
  })
}
