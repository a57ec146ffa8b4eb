/** An address or a hash by its ends: `0xf39F…2266`. */
export function shortHex(hex: string): string {
  return hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex
}

/** Whether a text is an address, or a hash such as an order id or a transaction. */
export function kindOfHex(text: string): 'address' | 'hash' | null {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return 'address'
  return /^0x[0-9a-fA-F]{64}$/.test(text) ? 'hash' : null
}
