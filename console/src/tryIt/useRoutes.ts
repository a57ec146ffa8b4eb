import type { components } from '@causeway/sdk'
import { type AllRows, transitRoutesOptions, useAll } from '@causeway/sdk/react'
import { formatUnits } from 'viem'
import { type TokenMap, tokenOf } from '../api/tokens.ts'
import type { OfferedAsset } from '../earn/useVaultOffers.ts'
import { routeKey } from '../transit/routeEnds.tsx'

type Route = components['schemas']['TransitRoute']
/** A route whose two tokens are known. */
export type Choosable = Route & { key: string; offer: OfferedAsset; want: OfferedAsset }

const EVERY_MS = 60_000

/** The open routes of Transit. */
export function useRoutes() {
  return useAll(transitRoutesOptions, {}, { refetchInterval: EVERY_MS, select: choosableOf })
}

function choosableOf({ rows, tokenMetadata }: AllRows<Route>): Choosable[] {
  return rows.flatMap((route) => choosable(route, tokenMetadata))
}

function choosable(route: Route, tokens: TokenMap): Choosable[] {
  const { sourceChainId, destinationChainId, offerAsset, wantAsset } = route
  const offer = tokenOf(tokens, sourceChainId, offerAsset)
  const want = tokenOf(tokens, destinationChainId, wantAsset)
  if (!offer || !want) return []
  return [
    {
      ...route,
      key: routeKey(route),
      offer: { ...offer, address: offerAsset },
      want: { ...want, address: wantAsset },
    },
  ]
}

/** 100 tokens, or what is surely within the limits of the route: the least amount follows the cost of gas. */
export function usualAmount({ offer, minOrderSize, maxOrderSize }: Choosable): string {
  const unit = 10n ** BigInt(offer.decimals)
  const usual = 100n * unit
  const safe = ((2n * minOrderSize) / unit + 1n) * unit
  const wished = usual < safe ? safe : usual
  const fitting = maxOrderSize !== null && wished > maxOrderSize ? maxOrderSize : wished
  return formatUnits(fitting, offer.decimals)
}
