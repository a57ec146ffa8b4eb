import type { Address } from 'viem'
import {
  type DepositAuthorization,
  type DepositAuthorizationParams,
  depositAuthorization,
  depositAuthorizationViolations,
  preferred,
} from '../earn/deposits/depositAuthorization.ts'
import { getDeployment } from '../earn/vaults/deployments.ts'
import { assetRefusal } from '../earn/vaults/vaultRefusals.ts'
import { type FieldViolation, invalidFields } from '../error/serviceError.ts'
import { detectAuthorization } from '../token/detectAuthorization.ts'
import { pairViolations } from '../token/permit.ts'
import { routeNotFound } from '../transit/quotes/stationRefusals.ts'
import { findRoute } from '../transit/routes/resolvedRoutes.ts'
import type { JourneyContext } from './journeyContext.ts'

/** Those of a deposit's authorization. With a source, `amount` is in base units of `sourceAsset`. */
export type JourneyAuthorizationParams = DepositAuthorizationParams & {
  sourceChainId?: number | undefined
  sourceAsset?: Address | undefined
}

/** The violations in the given parameters. */
export function journeyAuthorizationViolations(
  params: Partial<JourneyAuthorizationParams>,
  named: Record<string, unknown> = params,
): FieldViolation[] {
  return [
    ...depositAuthorizationViolations(params),
    ...pairViolations(['sourceChainId', 'sourceAsset'], named),
  ]
}

/**
 * How a user can let the source chain's station spend an amount of the source asset; without a source, as
 * `depositAuthorization`. Throws like it, and `ROUTE_NOT_FOUND`.
 */
export async function journeyAuthorization(
  context: JourneyContext,
  params: JourneyAuthorizationParams,
): Promise<DepositAuthorization> {
  const violations = journeyAuthorizationViolations(params)
  if (violations.length > 0) throw invalidFields(violations)
  const { sourceChainId, sourceAsset, ...deposit } = params
  const { chainId: destinationChainId, tokenAddress: wantAsset, prefer = 'permit' } = deposit
  const isElsewhere = sourceChainId !== destinationChainId || sourceAsset !== wantAsset
  if (!sourceChainId || !sourceAsset || !isElsewhere) return depositAuthorization(context, deposit)
  const { assets } = getDeployment(context.addressBook, destinationChainId, deposit.vaultAddress)
  if (!assets.some(({ address }) => address === wantAsset))
    throw assetRefusal('ASSET_NOT_DEPOSITABLE', 'tokenAddress', wantAsset)
  const route = { sourceChainId, offerAsset: sourceAsset, destinationChainId, wantAsset }
  const resolved = findRoute(context.addressBook, route)
  if (!resolved) throw routeNotFound(context, route)
  const { userAddress, amount } = deposit
  const asked = { chainId: sourceChainId, tokenAddress: sourceAsset, userAddress, amount }
  const found = await detectAuthorization(context, {
    ...asked,
    spenderAddress: resolved.source.station,
  })
  return preferred(found, prefer)
}
