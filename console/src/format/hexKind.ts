import type { Address, Hash } from 'viem'

/** Whether a text is an address, or a hash such as an order id or a transaction. */
export function kindOfHex(text: string): 'address' | 'hash' | null {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return 'address'
  return /^0x[0-9a-fA-F]{64}$/.test(text) ? 'hash' : null
}

export function isAddressText(text: string): text is Address {
  return kindOfHex(text) === 'address'
}

export function isHashText(text: string): text is Hash {
  return kindOfHex(text) === 'hash'
}
