import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { startLagMonitor } from './lagMonitor.ts'

/** Of a process, those that wait or stream apart: what it answers in a fraction of a second. */
const MOST_AT_WORK = 1_024
/** Of a connection. Clients of HTTP/1.1 ask again when they are answered. */
const MOST_PIPELINED = 64

type Connection = { atWork: number; isOpen: boolean }

/**
 * Answers `OVERLOADED` on routes of `app`, over connections that end with it, while the process has more
 * to do than it gets done; cuts off who sends request upon request without an answer.
 */
export function shedLoad(app: FastifyInstance): void {
  const lag = startLagMonitor()
  app.addHook('onClose', async () => lag.stop())
  const connections = new WeakMap<Socket, Connection>()
  let atWork = 0

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection = { atWork: 0, isOpen: true }
    connections.set(socket, connection)
    // Of requests whose turn to be answered has not come, nothing else tells that it never will.
    socket.once('close', () => {
      connection.isOpen = false
      atWork -= connection.atWork
    })
    return connection
  }

  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    // Dispatched before it was cut off.
    if (socket.destroyed) return reply.hijack()
    const connection = connectionOf(socket)
    if (connection.atWork >= MOST_PIPELINED) {
      socket.destroy()
      return reply.hijack()
    }
    if (lag.isLagging() || atWork >= MOST_AT_WORK) {
      // What this client has sent on meanwhile goes with the connection.
      reply.header('connection', 'close')
      throw new ServiceError('OVERLOADED', 'This process has too much to do; ask again.')
    }
    if (isWaiting(request)) return
    atWork += 1
    connection.atWork += 1
    reply.raw.once('close', () => {
      connection.atWork -= 1
      if (connection.isOpen) atWork -= 1
    })
  })
}

/** Whether it is answered when something happens, and costs nothing until then. */
function isWaiting({ query, routeOptions }: FastifyRequest): boolean {
  return Object.hasOwn(Object(query), 'waitSeconds') || routeOptions.url === '/graphql/stream'
}
