import { isAddress } from 'viem'

/** How an address is spelt, in any case. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Whether funds may be sent there as it is spelt: in one case, or in mixed case with the right checksum. */
export function isPayableAddress(text: string): boolean {
  if (!ADDRESS.test(text)) return false
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return !isMixed || isAddress(text, { strict: true })
}
