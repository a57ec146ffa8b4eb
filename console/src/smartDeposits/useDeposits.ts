import type { components } from '@causeway/sdk'
import { smartDepositAddressesOptions, smartDepositsOptions, useAll } from '@causeway/sdk/react'
import { keepPreviousData } from '@tanstack/react-query'
import type { Address } from 'viem'
import { LIVE } from '../api/live.ts'
import { type TokenMap, withTokens } from '../api/tokens.ts'
import type { SmartDeposit } from './depositStatus.ts'

export type DepositRow = SmartDeposit & { tokens: TokenMap }
type Registered = components['schemas']['SmartDepositAddress']
export type AddressRow = Registered & { tokens: TokenMap }

/** The deposits that a filter expression selects, newest first. */
export function useDeposits(filter: string | null) {
  const settings = { ...LIVE, placeholderData: keepPreviousData, select: withTokens<SmartDeposit> }
  return useAll(smartDepositsOptions, filter ? { filter } : {}, settings)
}

/** The addresses of the organization, newest first. */
export function useAddresses() {
  return useAll(smartDepositAddressesOptions, {}, { ...LIVE, select: withTokens<Registered> })
}

/** An address of the organization, as the only row; no row for any other address. */
export function useAddress(smartDepositAddress: Address) {
  const params = { filter: { smartDepositAddress } }
  return useAll(smartDepositAddressesOptions, params, { ...LIVE, select: withTokens<Registered> })
}
