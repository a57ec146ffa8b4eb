import { expect } from 'vitest'
import type { World } from '../../devnet/world.ts'
import { undescribed } from './describedAnswer.ts'
import { getJson } from './getJson.ts'

type Asset = {
  assetAddress: string
  depositable: boolean
  withdrawable: boolean
  depositFees: { bps: number; percentage: string }
  withdrawFees: { bps: number; percentage: string }
  withdrawalSLAs: Record<string, string>
}
type Deployment = Record<string, unknown> & {
  chainId: number
  boringVaultAddress: string
  requiresKyt: boolean
  depositSupplyCap: { raw: string; formatted: string; decimals: number; hasCap: boolean }
  minimumWithdrawalOrderSize: { raw: string; formatted: string; decimals: number }
  assets: Asset[]
}
export type VaultsBody = {
  vaults: { name: string; deployments: Deployment[] }[]
  nextPageToken: string | null
}

/** The list of vaults over HTTP, checked against docs/openapi.json. */
export async function listVaultsOf(url: string, parameters: Record<string, string>) {
  const answer = await getJson(`${url}/v2/earn/vaults?${new URLSearchParams(parameters)}`)
  expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
  // The schema was checked, so the type of `getJson` fits.
  return { ...answer, body: answer.body as unknown as VaultsBody }
}

/** The nodes of a world, in the form of an API's options. */
export function nodesOf({ rpcUrls }: World): Record<number, string[]> {
  return Object.fromEntries(Object.entries(rpcUrls).map(([chainId, url]) => [chainId, [url]]))
}
