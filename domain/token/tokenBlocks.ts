import type { Address } from 'viem'
import { createKeptReads, type KeptReads } from '../cache/keptReads.ts'
import type { ChainReading } from '../chain/chainReading.ts'
import { readBlocked, readPaused } from './readBlocked.ts'

/** A token of the address book and an account. Addresses are lower case. */
type TokenAccount = { chainId: number; token: Address; account: Address }

/** What the issuer of a token does now. */
type IssuerState = {
  /** Whether it blocks the account. */
  isBlocked: boolean
  /** Whether it has paused all transfers. */
  isPaused: boolean
}

/** What the issuer of a token did at most 10 s ago. Throws `RPC_UNAVAILABLE`. */
export type TokenBlocks = KeptReads<TokenAccount, IssuerState>

const LIFE_MS = 10_000
/** A chain whose nodes are silent is not asked by each read of an order. */
const FAILURE_LIFE_MS = 2_000

/** Only for tokens of the address book: the reads of a turn share a call. */
export function createTokenBlocks({ chains, store }: ChainReading): TokenBlocks {
  return createKeptReads(
    store,
    {
      name: 'token_blocks',
      keyOf: ({ chainId, token, account }: TokenAccount) => `${chainId}:${token}:${account}`,
      lifeMs: LIFE_MS,
      failureLifeMs: FAILURE_LIFE_MS,
    },
    ({ chainId, token, account }) =>
      chains.read(chainId, async () => {
        const client = chains.get(chainId)
        const [isBlocked, isPaused] = await Promise.all([
          readBlocked(client, token, account),
          readPaused(client, token),
        ])
        return { isBlocked, isPaused }
      }),
  )
}
