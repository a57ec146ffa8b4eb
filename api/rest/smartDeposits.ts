import { z } from 'zod'
import {
  SMART_DEPOSIT_ADDRESS_FILTER_KEYS,
  smartDepositAddressQuery,
} from '../../domain/smartDeposit/listSmartDepositAddresses.ts'
import {
  SMART_DEPOSIT_FILTER_KEYS,
  smartDepositQuery,
} from '../../domain/smartDeposit/listSmartDeposits.ts'
import {
  CUSTOMER_ID,
  CUSTOMER_ID_EXPECTED,
  smartDepositAddressViolations,
} from '../../domain/smartDeposit/smartDepositParams.ts'
import { listParameters, listRefusals } from './listRoute.ts'
import { chainIdField, payableAddressParam } from './params.ts'
import { graphql, type Route, route } from './route.ts'

const registerSmartDepositAddressRoute = route({
  method: 'POST',
  path: '/v2/earn/smartDepositAddresses',
  operationId: 'registerSmartDepositAddress',
  summary: 'The address whose receipts are deposited for a user',
  params: z.object({
    userDestinationAddress: payableAddressParam.describe('Who gets the shares.'),
    vaultAddress: payableAddressParam.describe('The `boringVaultAddress` of the deployment.'),
    inputToken: payableAddressParam.describe('The token that will be sent to it.'),
    chainId: chainIdField.describe('Where the vault is.'),
    customerId: z
      .string()
      .regex(CUSTOMER_ID, CUSTOMER_ID_EXPECTED)
      .optional()
      .describe('Your id of the customer; each has an address of its own.'),
  }),
  refusals: (_, __, parsed) => smartDepositAddressViolations(parsed),
  document: graphql`
    mutation registerSmartDepositAddress(
      $userDestinationAddress: PayableAddress!, $vaultAddress: PayableAddress!,
      $inputToken: PayableAddress!, $chainId: Int!, $customerId: String
    ) {
      body: registerSmartDepositAddress(
        userDestinationAddress: $userDestinationAddress, vaultAddress: $vaultAddress,
        inputToken: $inputToken, chainId: $chainId, customerId: $customerId
      ) { smartDepositAddress }
    }
  `,
  errors: ['VAULT_DEPRECATED', 'ASSET_NOT_DEPOSITABLE', 'RPC_UNAVAILABLE'],
  cache: 'no-store',
  limitClass: 'prepare',
})

const listSmartDepositAddressesRoute = route({
  method: 'GET',
  path: '/v2/earn/smartDepositAddresses',
  operationId: 'listSmartDepositAddresses',
  summary: 'The smart deposit addresses that your organization asked for, newest first',
  params: z.object(listParameters(SMART_DEPOSIT_ADDRESS_FILTER_KEYS)),
  refusals: listRefusals(smartDepositAddressQuery),
  document: graphql`
    query listSmartDepositAddresses($filter: String, $pageSize: Int!, $pageToken: String) {
      body: smartDepositAddresses(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        smartDepositAddresses {
          smartDepositAddress chainId factoryAddress userDestinationAddress vaultAddress inputToken
          customerId createdAt
        }
        nextPageToken
      }
    }
  `,
  optional: ['customerId'],
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'no-cache',
})

const listSmartDepositsRoute = route({
  method: 'GET',
  path: '/v2/earn/smartDeposits',
  operationId: 'listSmartDeposits',
  summary: 'The smart deposits that your organization was told of, newest first',
  params: z.object(listParameters(SMART_DEPOSIT_FILTER_KEYS)),
  refusals: listRefusals(smartDepositQuery),
  document: graphql`
    query listSmartDeposits($filter: String, $pageSize: Int!, $pageToken: String) {
      body: smartDeposits(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        smartDeposits {
          depositId status remediation error chainId smartDepositAddress userDestinationAddress
          vaultAddress inputToken customerId receivedAmount mintedAmount receiptTxHash
          receiptTxBlockHash forwardTxHash forwardTxBlockHash recoveryTxHash createdAt updatedAt
          timeline { id type timestamp sequence receiptTxHash forwardTxHash recoveryTxHash }
        }
        nextPageToken
        tokenMetadata
      }
    }
  `,
  optional: [
    'remediation',
    'error',
    'customerId',
    'mintedAmount',
    'forwardTxHash',
    'forwardTxBlockHash',
    'recoveryTxHash',
  ],
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'],
  cache: 'no-cache',
})

/** Addresses that deposit what comes to them. */
export const smartDepositRoutes: readonly Route[] = [
  registerSmartDepositAddressRoute,
  listSmartDepositAddressesRoute,
  listSmartDepositsRoute,
]
