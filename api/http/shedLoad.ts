import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { startLagMonitor } from './lagMonitor.ts'
import { countAtWork } from './requestsAtWork.ts'

/** Requests that a process works on at once, without those that are held. */
export const MOST_AT_WORK = 1_024

/**
 * Works on so many also while it lags. A process with few requests lags for another reason: its own start, or a busy machine.
 * To refuse them would not make it faster.
 */
export const LEAST_AT_WORK = 16

/** Answers `OVERLOADED` on routes of `app`, and closes the connection, while the process falls behind its work. */
export function shedLoad(app: FastifyInstance): void {
  const lag = startLagMonitor()
  app.addHook('onClose', async () => lag.stop())
  let atWork = 0
  app.addHook('onRequest', (request, reply, done) => {
    if (atWork >= (lag.isLagging() ? LEAST_AT_WORK : MOST_AT_WORK)) {
      // Requests that this client sent in the meantime end with the connection.
      reply.header('connection', 'close')
      throw new ServiceError('OVERLOADED', 'This process is overloaded. Retry.')
    }
    countAtWork(request, () => {
      atWork += 1
      return () => {
        atWork -= 1
      }
    })
    done()
  })
}
