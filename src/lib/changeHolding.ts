import { shareBalance, vaultState } from 'ponder:schema'
import type { Address } from 'viem'
import type { Context } from './ponder.ts'
import { type Holding, NOTHING_HELD, priced, type VaultRate } from './shareCost.ts'
import { passesShares } from './vaultOf.ts'

type Place = { vault: Address; account: Address }

/** The rate of a vault at the log that is handled. */
export async function rateNow(context: Context, vault: Address): Promise<VaultRate> {
  const state = await context.db.find(vaultState, { chainId: context.chain.id, vault })
  const { rate = null, openingRate = null } = state ?? {}
  return rate === null || openingRate === null ? null : { rate, openingRate }
}

/** Changes what an account holds of a vault. */
export async function changeHolding(
  context: Context,
  place: Place,
  change: (holding: Holding) => Holding,
): Promise<{ before: Holding; after: Holding }> {
  const key = { chainId: context.chain.id, ...place }
  const before = (await context.db.find(shareBalance, key)) ?? NOTHING_HELD
  const { balance, cost, realised, isPriced, hasTransferredShares } = change(before)
  const after = { balance, cost, realised, isPriced, hasTransferredShares }
  await context.db
    .insert(shareBalance)
    .values({ ...key, ...after })
    .onConflictDoUpdate(after)
  return { before, after }
}

/** Adds to what an account has earned, in the unit of costs that holds now. */
export async function addRealised(
  context: Context,
  place: Place,
  { realised, rate }: { realised: bigint; rate: VaultRate },
) {
  if (passesShares(context.chain.id, place.account)) return
  await changeHolding(context, place, (before) => {
    const holding = priced(before, rate)
    return { ...holding, realised: holding.realised + realised }
  })
}
