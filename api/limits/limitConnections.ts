import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createTally } from '../../domain/limits/tally.ts'
import { originHeaders } from '../http/allowOrigins.ts'
import { answerSocket } from '../http/answerClientError.ts'
import { clientAddress } from '../http/clientAddress.ts'
import { isTrustedProxy } from '../http/isTrustedProxy.ts'
import type { ClientCaps } from './clientCaps.ts'
import { principalOf } from './principal.ts'
import { tooManyOpen } from './tooManyOpen.ts'

/** Time for a refused client to read its answer. */
const READ_MS = 500

/**
 * Answers `TOO_MANY_OPEN` on a connection beyond those of its address, before it sends anything, and on one that
 * brings a key beyond those of the key. Connections of trusted proxies, which many clients share, are not counted.
 */
export function limitConnections(
  app: FastifyInstance,
  caps: ClientCaps,
  { trustedProxies, corsOrigins }: { trustedProxies: string[]; corsOrigins: string[] },
): (scope: FastifyInstance) => void {
  const addresses = createTally()
  const keys = createTally()
  const keysOf = new WeakMap<Socket, Set<string>>()

  app.server.on('connection', (socket: Socket) => {
    const ip = socket.remoteAddress ?? ''
    if (isTrustedProxy(ip, trustedProxies)) return
    const most = caps.connectionsPerAddress
    const address = clientAddress({ ip, socket })
    if (addresses.count(address) < most) {
      socket.once('close', addresses.enter(address))
      return
    }
    const refused = tooManyOpen('connections', most, 'address')
    answerSocket(socket, refused, originHeaders(corsOrigins))
    setTimeout(() => socket.destroy(), READ_MS).unref()
  })
  // Its requests arrive although it is answered already.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.socket.writable) done()
    else reply.hijack()
  })

  return (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      const { socket } = request.raw
      const { kind, name } = principalOf(request)
      if (kind !== 'key' || isTrustedProxy(socket.remoteAddress ?? '', trustedProxies))
        return done()
      const seen = keysOf.get(socket) ?? new Set()
      keysOf.set(socket, seen)
      if (seen.has(name)) return done()
      if (keys.count(name) >= caps.connectionsPerKey) {
        reply.header('connection', 'close')
        throw tooManyOpen('connections', caps.connectionsPerKey, 'key')
      }
      seen.add(name)
      socket.once('close', keys.enter(name))
      done()
    })
  }
}
