import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { startLagMonitor } from './lagMonitor.ts'

/** Requests that a process works on at once, without those that wait or stream. */
const MOST_AT_WORK = 1_024
/** Unanswered requests of one connection. */
const MOST_PIPELINED = 64

type Connection = { atWork: number; isOpen: boolean }

/**
 * Answers `OVERLOADED` on routes of `app`, and closes the connection, while the process falls
 * behind its work. Closes a connection with too many unanswered requests.
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
    // Pipelined requests without an answer have no other event for their end.
    socket.once('close', () => {
      connection.isOpen = false
      atWork -= connection.atWork
    })
    return connection
  }

  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    // The request was dispatched before its connection was destroyed.
    if (socket.destroyed) return reply.hijack()
    const connection = connectionOf(socket)
    if (connection.atWork >= MOST_PIPELINED) {
      socket.destroy()
      return reply.hijack()
    }
    if (lag.isLagging() || atWork >= MOST_AT_WORK) {
      // Requests that this client sent in the meantime end with the connection.
      reply.header('connection', 'close')
      throw new ServiceError('OVERLOADED', 'This process is overloaded. Retry.')
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

/** Whether the request waits for a change, and costs nothing until then. */
function isWaiting({ query, routeOptions }: FastifyRequest): boolean {
  return Object.hasOwn(Object(query), 'waitSeconds') || routeOptions.url === '/graphql/stream'
}
