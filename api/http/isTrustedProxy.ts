import ipaddr from 'ipaddr.js'

/** Whether an address is one of these addresses and networks: `TRUST_PROXY`. */
export function isTrustedProxy(address: string, trusted: string[]): boolean {
  if (trusted.length === 0 || !ipaddr.isValid(address)) return false
  const ranges = trusted.map((range) => rangeOf(range))
  return ipaddr.subnetMatch(ipaddr.process(address), { trusted: ranges }, 'other') === 'trusted'
}

function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
