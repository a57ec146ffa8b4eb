import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** Bytes of an IPv6 address that its provider gives a customer at least: /64. */
const NETWORK_BYTES = 8

/**
 * What a client without a key counts as: its IPv4 address, or the /64 network of an IPv6 one, since it has
 * all of those. What a trusted proxy says in place of an address counts as that proxy.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const text = ipaddr.isValid(ip) ? ip : (socket.remoteAddress ?? '')
  // A connection that has ended has no address any more, nor anybody to answer.
  if (!ipaddr.isValid(text)) return 'unknown'
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.toByteArray().fill(0, NETWORK_BYTES)
  return `${ipaddr.fromByteArray(network).toString()}/64`
}
