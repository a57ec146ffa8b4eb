import type { FastifyInstance } from 'fastify'
import { trackRequest, unansweredOn } from './requestsAtWork.ts'

/** Unanswered requests of one connection. */
const MOST_PIPELINED = 64

/**
 * Closes a connection with too many unanswered requests, whatever they ask for: Node holds all answers that a client
 * does not read.
 */
export function limitPipelining(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    // The request was dispatched before its connection was destroyed.
    if (socket.destroyed) return reply.hijack()
    if (unansweredOn(socket) >= MOST_PIPELINED) {
      socket.destroy()
      return reply.hijack()
    }
    trackRequest(request, reply)
  })
}
