import type { Hex } from 'viem'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { ScreeningUnavailableError } from '../../domain/smartDeposit/payerScreening.ts'
import type { Keeper } from './keeper.ts'
import { type PaidLog, paidLogOf, readPayer } from './payers.ts'

/** The provider's reasons, by the ids of the deposits whose payers it refuses. */
export type Refusals = ReadonlyMap<Hex, string>

/** What the provider says of the payers of deposits that are to be settled together. */
export type Screened =
  | { kind: 'answered'; refusals: Refusals }
  /** Nothing may be settled before the provider has answered. */
  | { kind: 'unanswered'; why: string }

/** Questions at once: a crowd of small payments does not flood the provider. */
const MOST_AT_ONCE = 25

/** Asks the provider about the payers of all these deposits. Without a provider nobody is refused. */
export async function screenPayers(
  keeper: Keeper,
  deposits: readonly KeeperDeposit[],
): Promise<Screened> {
  const refusals = new Map<Hex, string>()
  for (let start = 0; start < deposits.length; start += MOST_AT_ONCE) {
    const some = deposits.slice(start, start + MOST_AT_ONCE)
    const answers = await Promise.all(some.map((one) => screenDeposit(keeper, one)))
    for (const [index, answer] of answers.entries()) {
      if (answer.kind === 'unanswered') return answer
      const depositId = some[index]?.depositId
      if (answer.kind === 'refused' && depositId) refusals.set(depositId, answer.reason)
    }
  }
  return { kind: 'answered', refusals }
}

/** A payment of the keeper's own order was screened before the order. */
async function screenDeposit(keeper: Keeper, deposit: KeeperDeposit) {
  const { continues } = deposit
  const isOwn = continues !== null && (await isOrderOfDeposit(keeper, continues))
  return isOwn ? ({ kind: 'passed' } as const) : screenPayer(keeper, paidLogOf(deposit))
}

async function isOrderOfDeposit({ sql }: Keeper, orderId: Hex): Promise<boolean> {
  const rows = await sql`select from app.smart_deposit where order_id = ${orderId} limit 1`
  return rows.length > 0
}

/** Asks the provider about the payer of one payment. */
export async function screenPayer(keeper: Keeper, paid: PaidLog) {
  const { payerScreening, chain, logger } = keeper
  if (!payerScreening) return { kind: 'passed' } as const
  try {
    return await payerScreening.screen(await readPayer(keeper, paid))
  } catch (error) {
    const isExpected = error instanceof ScreeningUnavailableError || error instanceof ServiceError
    if (!isExpected) throw error
    logger.warn(
      { chainId: chain.id, hash: paid.paymentTxHash, err: error },
      'the payer of a smart deposit cannot be screened: the payment waits',
    )
    return { kind: 'unanswered', why: error.message } as const
  }
}

/** Why a payment goes to the recovery wallet. */
export function refusalText(reason: string): string {
  return `its payer is refused: ${reason}`
}
