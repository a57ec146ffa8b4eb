import { type components, listChains } from '@causeway/sdk'
import { LIVE_MS, useApi } from '../api/useApi.ts'

export type Chain = components['schemas']['Chain']

/** The chains of the installation, with the state of their index. */
export function useChains() {
  return useApi((connection, options) => listChains(connection, {}, options), {
    key: ['chains'],
    every: LIVE_MS,
  })
}

export function useChain(chainId: number): Chain | undefined {
  return useChains().data?.find((chain) => chain.chainId === chainId)
}
