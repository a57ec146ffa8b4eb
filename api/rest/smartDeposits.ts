import type { Hex } from 'viem'
import { getSmartDeposit, placeOfCaller } from '../../domain/smartDeposit/getSmartDeposit.ts'
import { fragmentOf } from './fragmentOf.ts'
import { preparedTransaction } from './preparedTransaction.ts'
import { resourceWait, waitSeconds } from './resourceWait.ts'
import { graphql, type Route, route } from './route.ts'

/** The fields of what an address accepts that an answer lacks where they are null. */
const ACCEPTANCE_OPTIONAL = ['reason', 'since']

const registerSmartDepositAddressRoute = route({
  method: 'POST',
  path: '/v2/earn/smartDepositAddresses',
  operationId: 'registerSmartDepositAddress',
  field: 'registerSmartDepositAddress',
  selection: graphql`{ smartDepositAddress accepts { ...SmartDepositAcceptance } }`,
  fragments: fragmentOf('SmartDepositAcceptance'),
  optional: ACCEPTANCE_OPTIONAL,
  errors: [
    'RECEIVER_CANNOT_USE',
    'CHAIN_NOT_FOUND',
    'VAULT_DEPRECATED',
    'ASSET_NOT_DEPOSITABLE',
    'RPC_UNAVAILABLE',
  ],
  cache: 'no-store',
  limitClass: 'prepare',
})

const listSmartDepositAddressesRoute = route({
  method: 'GET',
  path: '/v2/earn/smartDepositAddresses',
  operationId: 'listSmartDepositAddresses',
  field: 'smartDepositAddresses',
  selection: graphql`{
    smartDepositAddresses {
      smartDepositAddress chainId factoryAddress userDestinationAddress vaultAddress inputToken
      customerId organizationId createdAt
      accepts { ...SmartDepositAcceptance }
    }
    nextPageToken
    tokenMetadata
  }`,
  fragments: fragmentOf('SmartDepositAcceptance'),
  optional: ['customerId', 'organizationId', ...ACCEPTANCE_OPTIONAL],
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'private, no-cache',
})

/** The fields of a smart deposit that an answer lacks where they are null. */
export const SMART_DEPOSIT_OPTIONAL = [
  'retryOf',
  'transitOrder',
  'remediation',
  'reason',
  'refundOrderedAt',
  'error',
  'customerId',
  'originChainId',
  'originAsset',
  'originAmount',
  'convertTxHash',
  'mintedAmount',
  'forwardTxHash',
  'forwardTxBlockHash',
  'recoveryTxHash',
]

const getSmartDepositRoute = route({
  method: 'GET',
  path: '/v2/earn/smartDeposits/{depositId}',
  operationId: 'getSmartDeposit',
  field: 'smartDeposit',
  key: 'smartDeposit',
  restOnly: { waitSeconds },
  selection: graphql`{ ...SmartDeposit }`,
  fragments: fragmentOf('SmartDeposit'),
  optional: SMART_DEPOSIT_OPTIONAL,
  notFound: 'SMART_DEPOSIT_NOT_FOUND',
  cache: 'private, no-cache',
  wait: resourceWait({
    // The scalar `Hash` has already validated it.
    idOf: ({ depositId }) => depositId as Hex,
    read: getSmartDeposit,
    watch: ({ smartDepositWatch }) => smartDepositWatch,
    watchedId: placeOfCaller,
    passing: ['SMART_DEPOSIT_NOT_FOUND'],
  }),
})

const listSmartDepositsRoute = route({
  method: 'GET',
  path: '/v2/earn/smartDeposits',
  operationId: 'listSmartDeposits',
  field: 'smartDeposits',
  selection: graphql`{
    smartDeposits { ...SmartDeposit }
    nextPageToken
    tokenMetadata
  }`,
  fragments: fragmentOf('SmartDeposit'),
  optional: SMART_DEPOSIT_OPTIONAL,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'private, no-cache',
})

const smartDepositWithdrawalRoute = route({
  method: 'GET',
  path: '/v2/earn/smartDeposits/withdrawal',
  operationId: 'prepareTakeBack',
  field: 'smartDepositWithdrawal',
  selection: graphql`{
    state opensAt closesAt delaySeconds amount
    userDestinationAddress vaultAddress inputToken vaultChainId customerId organizationId
    transaction { ...PreparedTransaction }
  }`,
  ...preparedTransaction,
  optional: ['opensAt', 'closesAt', 'transaction', 'customerId', 'organizationId'],
  errors: ['CHAIN_NOT_FOUND', 'RPC_UNAVAILABLE'],
  cache: 'no-store',
  limitClass: 'prepare',
})

const refundSmartDepositRoute = route({
  method: 'POST',
  path: '/v2/earn/smartDeposits/{depositId}/refund',
  operationId: 'refundSmartDeposit',
  field: 'refundSmartDeposit',
  key: 'smartDeposit',
  selection: graphql`{ ...SmartDeposit }`,
  fragments: fragmentOf('SmartDeposit'),
  optional: SMART_DEPOSIT_OPTIONAL,
  errors: ['SMART_DEPOSIT_NOT_FOUND', 'REFUND_NOT_POSSIBLE'],
  cache: 'no-store',
})

/** Smart deposit addresses and smart deposits. */
export const smartDepositRoutes: readonly Route[] = [
  registerSmartDepositAddressRoute,
  listSmartDepositAddressesRoute,
  // Before the deposit by its id, which has the same path but for the name.
  smartDepositWithdrawalRoute,
  getSmartDepositRoute,
  listSmartDepositsRoute,
  refundSmartDepositRoute,
]
