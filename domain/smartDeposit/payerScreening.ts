import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { askProvider } from '../provider/askProvider.ts'

/** A payment, and the account that made it. */
export type PaidBy = {
  /** The chain on which the payer paid: of a Transit order, its source. */
  chainId: number
  payer: Address
  /** The account that sent the transaction: another one if the payer is a contract. */
  transactionSender: Address | null
  transactionHash: Hex
  token: Address
  /** Base units of the token that came to the smart deposit address. */
  amount: bigint
  smartDepositAddress: Address
}

type PayerVerdict =
  | { kind: 'passed' }
  /** `reason`: the provider's words. */
  | { kind: 'refused'; reason: string }

/** Decides whether the payment of an account may be accepted. */
export type PayerScreening = {
  /** Throws `ScreeningUnavailableError` without a valid answer in time. */
  screen(payment: PaidBy): Promise<PayerVerdict>
}

/** The provider gave no answer that decides. The same question may succeed later. */
export class ScreeningUnavailableError extends Error {
  override name = 'ScreeningUnavailableError'
}

/** A longer reason of a provider is cut, because lists and webhooks show it. */
const MOST_LETTERS = 200

const answerSchema = z.discriminatedUnion('is_allowed', [
  z.object({ is_allowed: z.literal(true) }),
  z.object({
    is_allowed: z.literal(false),
    reason: z
      .string()
      .trim()
      .transform((text) => text.slice(0, MOST_LETTERS).toWellFormed())
      .optional(),
  }),
])

/** A provider that is asked over HTTP (docs/operating/payer-screening.md). */
export function httpPayerScreening(url: string, apiKey: string): PayerScreening {
  return {
    async screen(payment) {
      const answer = await askProvider({ url, apiKey }, questionOf(payment), answerSchema).catch(
        (cause) => {
          throw new ScreeningUnavailableError('the screening provider gives no answer', { cause })
        },
      )
      if (answer.is_allowed) return { kind: 'passed' }
      return { kind: 'refused', reason: answer.reason || 'not given' }
    },
  }
}

function questionOf(payment: PaidBy) {
  return {
    chain_id: String(payment.chainId),
    payer: payment.payer,
    transaction_sender: payment.transactionSender,
    transaction_hash: payment.transactionHash,
    token: payment.token,
    amount: String(payment.amount),
    smart_deposit_address: payment.smartDepositAddress,
  }
}
