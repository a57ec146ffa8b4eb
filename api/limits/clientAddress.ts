import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { countedCache } from '../../domain/observation/countedCache.ts'

/** A provider gives each customer at least a /64 network: 8 bytes. */
const NETWORK_BYTES = 8
/** Clients send many requests each. */
const MOST_KNOWN = 10_000

const known = countedCache<string, string>('client_addresses', { max: MOST_KNOWN })

/**
 * The identity of a client without a key: its IPv4 address, or the /64 network of its IPv6 address, because
 * one client has all addresses of that network. Where a trusted proxy forwards no address, the proxy itself.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const address = known.get(ip)
  if (address !== undefined) return address
  if (!ipaddr.isValid(ip)) return identityOf(socket.remoteAddress ?? '')
  const identity = identityOf(ip)
  known.set(ip, identity)
  return identity
}

function identityOf(text: string): string {
  // A closed connection has no address.
  if (!ipaddr.isValid(text)) return 'unknown'
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.toByteArray().fill(0, NETWORK_BYTES)
  return `${ipaddr.fromByteArray(network).toString()}/64`
}
