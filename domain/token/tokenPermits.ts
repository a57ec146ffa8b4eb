import { type Address, zeroAddress } from 'viem'
import { createKeptReads, type Known } from '../cache/keptReads.ts'
import type { ChainReading } from '../chain/chainReading.ts'
import { permitDomain, readPermit } from './permitDomain.ts'

type TokenPlace = { chainId: number; address: Address }

export type TokenPermits = {
  /**
   * Whether a token of the address book takes EIP-2612 permits, as it answered at most 10 minutes ago, or
   * before its chain was late. Throws `RPC_UNAVAILABLE`.
   */
  lastKnown(token: TokenPlace): Promise<Known<boolean>>
}

/** A token that can be upgraded may begin to take permits. */
const LIFE_MS = 600_000

/** Only for tokens of the address book: the reads of a turn share a call. */
export function createTokenPermits({ chains, store }: ChainReading): TokenPermits {
  return createKeptReads(
    store,
    {
      name: 'token_permits',
      keyOf: ({ chainId, address }: TokenPlace) => `${chainId}:${address}`,
      lifeMs: LIFE_MS,
    },
    ({ chainId, address: tokenAddress }) =>
      chains.read(chainId, async () => {
        const reading = await readPermit(chains.get(chainId), tokenAddress, zeroAddress)
        return permitDomain({ chainId, tokenAddress }, reading) !== null
      }),
  )
}
