import { action } from '../connection/action.ts'
import { list } from '../connection/list.ts'
import * as api from '../generated/operations.ts'

/** The address whose payments are deposited for a user. The same inputs always have the same address. */
export const registerSmartDepositAddress = /* @__PURE__ */ action(
  api.registerSmartDepositAddressOperation,
  { key: 'smartDepositAddress' },
)
export const listSmartDepositAddresses = /* @__PURE__ */ list(
  api.listSmartDepositAddressesOperation,
  'smartDepositAddresses',
)
export const listSmartDeposits = /* @__PURE__ */ list(
  api.listSmartDepositsOperation,
  'smartDeposits',
)
/** A smart deposit by its id. */
export const getSmartDeposit = /* @__PURE__ */ action(api.getSmartDepositOperation, {
  key: 'smartDeposit',
})
