import { z } from 'zod'
import { depositAuthorizationViolations } from '../../domain/earn/deposits/depositAuthorization.ts'
import { depositViolations } from '../../domain/earn/deposits/depositParams.ts'
import { withdrawalFeeViolations } from '../../domain/earn/withdrawals/withdrawalFee.ts'
import { otherDepositor, withdrawViolations } from '../../domain/earn/withdrawals/withdrawParams.ts'
import { earnReadRoutes } from './earnReads.ts'
import { earnSeriesRoutes } from './earnSeries.ts'
import {
  addressParam,
  amountParam,
  chainIdParam,
  flagParam,
  orderIndexParam,
  payableAddressParam,
  responseFormatParam,
  unixTimeParam,
} from './params.ts'
import { preparedTransactionFragment, transactionParts } from './preparedTransaction.ts'
import { graphql, type Route, route } from './route.ts'

const vaultParam = payableAddressParam.describe('The `boringVaultAddress` of the deployment.')
const chainParam = chainIdParam.describe('Where the vault is.')
const simulateParam = flagParam.describe(
  'Whether to run it against the chain first, as if balance and approval were there.',
)

const getDepositAuthorizationRoute = route({
  method: 'GET',
  path: '/v2/core/authorization',
  operationId: 'getDepositAuthorization',
  summary: "How a user can let a vault's depositor take a deposit",
  params: z.object({
    vaultAddress: vaultParam,
    tokenAddress: payableAddressParam.describe('The token to deposit.'),
    amount: amountParam.describe('Base units of the token.'),
    userAddress: payableAddressParam.describe('Who will deposit.'),
    chainId: chainParam,
  }),
  refusals: (_, __, parsed) => depositAuthorizationViolations(parsed),
  document: graphql`
    query getDepositAuthorization(
      $vaultAddress: PayableAddress!, $tokenAddress: PayableAddress!, $amount: Amount!,
      $userAddress: PayableAddress!, $chainId: Int!
    ) {
      body: depositAuthorization(
        vaultAddress: $vaultAddress, tokenAddress: $tokenAddress, amount: $amount,
        userAddress: $userAddress, chainId: $chainId
      ) {
        method
        permitData
        approvalTransaction { encoded requiresFollowUp }
      }
    }
  `,
  optional: ['permitData', 'approvalTransaction', 'requiresFollowUp'],
  errors: ['VAULT_NOT_FOUND', 'ASSET_NOT_DEPOSITABLE', 'APPROVAL_REFUSED', 'RPC_UNAVAILABLE'],
  cache: 'no-store',
  limitClass: 'prepare',
})

const depositRoute = route({
  method: 'GET',
  path: '/v2/earn/deposit',
  operationId: 'deposit',
  summary: 'The transaction that deposits into a vault',
  params: z.object({
    vaultAddress: vaultParam,
    depositAsset: payableAddressParam.describe('The token to deposit.'),
    depositAmount: amountParam.describe('Base units of the token.'),
    userAddress: payableAddressParam.describe('Who signs and sends it.'),
    chainId: chainParam,
    to: payableAddressParam.optional().describe('Who gets the shares; by default the user.'),
    permitSignature: z.string().optional().describe('65 bytes, with `permitDeadline`.'),
    permitDeadline: unixTimeParam.optional().describe('That of the signed permit.'),
    simulate: simulateParam,
    responseFormat: responseFormatParam,
  }),
  refusals: (_, input, parsed) => depositViolations(parsed, input),
  variables: ({ responseFormat, ...params }) => ({
    ...params,
    ...transactionParts(responseFormat),
  }),
  document:
    graphql`
    query deposit(
      $vaultAddress: PayableAddress!, $depositAsset: PayableAddress!, $depositAmount: Amount!,
      $userAddress: PayableAddress!, $chainId: Int!, $to: PayableAddress, $permitSignature: String,
      $permitDeadline: UnixTime, $simulate: Boolean!, $withData: Boolean!, $withCall: Boolean!
    ) {
      transaction: deposit(
        vaultAddress: $vaultAddress, depositAsset: $depositAsset, depositAmount: $depositAmount,
        userAddress: $userAddress, chainId: $chainId, to: $to, permitSignature: $permitSignature,
        permitDeadline: $permitDeadline, simulate: $simulate
      ) { ...PreparedTransaction }
    }
  ` + preparedTransactionFragment,
  errors: [
    'VAULT_NOT_FOUND',
    'VAULT_DEPRECATED',
    'ASSET_NOT_DEPOSITABLE',
    'DEPOSIT_TOO_SMALL',
    'SUPPLY_CAP_EXCEEDED',
    'ACCOUNT_FROZEN',
    'ATTESTATION_REFUSED',
    'SIMULATION_FAILED',
    'VAULT_PAUSED',
    'ATTESTATION_UNAVAILABLE',
    'RPC_UNAVAILABLE',
  ],
  cache: 'no-store',
  limitClass: 'prepare',
})

