import type { components } from '@causeway/sdk'
import { chainsOptions, useRead } from '@causeway/sdk/react'
import { LIVE } from '../api/live.ts'

export type Chain = components['schemas']['Chain']

/** The chains of the installation, with the state of their index. */
export function useChains() {
  return useRead(chainsOptions, {}, LIVE)
}

export function useChain(chainId: number): Chain | undefined {
  return useChains().data?.find((chain) => chain.chainId === chainId)
}
