import { graphql, type Route, route } from './route.ts'

const registerSmartDepositAddressRoute = route({
  method: 'POST',
  path: '/v2/earn/smartDepositAddresses',
  operationId: 'registerSmartDepositAddress',
  field: 'registerSmartDepositAddress',
  selection: graphql`{ smartDepositAddress }`,
  errors: ['CHAIN_NOT_FOUND', 'VAULT_DEPRECATED', 'ASSET_NOT_DEPOSITABLE', 'RPC_UNAVAILABLE'],
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
    }
    nextPageToken
  }`,
  optional: ['customerId', 'organizationId'],
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'private, no-cache',
})

const listSmartDepositsRoute = route({
  method: 'GET',
  path: '/v2/earn/smartDeposits',
  operationId: 'listSmartDeposits',
  field: 'smartDeposits',
  selection: graphql`{
    smartDeposits {
      depositId retryOf status remediation error chainId smartDepositAddress userDestinationAddress
      vaultAddress inputToken customerId receivedAmount mintedAmount receiptTxHash
      receiptTxBlockHash forwardTxHash forwardTxBlockHash recoveryTxHash createdAt updatedAt
      timeline { id type timestamp sequence receiptTxHash forwardTxHash recoveryTxHash }
    }
    nextPageToken
    tokenMetadata
  }`,
  optional: [
    'retryOf',
    'remediation',
    'error',
    'customerId',
    'mintedAmount',
    'forwardTxHash',
    'forwardTxBlockHash',
    'recoveryTxHash',
  ],
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'private, no-cache',
})

/** Smart deposit addresses and smart deposits. */
export const smartDepositRoutes: readonly Route[] = [
  registerSmartDepositAddressRoute,
  listSmartDepositAddressesRoute,
  listSmartDepositsRoute,
]