const withdrawRoute = route({
  method: 'GET',
  path: '/v2/earn/withdraw',
  operationId: 'withdraw',
  summary: 'The transaction that withdraws from a vault, in the best mode open to the account',
  params: z.object({
    vaultAddress: vaultParam,
    wantAsset: payableAddressParam.describe('The token to receive.'),
    shareAmount: amountParam.describe(
      "Base units of the share token, which has the vault's decimals.",
    ),
    userAddress: payableAddressParam.describe('Who signs and sends it.'),
    chainId: chainParam,
    intendedDepositor: payableAddressParam.optional().describe('Must be the user.'),
    receiver: payableAddressParam
      .optional()
      .describe('Who is paid, and may cancel; by default the user.'),
    refundReceiver: payableAddressParam
      .optional()
      .describe('Who gets shares that are refunded; by default the user.'),
    simulate: simulateParam,
    responseFormat: responseFormatParam,
  }),
  refusals: (_, __, parsed) => [
    ...withdrawViolations(parsed),
    ...(otherDepositor(parsed)?.fieldViolations ?? []),
  ],
  variables: ({ responseFormat, ...params }) => ({
    ...params,
    ...transactionParts(responseFormat),
  }),
  document:
    graphql`
    query withdraw(
      $vaultAddress: PayableAddress!, $wantAsset: PayableAddress!, $shareAmount: Amount!,
      $userAddress: PayableAddress!, $chainId: Int!, $intendedDepositor: PayableAddress,
      $receiver: PayableAddress, $refundReceiver: PayableAddress, $simulate: Boolean!,
      $withData: Boolean!, $withCall: Boolean!
    ) {
      transaction: withdraw(
        vaultAddress: $vaultAddress, wantAsset: $wantAsset, shareAmount: $shareAmount,
        userAddress: $userAddress, chainId: $chainId, intendedDepositor: $intendedDepositor,
        receiver: $receiver, refundReceiver: $refundReceiver, simulate: $simulate
      ) { ...PreparedTransaction }
    }
  ` + preparedTransactionFragment,
  errors: [
    'VAULT_NOT_FOUND',
    'INTENDED_DEPOSITOR_NOT_SENDER',
    'BELOW_MIN_ORDER_SIZE',
    'WITHDRAWAL_TOO_SMALL',
    'ASSET_NOT_WITHDRAWABLE',
    'RECEIVER_REFUSES_RECEIPT',
    'ACCOUNT_FROZEN',
    'SIMULATION_FAILED',
    'VAULT_PAUSED',
    'RPC_UNAVAILABLE',
  ],
  cache: 'no-store',
  limitClass: 'prepare',
})

const cancelWithdrawalRoute = route({
  method: 'GET',
  path: '/v2/earn/withdraw/cancel',
  operationId: 'cancelWithdrawal',
  summary: 'The transaction that has a pending withdrawal order refunded',
  params: z.object({
    vaultAddress: vaultParam,
    orderIndex: orderIndexParam,
    chainId: chainParam,
    simulate: flagParam.describe(
      "Whether to run it against the chain first, as the receipt's holder.",
    ),
    responseFormat: responseFormatParam,
  }),
  variables: ({ responseFormat, ...params }) => ({
    ...params,
    ...transactionParts(responseFormat),
  }),
  document:
    graphql`
    query cancelWithdrawal(
      $vaultAddress: PayableAddress!, $orderIndex: Amount!, $chainId: Int!, $simulate: Boolean!,
      $withData: Boolean!, $withCall: Boolean!
    ) {
      transaction: cancelWithdrawal(
        vaultAddress: $vaultAddress, orderIndex: $orderIndex, chainId: $chainId, simulate: $simulate
      ) { ...PreparedTransaction }
    }
  ` + preparedTransactionFragment,
  errors: [
    'VAULT_NOT_FOUND',
    'WITHDRAWAL_REQUEST_NOT_FOUND',
    'WITHDRAWAL_NOT_PENDING',
    'SIMULATION_FAILED',
    'VAULT_PAUSED',
    'RPC_UNAVAILABLE',
  ],
  cache: 'no-store',
  limitClass: 'prepare',
})

const calculateWithdrawalFeeRoute = route({
  method: 'GET',
  path: '/v2/earn/calculateWithdrawalFee',
  operationId: 'calculateWithdrawalFee',
  summary: 'What the queue takes of a withdrawal order',
  params: z.object({
    offerAmount: amountParam.describe('Shares, base units.'),
    wantAsset: addressParam.describe('The token to receive.'),
    vaultAddress: addressParam.describe('The `boringVaultAddress` of the deployment.'),
    chainId: chainParam,
  }),
  refusals: (_, __, parsed) => withdrawalFeeViolations(parsed),
  document: graphql`
    query calculateWithdrawalFee(
      $offerAmount: Amount!, $wantAsset: Address!, $vaultAddress: Address!, $chainId: Int!
    ) {
      body: withdrawalFee(
        offerAmount: $offerAmount, wantAsset: $wantAsset, vaultAddress: $vaultAddress, chainId: $chainId
      ) {
        feeAmount
        offerFeePercentage { bps percentage }
        flatFee
      }
    }
  `,
  errors: ['VAULT_NOT_FOUND', 'ASSET_NOT_WITHDRAWABLE', 'VAULT_PAUSED', 'RPC_UNAVAILABLE'],
  cache: 'no-store',
  limitClass: 'prepare',
})

/** All of Earn. */
export const earnRoutes: readonly Route[] = [
  ...earnReadRoutes,
  getDepositAuthorizationRoute,
  depositRoute,
  withdrawRoute,
  cancelWithdrawalRoute,
  calculateWithdrawalFeeRoute,
  ...earnSeriesRoutes,
]
