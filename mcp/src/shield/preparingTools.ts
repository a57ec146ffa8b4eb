import type { JsonSchema } from '../openApiDocument.ts'
import { checkAuthorization, checkDepositAuthorization } from './checkAuthorizations.ts'
import type { AnswerCheck } from './checkedParts.ts'
import {
  checkCancellation,
  checkDeposit,
  checkQuote,
  checkTakeBack,
  checkWithdrawal,
} from './checkTransactions.ts'

/** A tool whose answer has something to sign. */
export type PreparingTool = {
  check: AnswerCheck
  /** Limits of the user. Only the check needs them: the API does not get them. */
  limits: Record<string, JsonSchema>
}

const address = (description: string) => ({
  type: 'string',
  pattern: '^0x[0-9a-fA-F]{40}$',
  description,
})
const amount = (description: string) => ({ type: 'string', pattern: '^[0-9]+$', description })
const organizationId = {
  type: 'string',
  description: 'The id of your organization. Required with `customerId`.',
}

/** Every tool that prepares something to sign, by the id of its operation. */
export const PREPARING_TOOLS: Record<string, PreparingTool> = {
  getAuthorization: { check: checkAuthorization, limits: {} },
  getDepositAuthorization: { check: checkDepositAuthorization, limits: {} },
  getOrderQuote: {
    check: checkQuote,
    limits: {
      minimumAmountOut: amount(
        'The least that the receiver has to get, in base units of the want asset, as the user has agreed. Required for a signed quote without `wantAmount`.',
      ),
      maxOfferAmount: amount(
        'The most that the user pays, in base units of the offer asset. Required for a signed quote by `wantAmount`.',
      ),
    },
  },
  deposit: {
    check: checkDeposit,
    limits: {
      minimumShares: amount(
        'The least shares that the user takes, in base units. Required if this server has no node of the chain to read the rate of the vault.',
      ),
      minimumAmountOut: amount(
        'The least that has to arrive at the vault, in base units of `depositAsset`. Required with `sourceAsset`.',
      ),
      maxDepositAmount: amount(
        'The most that the user pays, in base units of `sourceAsset`. Required with `wantShares`.',
      ),
      organizationId,
    },
  },
  withdraw: {
    check: checkWithdrawal,
    limits: {
      minimumAssets: amount(
        'The least that the user takes, in base units of `wantAsset`. A request in the queue promises no amount, so it is refused unless `mayWait` is true. Required for a withdrawal at once if this server has no node of the chain.',
      ),
      mayWait: {
        type: 'boolean',
        description: 'Whether a request in the queue will do beside `minimumAssets`.',
      },
    },
  },
  cancelWithdrawal: { check: checkCancellation, limits: {} },
  prepareTakeBack: {
    check: checkTakeBack,
    limits: {
      userAddress: address('The user of the address, who sends the call and gets what is taken.'),
      vaultAddress: address('The vault of the address.'),
      inputToken: address('The token that the address deposits.'),
      vaultChainId: { type: 'integer', description: 'The chain of that vault.' },
      customerId: {
        type: 'string',
        description: 'The id of the customer, if the address has one.',
      },
      organizationId,
    },
  },
}
