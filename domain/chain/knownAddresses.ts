import { type Address, zeroAddress } from 'viem'

/** Remembers the addresses of contracts that other contracts refer to. */
export type KnownAddresses = {
  /**
   * Asks a contract for the address of another (null: it has none), and reads that other one. One round
   * trip if the address is the same as last time; otherwise the read is made again.
   */
  follow<Value>(
    key: string,
    ask: () => Promise<Address | null>,
    read: (named: Address | null) => Promise<Value>,
  ): Promise<Value>
}

/** Remembers by `key` for the life of the process. Every remembered address is checked again. */
export function createKnownAddresses(): KnownAddresses {
  const known = new Map<string, Address | null>()
  return {
    async follow(key, ask, read) {
      const before = known.get(key)
      if (before === undefined) return readNamed(await ask())
      // This read may fail if the address is outdated, so its error counts only if the address is
      // confirmed.
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
