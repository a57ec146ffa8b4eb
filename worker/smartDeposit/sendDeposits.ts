import type { TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import { type Due, type Planned, transactionOf } from './batches.ts'
import type { Head } from './chainReads.ts'
import type { Fees, Part } from './intents.ts'
import { hasGas } from './keeperGas.ts'
import type { Spending } from './keeperSpending.ts'
import { retainDeposit } from './retainDeposit.ts'
import type { Refusals } from './screenPayers.ts'
import { sendNew } from './sendIntents.ts'
import type { SigningKeeper } from './signingKeepers.ts'
import { storableText } from './storableText.ts'

/** What one pass has to send transactions with. */
export type Run = { keeper: SigningKeeper; fees: Fees; head: Head; spending: Spending }

/** Sends one transaction that settles these deposits. */
export async function sendDeposits(run: Run, planned: readonly Planned[]): Promise<void> {
  const { keeper, fees, spending } = run
  const some = planned.filter(({ due }) => !spending.isOverFor(due.deposit.address))
  const [first, ...others] = some
  if (!first || spending.isOver()) return
  const { call, gas } = transactionOf(some)
  const { value } = call
  if (!(await hasGas(keeper, { gas, value, fees }))) {
    // There may be enough for some of them.
    for (const one of others.length > 0 ? some : []) await sendDeposits(run, [one])
    if (others.length === 0) await retainForGas(keeper, first.due)
    return
  }
  // Another key may have sent meanwhile.
  if (spending.isOver()) return
  const wei = (gas * fees.maxFee + (value ?? 0n)) / BigInt(some.length)
  for (const { due } of some) spending.add(due.deposit.address, wei)
  await sendNew(keeper, {
    call,
    gas,
    fees,
    expiresAt: expiryOf(first),
    parts: some.map(partOf),
    async alongside(sql) {
      for (const one of some) await noteSent(sql, one)
    },
  })
}

function expiryOf({ plan: { decision } }: Planned): Date | null {
  return decision.kind === 'convert' ? decision.expiresAt : null
}

function retainForGas(keeper: SigningKeeper, { deposit: due, members: [deposit = due] }: Due) {
  const why = 'the keeper has not enough coins for gas'
  return keeper.lease.write((sql) => retainDeposit(sql, keeper, { deposit, why }))
}

function partOf({ due: { deposit }, plan: { decision } }: Planned): Part {
  const { depositId, paymentId } = deposit
  const why = 'why' in decision ? decision.why : null
  return { kind: decision.kind, paymentId, depositId, why }
}

/** Notes what a transaction settles of a deposit, or of the members of a collection. */
function noteSent(sql: TransactionSql, { due, plan }: Planned) {
  const { decision, parts, refusals } = plan
  const { deposit, members } = due
  const { depositId, paymentId } = deposit
  const ids = [...new Set([depositId, ...members.map((member) => member.depositId)])]
  const depositor = decision.kind === 'forward' ? decision.depositor : deposit.depositorAddress
  return sql`
    update app.smart_deposit d
    set depositor_address = ${depositor}, failing_since = null, updated_at = now(),
      collected_as = ${members.length > 0 ? paymentId : null}, arrived_amount = part.amount,
      payer_refusal = part.refusal, unscreened_since = null
    from unnest(${ids}::text[], ${ids.map((id) => parts.get(id)?.toString() ?? null)}::numeric[],
      ${ids.map((id) => refusalOf(refusals, id))}::text[]) as part (deposit_id, amount, refusal)
    where d.deposit_id = part.deposit_id`
}

/** The reason for which the payer of a deposit is refused, as it is stored; null if it is not. */
export function refusalOf(refusals: Refusals, depositId: Hex): string | null {
  const reason = refusals.get(depositId)
  return reason === undefined ? null : storableText(reason)
}
