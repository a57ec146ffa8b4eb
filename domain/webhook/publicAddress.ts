import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All of IPv6 that is routed so far; outside of it are forms that embed IPv4 addresses, as ::127.0.0.1 is. */
const ROUTED_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Public by its range, yet the metadata and DNS server of one cloud's machines. */
const CLOUD_SERVICES = new Set(['168.63.129.16'])

/**
 * Whether an IP address is one of the internet: not private, loopback, link-local (cloud metadata),
 * carrier-grade NAT, multicast, reserved, nor a form that embeds or is translated to another.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return address.match(ROUTED_IPV6)
  return !CLOUD_SERVICES.has(address.toString())
}
