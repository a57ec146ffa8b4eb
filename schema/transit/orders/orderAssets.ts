import type { RouteEnds } from '../../../domain/addressBook/addressBook.ts'

/** The two tokens of each order or route, each on its own chain. */
export function orderAssets(ends: RouteEnds[]) {
  return ends.flatMap(({ sourceChainId, destinationChainId, offerAsset, wantAsset }) => [
    { chainId: sourceChainId, address: offerAsset },
    { chainId: destinationChainId, address: wantAsset },
  ])
}
