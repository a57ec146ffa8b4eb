import type { Hex } from 'viem'
import { depositOfCaller, getSmartDeposit } from '../../domain/smartDeposit/getSmartDeposit.ts'
import { preparedTransaction } from './preparedTransaction.ts'
import { resourceWait, waitSeconds } from './resourceWait.ts'
import { graphql, type Route, route } from './route.ts'

/** The fields of what an address accepts that an answer lacks where they are null. */
const ACCEPTANCE_OPTIONAL = ['reason', 'since']

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

/** Smart deposit addresses and smart deposits. */
export const smartDepositRoutes: readonly Route[] = [
  route({
    path: '/v2/earn/smartDepositAddresses',
    field: 'registerSmartDepositAddress',
    selection: graphql`{ smartDepositAddress accepts { ...SmartDepositAcceptance } }`,
    optional: ACCEPTANCE_OPTIONAL,
    errors: [
      'RECEIVER_CANNOT_USE',
      'CHAIN_NOT_FOUND',
      'VAULT_DEPRECATED',
      'ASSET_NOT_DEPOSITABLE',
      'RPC_UNAVAILABLE',
    ],
    limitClass: 'prepare',
  }),
  route({
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
    optional: ['customerId', 'organizationId', ...ACCEPTANCE_OPTIONAL],
  }),
  // Before the deposit by its id, which has the same path but for the name.
  route({
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
    limitClass: 'prepare',
  }),
  route({
    path: '/v2/earn/smartDeposits/{depositId}',
    operationId: 'getSmartDeposit',
    field: 'smartDeposit',
    key: 'smartDeposit',
    restOnly: { waitSeconds },
    selection: graphql`{ ...SmartDeposit }`,
    optional: SMART_DEPOSIT_OPTIONAL,
    notFound: 'SMART_DEPOSIT_NOT_FOUND',
    wait: resourceWait({
      idOf: ({ depositId }: { depositId: Hex }) => depositId,
      read: getSmartDeposit,
      watch: ({ smartDepositWatch }) => smartDepositWatch,
      watchedId: depositOfCaller,
      passing: ['SMART_DEPOSIT_NOT_FOUND'],
    }),
  }),
  route({
    path: '/v2/earn/smartDeposits',
    operationId: 'listSmartDeposits',
    field: 'smartDeposits',
    selection: graphql`{
      smartDeposits { ...SmartDeposit }
      nextPageToken
      tokenMetadata
    }`,
    optional: SMART_DEPOSIT_OPTIONAL,
  }),
  route({
    path: '/v2/earn/smartDeposits/{depositId}/refund',
    field: 'refundSmartDeposit',
    key: 'smartDeposit',
    selection: graphql`{ ...SmartDeposit }`,
    optional: SMART_DEPOSIT_OPTIONAL,
    errors: ['SMART_DEPOSIT_NOT_FOUND', 'REFUND_NOT_POSSIBLE'],
  }),
]
