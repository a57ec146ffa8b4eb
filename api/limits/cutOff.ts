import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createWindowCounts } from '../../domain/limits/windowCounts.ts'
import { clientAddress } from '../http/clientAddress.ts'
import { isTrustedProxy } from '../http/isTrustedProxy.ts'

/** Destroys a connection whose client breaks a limit that no refusal would stop it from breaking. */
export type CutOff = (socket: Socket) => void

/** Connections of one address that are cut off in 10 s before it gets no further ones. */
export const MOST_CUT_OFF = 5

/**
 * Returns the function that cuts off a connection. An address that had too many cut off gets no new connection until
 * its window has ended: each one costs the requests that Node has already read. Trusted proxies are exempt.
 */
export function createCutOff(app: FastifyInstance, trustedProxies: string[]): CutOff {
  const counts = createWindowCounts('cut_off', MOST_CUT_OFF)
  const addressOf = (socket: Socket) => clientAddress({ ip: socket.remoteAddress ?? '', socket })
  app.server.on('connection', (socket: Socket) => {
    if (counts.isOver(addressOf(socket))) socket.destroy()
  })
  return (socket) => {
    const ip = socket.remoteAddress ?? ''
    if (!socket.destroyed && !isTrustedProxy(ip, trustedProxies)) counts.add(addressOf(socket))
    socket.destroy()
  }
}
