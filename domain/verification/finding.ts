import type { Address } from 'viem'
import { checksummed } from '../token/checksummed.ts'

/**
 * The result of a check of the address book. `contradiction`: the chain has something else.
 * `unverified`: the chain could not be asked. `note`: neither, but worth knowing.
 */
export type Finding = {
  kind: 'contradiction' | 'unverified' | 'note'
  /** The path in the file, as in the errors of the format: `tokens.3.decimals`. */
  place: string
  message: string
}

/** A difference between the address book and a chain. */
export function contradiction(place: string, message: string): Finding {
  return finding('contradiction', place, message)
}

/** A check that could not be made because the chain did not answer. */
export function unverified(place: string, message: string): Finding {
  return finding('unverified', place, message)
}

/** A remark that does not make the address book wrong. */
export function note(place: string, message: string): Finding {
  return finding('note', place, message)
}

/** The parsed book has its addresses in lower case; operators compare them with explorers. */
function finding(kind: Finding['kind'], place: string, message: string): Finding {
  const shown = message.replaceAll(
    /\b0x[0-9a-f]{40}\b/g,
    (address) => checksummed(address as Address), // The pattern is that of an address.
  )
  return { kind, place, message: shown }
}

/** The contradiction for an address without code. */
export function noCode(place: string, address: string, chainId: number): Finding {
  return contradiction(place, `no code at ${address} on chain ${chainId}`)
}

type Comparison = {
  place: string
  /** The call, e.g. `decimals() of 0x…`. */
  asked: string
  expected: string | number
  /** Null if the contract reverts or lacks the function. */
  answered: string | number | null
}

/**
 * One contradiction if the chain's answer differs from the address book, else none. Text is compared
 * exactly.
 */
export function compare({ place, asked, expected, answered }: Comparison): Finding[] {
  if (answered === null)
    return [contradiction(place, `the book has ${expected}, ${asked} does not answer`)]
  if (answered === expected) return []
  return [contradiction(place, `the book has ${expected}, ${asked} is ${answered}`)]
}
