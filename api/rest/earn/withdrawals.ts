import { preparedTransaction } from '../preparedTransaction.ts'
import { graphql, type Route, route } from '../route.ts'

const previewedWithdrawal = graphql`
  fragment PreviewedWithdrawal on PreviewedTransaction {
    transaction { ...PreparedTransaction }
    preview { ...WithdrawalPreview }
    remainder { shares isWithdrawable }
    warnings { reason message }
  }
  fragment WithdrawalPreview on TransactionPreview {
    expectedAssets
    minimumAssets
    fee { amount asset }
    exchangeRateToBase
    validUntil
    gasLimit
  }
`

/** Withdrawals from vaults. */
export const withdrawalRoutes: readonly Route[] = [
  route({
    path: '/v2/earn/withdraw',
    field: 'withdraw',
    selection: graphql`{ ...PreviewedWithdrawal }`,
    ...preparedTransaction,
    fragments: preparedTransaction.fragments + previewedWithdrawal,
    optional: ['warnings'],
    errors: [
      'CHAIN_NOT_FOUND',
      'VAULT_NOT_FOUND',
      'INTENDED_DEPOSITOR_NOT_SENDER',
      'BELOW_MIN_ORDER_SIZE',
      'WITHDRAWAL_TOO_SMALL',
      'REMAINDER_TOO_SMALL',
      'ASSET_NOT_WITHDRAWABLE',
      'RECEIVER_REFUSES_RECEIPT',
      'ACCOUNT_FROZEN',
      'RECEIVER_CANNOT_USE',
      'SIMULATION_FAILED',
      'VAULT_PAUSED',
      'VAULT_NOT_CONNECTED',
      'RPC_UNAVAILABLE',
    ],
    limitClass: 'prepare',
  }),
  route({
    path: '/v2/earn/withdraw/cancel',
    field: 'cancelWithdrawal',
    key: 'transaction',
    selection: graphql`{ ...PreparedTransaction }`,
    ...preparedTransaction,
    errors: [
      'CHAIN_NOT_FOUND',
      'VAULT_NOT_FOUND',
      'WITHDRAWAL_REQUEST_NOT_FOUND',
      'ORDER_INDEX_AMBIGUOUS',
      'WITHDRAWAL_NOT_PENDING',
      'SIMULATION_FAILED',
      'VAULT_PAUSED',
      'RPC_UNAVAILABLE',
    ],
    limitClass: 'prepare',
  }),
  route({
    path: '/v2/earn/calculateWithdrawalFee',
    operationId: 'calculateWithdrawalFee',
    field: 'withdrawalFee',
    selection: graphql`{
      feeAmount
      offerFeePercentage { bps percentage }
      flatFee
    }`,
    errors: [
      'CHAIN_NOT_FOUND',
      'VAULT_NOT_FOUND',
      'ASSET_NOT_WITHDRAWABLE',
      'VAULT_PAUSED',
      'RPC_UNAVAILABLE',
    ],
    limitClass: 'prepare',
  }),
]
