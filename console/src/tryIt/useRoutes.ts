import { type components, listTransitRoutes } from '@causeway/sdk'
import { formatUnits } from 'viem'
import { readAll } from '../api/readAll.ts'
import { type TokenMap, tokenOf } from '../api/tokens.ts'
import { useApi } from '../api/useApi.ts'
import type { OfferedAsset } from '../earn/useVaultOffers.ts'

type Route = components['schemas']['TransitRoute']
/** A route whose two tokens are known. */
export type Choosable = Route & { key: string; offer: OfferedAsset; want: OfferedAsset }

const EVERY_MS = 60_000

/** The open routes of Transit. */
export function useRoutes() {
  return useApi(
    async (connection, options) => {
      const { rows, tokens } = await readAll(
        listTransitRoutes(connection, { pageSize: 100 }, options),
        'routes',
      )
      return rows.flatMap((route) => choosable(route, tokens))
    },
    { key: ['routes to try'], every: EVERY_MS },
  )
}

function choosable(route: Route, tokens: TokenMap): Choosable[] {
  const { sourceChainId, destinationChainId, offerAsset, wantAsset } = route
  const offer = tokenOf(tokens, sourceChainId, offerAsset)
  const want = tokenOf(tokens, destinationChainId, wantAsset)
  if (!offer || !want) return []
  return [
    {
      ...route,
      key: `${sourceChainId} ${offerAsset} ${destinationChainId} ${wantAsset}`,
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
