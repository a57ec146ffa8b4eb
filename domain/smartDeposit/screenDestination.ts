import type { Address, PublicClient } from 'viem'
import { sanctionsOracleAbi } from '../../abis/sanctionsOracle.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { readBlocked } from '../token/readBlocked.ts'

export type Screening = {
  destination: Address
  token: Address
  /** Null if the chain has none: then only the token's block list counts. */
  sanctionsOracle: Address | null
}

/**
 * Why a destination may not hold its payment, or null if it may. `unknown` if the oracle does not answer:
 * nobody passes unscreened.
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
