import { getSmartDeposit, listSmartDeposits, watchSmartDeposit } from '@causeway/sdk'
import type { Address, Hash } from 'viem'
import { LIVE_MS, useApi } from '../api/useApi.ts'
import { type LiveResource, useLive } from '../api/useLive.ts'
import type { SmartDeposit } from './depositStatus.ts'

const DEPOSIT: LiveResource<SmartDeposit> = {
  name: 'smart deposit',
  read: (connection, depositId, options) => getSmartDeposit(connection, { depositId }, options),
  watch: watchSmartDeposit,
  absent: ['SMART_DEPOSIT_NOT_FOUND'],
}

/** A smart deposit that updates without a reload until it is finalized or has failed. */
export function useDeposit(depositId: Hash) {
  return useLive(DEPOSIT, depositId)
}

/** The newest deposits of the same address, with their tokens. */
export function useDepositsOfAddress(smartDepositAddress: Address) {
  return useApi(
    (connection, options) =>
      listSmartDeposits(
        connection,
        { filter: { smartDepositAddress }, pageSize: 100 },
        options,
      ).page(),
    { key: ['smart deposits', 'of', smartDepositAddress], every: LIVE_MS },
  )
}
