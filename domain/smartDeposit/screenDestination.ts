import type { Address, PublicClient } from 'viem'
import { sanctionsOracleAbi } from '../../abis/sanctionsOracle.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { readBlocked } from '../token/readBlocked.ts'

export type Screening = {
  destination: Address
  token: Address
  /** Null where the chain has none: then only the token says who is blocked. */
  sanctionsOracle: Address | null
}

/**
 * Why a destination may not hold what came for it, or null where it may. `unknown` where the oracle does
 * not answer: nobody is let through unscreened.
 */
export async function screenDestination(
  client: PublicClient,
  { destination, token, sanctionsOracle }: Screening,
): Promise<'sanctioned' | 'blocked' | 'unknown' | null> {
  const [isSanctioned, isBlocked] = await Promise.all([
    sanctionsOracle === null
      ? false
      : tryRead(client, {
          address: sanctionsOracle,
          abi: sanctionsOracleAbi,
          functionName: 'isSanctioned',
          args: [destination],
        }),
    readBlocked(client, token, destination),
  ])
  if (isSanctioned) return 'sanctioned'
  if (isBlocked) return 'blocked'
  return isSanctioned === null ? 'unknown' : null
}
