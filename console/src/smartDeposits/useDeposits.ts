import { type components, listSmartDepositAddresses, listSmartDeposits } from '@causeway/sdk'
import { readAll } from '../api/readAll.ts'
import type { TokenMap } from '../api/tokens.ts'
import { LIVE_MS, useApi } from '../api/useApi.ts'
import type { SmartDeposit } from './depositStatus.ts'

export type DepositRow = SmartDeposit & { tokens: TokenMap }
export type AddressRow = components['schemas']['SmartDepositAddress'] & { tokens: TokenMap }

/** The first part of the keys of these reads. */
const SMART_DEPOSITS = 'smart deposits'
export const SMART_DEPOSIT_ADDRESSES = 'smart deposit addresses'

/** The deposits that a filter expression selects, newest first. */
export function useDeposits(filter: string | null) {
  return useApi(
    async (connection, options) => {
      const params = { pageSize: 100, ...(filter ? { filter } : {}) }
      const { rows, tokens, isCut } = await readAll(
        listSmartDeposits(connection, params, options),
        'smartDeposits',
      )
      return { rows: rows.map((row): DepositRow => ({ ...row, tokens })), isCut }
    },
    { key: [SMART_DEPOSITS, filter], every: LIVE_MS },
  )
}

/** The addresses of the organization, newest first. */
export function useAddresses() {
  return useApi(
    async (connection, options) => {
      const { rows, tokens, isCut } = await readAll(
        listSmartDepositAddresses(connection, { pageSize: 100 }, options),
        'smartDepositAddresses',
      )
      return { rows: rows.map((row): AddressRow => ({ ...row, tokens })), isCut }
    },
    { key: [SMART_DEPOSIT_ADDRESSES], every: LIVE_MS },
  )
}
