import { listVaultApys, listVaultTvls } from '@causeway/sdk'
import { readAll } from '../api/readAll.ts'
import { useApi } from '../api/useApi.ts'
import type { Point } from '../components/point.ts'
import type { VaultPlace } from './useVault.ts'

/** The times that a chart can show. */
export const RANGES = {
  '1 d': { lookback: 86_400, interval: 3_600 },
  '7 d': { lookback: 7 * 86_400, interval: 6 * 3_600 },
  '30 d': { lookback: 30 * 86_400, interval: 86_400 },
  '1 y': { lookback: 365 * 86_400, interval: 86_400 },
} as const

export type Range = keyof typeof RANGES

/** TVL and APY of a deployment over a time. */
export function useVaultSeries({ chainId, vaultAddress }: VaultPlace, range: Range) {
  return useApi(
    async (connection, options) => {
      const params = { filter: { chainId, vaultAddress }, pageSize: 100, ...RANGES[range] }
      const [tvls, apys] = await Promise.all([
        readAll(listVaultTvls(connection, params, options), 'vaultTvls'),
        readAll(listVaultApys(connection, params, options), 'vaultApys'),
      ])
      return {
        asset: tvls.rows[0]?.tvlAsset ?? '',
        tvl: tvls.rows.map(({ timestamp, tvl }) => point(timestamp, tvl)),
        apy: apys.rows.flatMap(({ timestamp, apy }) =>
          apy === null ? [] : [point(timestamp, apy)],
        ),
      }
    },
    { key: ['vault series', chainId, vaultAddress, range] },
  )
}

function point(time: Date, value: string): Point {
  return { time, value: Number(value) }
}
