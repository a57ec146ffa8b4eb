import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The routed part of IPv6; the rest has forms that embed IPv4 addresses, such as ::127.0.0.1. */
const ROUTED_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** In a public range, but the metadata and DNS server of one cloud. */
const CLOUD_SERVICES = new Set(['168.63.129.16'])

/**
 * Whether an IP address is public: not private, loopback, link-local (cloud metadata),
 * carrier-grade NAT, multicast, reserved, nor a form that embeds or is translated to another.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return address.match(ROUTED_IPV6)
  return !CLOUD_SERVICES.has(address.toString())
}
