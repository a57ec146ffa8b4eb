import type { Address } from 'viem'

type Row = { chainId: number; vaultAddress: Address; assetAddress: Address }

/** The token of each row, and the shares of its vault. */
export function assetsAndShares(rows: Row[]) {
  return rows.flatMap(({ chainId, vaultAddress, assetAddress }) =>
    [assetAddress, vaultAddress].map((address) => ({ chainId, address })),
  )
}
