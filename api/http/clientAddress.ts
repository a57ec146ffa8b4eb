import { isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** A provider gives each customer at least a /64 network: 8 bytes. */
const NETWORK_BYTES = 8
/** Node shows a client over IPv4 so, where it listens for IPv6 too. */
const MAPPED = '::ffff:'

/**
 * The identity of a client without a key: its IPv4 address, or the /64 network of its IPv6 address, because
 * one client has all addresses of that network. Where a trusted proxy forwards no address, the proxy itself.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return identityOf(ip) ?? identityOf(socket.remoteAddress ?? '') ?? 'unknown'
}

/** Null for a text that is no address: a closed connection has none. */
function identityOf(text: string): string | null {
  // Most clients, and a fraction of the time.
  const inner = text.startsWith(MAPPED) ? text.slice(MAPPED.length) : text
  if (isIPv4(inner)) return inner
  if (!isIPv6(text)) return null
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.toByteArray().fill(0, NETWORK_BYTES)
  return `${ipaddr.fromByteArray(network).toString()}/64`
}
