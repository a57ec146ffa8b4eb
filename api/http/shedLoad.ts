import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { startLagMonitor } from './lagMonitor.ts'
import { countAtWork, unansweredOn } from './requestsAtWork.ts'

/** Requests that a process works on at once, without those that are held. */
export const MOST_AT_WORK = 1_024
/** Unanswered requests of one connection. */
const MOST_PIPELINED = 64

/**
 * Answers `OVERLOADED` on routes of `app`, and closes the connection, while the process falls
 * behind its work. Closes a connection with too many unanswered requests.
 */
export function shedLoad(app: FastifyInstance): void {
  const lag = startLagMonitor()
  app.addHook('onClose', async () => lag.stop())
  let atWork = 0
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    // The request was dispatched before its connection was destroyed.
    if (socket.destroyed) return reply.hijack()
    if (unansweredOn(socket) >= MOST_PIPELINED) {
      socket.destroy()
      return reply.hijack()
    }
    if (lag.isLagging() || atWork >= MOST_AT_WORK) {
      // Requests that this client sent in the meantime end with the connection.
      reply.header('connection', 'close')
      throw new ServiceError('OVERLOADED', 'This process is overloaded. Retry.')
    }
    countAtWork(request, reply, () => {
      atWork += 1
      return () => {
        atWork -= 1
      }
    })
  })
}
