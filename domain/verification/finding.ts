/**
 * What a check of the address book found. `contradiction`: a chain says otherwise. `unverified`: a chain
 * could not be asked. `note`: neither, but worth knowing.
 */
export type Finding = {
  kind: 'contradiction' | 'unverified' | 'note'
  /** The path in the file, as its own refusals name it: `tokens.3.decimals`. */
  place: string
  message: string
}

/** What a chain says otherwise. */
export function contradiction(place: string, message: string): Finding {
  return { kind: 'contradiction', place, message }
}

/** What a chain could not be asked. */
export function unverified(place: string, message: string): Finding {
  return { kind: 'unverified', place, message }
}

/** What does not make the book wrong. */
export function note(place: string, message: string): Finding {
  return { kind: 'note', place, message }
}

/** The contradiction of an address at which there is nothing. */
export function noCode(place: string, address: string, chainId: number): Finding {
  return contradiction(place, `no code at ${address} on chain ${chainId}`)
}

type Comparison = {
  place: string
  /** What was asked, as in `decimals() of 0x…`. */
  asked: string
  expected: string | number
  /** Null where the contract refuses or lacks the function. */
  answered: string | number | null
}

/** One contradiction where the chain's answer is not what the book says, else none. Text compares as it is. */
export function compare({ place, asked, expected, answered }: Comparison): Finding[] {
  if (answered === null)
    return [contradiction(place, `the book says ${expected}, ${asked} does not answer`)]
  if (answered === expected) return []
  return [contradiction(place, `the book says ${expected}, ${asked} is ${answered}`)]
}
