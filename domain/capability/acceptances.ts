import type { Address } from 'viem'
import { type AcceptingAddress, acceptedPayments } from '../addressBook/acceptedPayments.ts'
import { smartDepositMinimum } from '../addressBook/smartDepositMinimum.ts'
import { findDeployment, getDeployment } from '../earn/vaults/deployments.ts'
import { ServiceError } from '../error/serviceError.ts'
import { larger, leastOffer, minOrderSize } from '../transit/priceOrder.ts'
import { findRoute, type ResolvedRoute } from '../transit/routes/resolvedRoutes.ts'
import { type Capability, type ClosedReason, openIfAllPass, openIfBothAre } from './capability.ts'
import type { CapabilityContext } from './capabilityContext.ts'
import { routeCapability } from './routeCapability.ts'
import { depositCapability } from './vaultCapabilities.ts'

/** `DIRECT`: it goes into the vault as it is. `TRANSIT`: the keeper first sends it on by a Transit order. */
export type AcceptanceWay = 'DIRECT' | 'TRANSIT'

/** A token on a chain that a smart deposit address accepts, and whether it would be deposited now. */
export type Acceptance = {
  chainId: number
  asset: Address
  /** Base units of the asset. A smaller payment is not deposited alone. */
  minimum: bigint
  via: AcceptanceWay
  isOpen: boolean
  /** The first reason for which it is closed; null while it is open. */
  reason: ClosedReason | null
}

/** The address, and the vault of its payments. */
type Accepting = AcceptingAddress & { vaultAddress: Address }

/**
 * The payments that a smart deposit address accepts, first those of its input token. `isOpen` is the same for all callers, by the
 * checks of `listCapabilities`. Throws the database's error.
 */
export async function acceptancesOf(
  context: CapabilityContext,
  address: Accepting,
): Promise<Acceptance[]> {
  const deposit = vaultCapability(context, address)
  const { chainId, inputToken: token } = address
  const arrival = smartDepositMinimum(context.addressBook, { chainId, token })
  return Promise.all(
    acceptedPayments(context.addressBook, address).map(
      async ({ chainId, asset, route }): Promise<Acceptance> => {
        const resolved = route && findRoute(context.addressBook, route)
        if (!resolved) {
          const capability = firstReasonOf(await deposit)
          return { chainId, asset, via: 'DIRECT', minimum: arrival, ...capability }
        }
        const [transit, home, minimum] = await Promise.all([
          routeCapability(context, resolved, undefined),
          deposit,
          leastPayment(context, resolved, arrival),
        ])
        const capability = firstReasonOf(openIfBothAre(transit, home))
        return { chainId, asset, via: 'TRANSIT', minimum, ...capability }
      },
    ),
  )
}

function firstReasonOf({ isOpen, reasons }: Capability): Pick<Acceptance, 'isOpen' | 'reason'> {
  return { isOpen, reason: reasons[0] ?? null }
}

/** Whether the vault of the address takes its input token now. */
async function vaultCapability(
  context: CapabilityContext,
  { chainId, vaultAddress, inputToken }: Accepting,
): Promise<Capability> {
  const deployment = findDeployment(context.addressBook, chainId, vaultAddress)
  if (!deployment)
    return openIfAllPass([() => getDeployment(context.addressBook, chainId, vaultAddress)])
  const conditions = () => context.publicConditions.get(chainId)
  return depositCapability(context, { deployment, user: null, conditions }, inputToken)
}

/** The least order of the route of which enough arrives; the route's own floor while there is no price. */
async function leastPayment(
  { executionCosts }: Pick<CapabilityContext, 'executionCosts'>,
  resolved: ResolvedRoute,
  arrival: bigint,
): Promise<bigint> {
  const pricing = await executionCosts.pricing(resolved).catch(unlessRefused)
  if (pricing === null) return BigInt(resolved.route.minOrderSize)
  return larger(minOrderSize(resolved.route, pricing), leastOffer(arrival, pricing, 0n))
}

function unlessRefused(error: unknown): null {
  if (error instanceof ServiceError) return null
  throw error
}
