import { type Address, zeroAddress } from 'viem'

/** What contracts name other contracts by, remembered. */
export type KnownAddresses = {
  /**
   * Asks a contract which other it names, and reads that other, null for none. In one round trip when
   * it names the one that it named before; again where it does not.
   */
  follow<Value>(
    key: string,
    ask: () => Promise<Address | null>,
    read: (named: Address | null) => Promise<Value>,
  ): Promise<Value>
}

/** Remembers by `key` for as long as the process lives; every answer is checked anew. */
export function createKnownAddresses(): KnownAddresses {
  const known = new Map<string, Address | null>()
  return {
    async follow(key, ask, read) {
      const before = known.get(key)
      if (before === undefined) return readNamed(await ask())
      // What is read of one that is not named any more may fail: only its answer's use is certain.
      const early = read(before).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
      const named = present(await ask())
      if (named !== before) return readNamed(named)
      const answer = await early
      if ('error' in answer) throw answer.error
      return answer.value

      function readNamed(address: Address | null) {
        known.set(key, present(address))
        return read(present(address))
      }
    },
  }
}

function present(address: Address | null): Address | null {
  if (address === null || address === zeroAddress) return null
  return address.toLowerCase() as Address
}
