import { isAddress } from 'viem'

/** The text of an address, in any case. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/**
 * Whether funds may be sent to an address in this spelling: in one case, or in mixed case with the right
 * checksum.
 */
export function isPayableAddress(text: string): boolean {
  if (!ADDRESS.test(text)) return false
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return !isMixed || isAddress(text, { strict: true })
}
