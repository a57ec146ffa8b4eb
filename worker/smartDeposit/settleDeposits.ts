import { ServiceError } from '../../domain/error/serviceError.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import type { Head } from './chainReads.ts'
import { listDue } from './dueDeposits.ts'
import { endAsFound } from './endAsFound.ts'
import {
  failForeign,
  foreignCall,
  listWantedForeign,
  type WantedForeign,
} from './foreignTransfers.ts'
import { holdOf, reportHold, retainHeld } from './holds.ts'
import type { Fees } from './intents.ts'
import type { Hold } from './keeper.ts'
import { hasGas } from './keeperGas.ts'
import { readSpending, type Spending } from './keeperSpending.ts'
import { type Plan, planDeposit, tryCall } from './planDeposit.ts'
import { retainDeposit, waitOrRetain } from './retainDeposit.ts'
import { runApart } from './runApart.ts'
import { readFees, type SigningKeeper, sendNew } from './sendIntents.ts'
import { type Collection, listCollections, setAsideSmall } from './smallPayments.ts'

/** Open transactions at once: the others wait behind one that is stuck. */
const MOST_OPEN = 16
/** Gas limit for a token that anybody may have written: several times what a usual one takes. */
const MOST_FOREIGN_GAS = 500_000

/** Sends transactions for the deposits that are due and the foreign transfers that an operator settles. */
export async function settleDeposits(keeper: SigningKeeper, head: Head): Promise<void> {
  const spending = await readSpending(keeper)
  const due = holdOf(keeper, head, spending) ?? (await planDue(keeper, head, spending))
  const hold = typeof due === 'string' ? due : null
  const steps: Step[] = [
    ...(typeof due === 'string' ? [] : due),
    ['holds', () => reportHold(keeper, hold)],
    ['held deposits', () => retainHeld(keeper, { hold, addresses: spending.listOver() })],
    ['small payments', () => setAsideSmall(keeper)],
  ]
  await runApart(keeper, { items: steps, nameOf: ([name]) => name, run: ([, run]) => run() })
}

/** One thing to do, by the name that the log shows. */
type Step = [name: string, run: () => Promise<unknown>]

type Run = { keeper: SigningKeeper; fees: Fees; head: Head; spending: Spending }

/** What is to be sent, or why nothing may be sent. */
async function planDue(
  keeper: SigningKeeper,
  head: Head,
  spending: Spending,
): Promise<Hold | Step[]> {
  const { sql, chain } = keeper
  const [row] = await sql<{ open: number }[]>`
    select count(*)::integer as open from app.keeper_intent
    where chain_id = ${chain.id} and state = 'open'`
  const most = Math.max(MOST_OPEN - (row?.open ?? 0), 0)
  const without = spending.listOver()
  const single = await listDue(keeper, { most, without })
  const due: Due[] = [
    ...single.map((deposit) => ({ deposit, members: [] })),
    ...(await listCollections(keeper, { most: most - single.length, without })).map(dueOf),
  ]
  const wanted = (await listWantedForeign(keeper)).slice(0, most - due.length)
  if (due.length + wanted.length === 0) return []
  const fees = await readFees(keeper, head)
  if (fees === null) return 'fee'
  const run = { keeper, fees, head, spending }
  const gasPrice = head.baseFeePerGas === null ? fees.maxFee : head.baseFeePerGas + fees.priorityFee
  // Deposits are read in parallel; nonces are used one after the other.
  const plans = await Promise.allSettled(
    due.map((one) => planDeposit({ keeper, ...one, gasPrice, head })),
  )
  return [
    ...due.map(
      (one, index): Step => [
        one.deposit.depositId,
        async () => {
          const plan = plans[index]
          if (plan?.status === 'rejected') throw plan.reason
          if (plan) await carryOut(run, one, plan.value)
        },
      ],
    ),
    ...wanted.map((foreign): Step => [foreign.paymentId, () => settleForeign(run, foreign)]),
  ]
}

/** A deposit, or the lead of several that are settled together with the amount of all. */
type Due = { deposit: KeeperDeposit; members: readonly KeeperDeposit[] }

function dueOf({ lead, members, total }: Collection): Due {
  return { deposit: { ...lead, receivedAmount: total }, members }
}

async function settleForeign({ keeper, fees, spending }: Run, foreign: WantedForeign) {
  const { paymentId, wanted: kind, address } = foreign
  if (spending.isOver()) return
  const call = foreignCall(foreign)
  const tried = await tryCall(keeper, call, MOST_FOREIGN_GAS)
  if (!('gas' in tried)) {
    const why = 'revert' in tried ? tried.revert : tried.tooMuch
    return keeper.lease.write((sql) => failForeign(sql, paymentId, `refused: ${why}`))
  }
  const { gas } = tried
  if (!(await hasGas(keeper, { gas, fees }))) return
  await sendNew(keeper, { kind, paymentId, depositId: null, why: null, gas, call, fees })
  spending.add(address, gas * fees.maxFee)
}

async function carryOut(run: Run, due: Due, plan: Plan) {
  const { keeper, head } = run
  // The lead itself. The recorded deposits have their own amounts.
  const deposit = due.members[0] ?? due.deposit
  switch (plan.kind) {
    case 'settled':
      return endAsFound(keeper, deposit, head).catch((error) => {
        if (!(error instanceof ServiceError)) throw error
        return waitFor(keeper, deposit, error.message)
      })
    case 'retain':
      return keeper.lease.write((sql) => retainDeposit(sql, keeper, { ...plan, deposit }))
    case 'wait':
      return waitFor(keeper, deposit, plan.why)
    case 'send':
      return send(run, due, plan)
  }
}

function waitFor(keeper: SigningKeeper, deposit: KeeperDeposit, why: string) {
  return keeper.lease.write((sql) => waitOrRetain(sql, keeper, { deposit, why }))
}

type Planned = Extract<Plan, { kind: 'send' }>

async function send({ keeper, fees, spending }: Run, due: Due, planned: Planned) {
  const { decision, gas, parts } = planned
  const { deposit, members } = due
  const { depositId, paymentId, address } = deposit
  if (spending.isOver() || spending.isOverFor(address)) return
  if (!(await hasGas(keeper, { gas, fees }))) {
    const why = 'the keeper has not enough coins for gas'
    return keeper.lease.write((sql) => retainDeposit(sql, keeper, { deposit, why }))
  }
  const { kind, call } = decision
  const why = decision.kind === 'forward' ? null : decision.why
  const ids = [...new Set([depositId, ...members.map((member) => member.depositId)])]
  const depositor = decision.kind === 'forward' ? decision.depositor : deposit.depositorAddress
  await sendNew(keeper, {
    kind,
    call,
    depositId,
    paymentId,
    gas,
    why,
    fees,
    alongside: (sql) => sql`
      update app.smart_deposit d
      set depositor_address = ${depositor}, failing_since = null, updated_at = now(),
        collected_as = ${members.length > 0 ? paymentId : null}, arrived_amount = part.amount
      from unnest(${ids}::text[], ${ids.map((id) => parts.get(id)?.toString() ?? null)}::numeric[])
        as part (deposit_id, amount)
      where d.deposit_id = part.deposit_id`,
  })
  spending.add(address, gas * fees.maxFee)
}
