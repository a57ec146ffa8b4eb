import { preparedTransaction } from '../preparedTransaction.ts'
import { graphql, type Route, route } from '../route.ts'
import { QUOTE_ERRORS } from '../transit/quotes.ts'

const previewedDeposit = graphql`
  fragment PreviewedDeposit on PreviewedTransaction {
    transaction { ...PreparedTransaction }
    preview { ...DepositPreview }
    journey {
      id expiresAt smartDepositAddress offerAmount amountOut
      fees { transit { amount asset } vault { amount asset } }
      expectedBy
    }
    warnings { reason message }
  }
  fragment DepositPreview on TransactionPreview {
    expectedShares
    minimumShares
    fee { amount asset }
    exchangeRateToBase
    validUntil
    gasLimit
  }
`

/** For which a deposit is refused, also one that is only quoted. */
export const DEPOSIT_ERRORS = [
  ...QUOTE_ERRORS,
  'VAULT_NOT_FOUND',
  'VAULT_DEPRECATED',
  'ASSET_NOT_DEPOSITABLE',
  'DEPOSIT_TOO_SMALL',
  'SUPPLY_CAP_EXCEEDED',
  'ATTESTATION_REFUSED',
  'VAULT_PAUSED',
  'VAULT_NOT_CONNECTED',
  'ATTESTATION_UNAVAILABLE',
] as const

/** Deposits into vaults. */
export const depositRoutes: readonly Route[] = [
  route({
    path: '/v2/core/authorization',
    operationId: 'getDepositAuthorization',
    field: 'depositAuthorization',
    selection: graphql`{
      spenderAddress
      method
      permitData
      approvalTransaction { encoded requiresFollowUp }
    }`,
    optional: ['permitData', 'approvalTransaction', 'requiresFollowUp'],
    errors: [
      'CHAIN_NOT_FOUND',
      'VAULT_NOT_FOUND',
      'ROUTE_NOT_FOUND',
      'ASSET_NOT_DEPOSITABLE',
      'ASSET_NOT_WITHDRAWABLE',
      'APPROVAL_REFUSED',
      'RPC_UNAVAILABLE',
    ],
    limitClass: 'prepare',
  }),
  route({
    path: '/v2/earn/deposit',
    field: 'deposit',
    selection: graphql`{ ...PreviewedDeposit }`,
    ...preparedTransaction,
    fragments: preparedTransaction.fragments + previewedDeposit,
    optional: ['warnings', 'journey'],
    errors: [...DEPOSIT_ERRORS, 'SIMULATION_FAILED', 'ROUTE_EXHAUSTED'],
    limitClass: 'prepare',
  }),
]
