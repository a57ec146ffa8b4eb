import { type Address, zeroAddress } from 'viem'
import type { ChainReading } from '../chain/chainReading.ts'
import { createLastKnownReads, type Known } from '../chain/lastKnownReads.ts'
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
export function createTokenPermits({ chains, maxStaleMs, clock }: ChainReading): TokenPermits {
  return createLastKnownReads(
    {
      name: 'token_permits',
      keyOf: ({ chainId, address }: TokenPlace) => `${chainId}:${address}`,
      max: 10_000,
      lifeMs: LIFE_MS,
      maxStaleMs,
      clock,
    },
    ({ chainId, address: tokenAddress }) =>
      chains.read(chainId, async () => {
        const reading = await readPermit(chains.get(chainId), tokenAddress, zeroAddress)
        return permitDomain({ chainId, tokenAddress }, reading) !== null
      }),
  )
}
