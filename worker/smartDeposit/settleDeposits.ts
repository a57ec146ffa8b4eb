import type { Address, Hex } from 'viem'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { type Due, type Planned, toTransactions } from './batches.ts'
import type { Head } from './chainReads.ts'
import { listDue } from './dueDeposits.ts'
import { endAsFound } from './endAsFound.ts'
import {
  delayForeign,
  failForeign,
  foreignCall,
  foreignLogOf,
  listWantedForeign,
  type WantedForeign,
} from './foreignTransfers.ts'
import { holdOf, reportHold, retainHeld } from './holds.ts'
import type { Hold, Keeper } from './keeper.ts'
import { hasGas } from './keeperGas.ts'
import { readSpending, type Spending } from './keeperSpending.ts'
import { MOST_FOREIGN_GAS, type Plan, planDeposit, tryCall } from './planDeposit.ts'
import { retainDeposit, waitOrRetain } from './retainDeposit.ts'
import { runApart, runTogether } from './runApart.ts'
import { type Refusals, refusalText, screenPayer } from './screenPayers.ts'
import { type Run, refusalOf, sendDeposits } from './sendDeposits.ts'
import { readFees, sendNew } from './sendIntents.ts'
import { keeperAddress, type SigningKeeper, signingKeepers } from './signingKeepers.ts'
import { type Collection, listCollections, setAsideSmall } from './smallPayments.ts'
import { storableText } from './storableText.ts'

/** Open transactions of a key at once: the others wait behind one that is stuck. */
const MOST_OPEN = 16
/** Payments of a key that are read at once: a node would answer a crowd of them later than a read waits. */
const PLANNED_AT_ONCE = 100

const PASSED = { kind: 'passed' } as const

/** Sends transactions for the deposits that are due and the foreign transfers that an operator settles. */
export async function settleDeposits(keeper: Keeper, head: Head): Promise<void> {
  const spending = await readSpending(keeper)
  const planned = holdOf(keeper, head, spending) ?? (await planDue(keeper, head, spending))
  const hold = typeof planned === 'string' ? planned : null
  const steps: Step[] = [
    ...(typeof planned === 'string' ? [] : planned),
    ['holds', () => reportHold(keeper, hold)],
    ['held deposits', () => retainHeld(keeper, { hold, addresses: spending.listOver() })],
    ['small payments', () => setAsideSmall(keeper)],
  ]
  await runSteps(keeper, steps)
}

/** One thing to do, by the name that the log shows. */
type Step = [name: string, run: () => Promise<unknown>]

function runSteps(keeper: Keeper, steps: readonly Step[]): Promise<void> {
  return runApart(keeper, { items: steps, nameOf: ([name]) => name, run: ([, run]) => run() })
}

/** What is to be sent, all keys at once, or why nothing may be sent. */
async function planDue(keeper: Keeper, head: Head, spending: Spending): Promise<Hold | Step[]> {
  const found = await Promise.all(signingKeepers(keeper).map((one) => findDue(one, spending)))
  const loads = found.filter(({ due, wanted }) => due.length + wanted.length > 0)
  if (loads.length === 0) return []
  const fees = await readFees(keeper, head)
  if (fees === null) return 'fee'
  const ofKeys = await Promise.all(
    loads.map(async (load) => {
      const run = { keeper: load.keeper, fees, head, spending }
      return { key: keeperAddress(load.keeper), steps: await planLoad(run, load) }
    }),
  )
  const send = () =>
    runTogether(keeper, {
      items: ofKeys,
      nameOf: ({ key }) => key,
      run: ({ steps }) => runSteps(keeper, steps),
    })
  return [['due payments', send]]
}

/** What one key has to settle. */
type Load = {
  keeper: SigningKeeper
  /** Transactions that it may send. */
  most: number
  due: Due[]
  wanted: WantedForeign[]
}

async function findDue(keeper: SigningKeeper, spending: Spending): Promise<Load> {
  const { sql, chain } = keeper
  const [row] = await sql<{ open: number }[]>`
    select count(*)::integer as open from app.keeper_intent
    where chain_id = ${chain.id} and keeper = ${keeperAddress(keeper)} and state = 'open'`
  const most = Math.max(MOST_OPEN - (row?.open ?? 0), 0)
  const without = spending.listOver()
  const due: Due[] = [
    ...(await listSingle(keeper, { most, without })).map((deposit) => ({ deposit, members: [] })),
    ...(await listCollections(keeper, { most, without })).map(dueOf),
  ]
  return { keeper, most, due, wanted: await listWantedForeign(keeper, most) }
}

async function planLoad(run: Run, { keeper, most, due, wanted }: Load): Promise<Step[]> {
  const { head, fees } = run
  const gasPrice = head.baseFeePerGas === null ? fees.maxFee : head.baseFeePerGas + fees.priorityFee
  // Deposits are read, and payers screened, in parallel; nonces are used one after the other.
  const screening = Promise.allSettled(wanted.map((foreign) => screenForeign(keeper, foreign)))
  const plans: PromiseSettledResult<Plan>[] = []
  for (let start = 0; start < due.length; start += PLANNED_AT_ONCE) {
    const some = due.slice(start, start + PLANNED_AT_ONCE)
    plans.push(
      ...(await Promise.allSettled(
        some.map((one) => planDeposit({ keeper, ...one, gasPrice, head })),
      )),
    )
  }
  const verdicts = await screening
  const planned: Planned[] = []
  const others: Step[] = []
  for (const [index, one] of due.entries()) {
    const outcome = plans[index]
    if (!outcome) continue
    const step = (run: Step[1]): Step => [one.deposit.depositId, run]
    if (outcome.status === 'rejected') others.push(step(() => Promise.reject(outcome.reason)))
    else if (outcome.value.kind === 'send') planned.push({ due: one, plan: outcome.value })
    else {
      const plan = outcome.value
      others.push(step(() => carryOut(run, one, plan)))
    }
  }
  const limits = { ...keeper.settings, ...keeper.ceilings }
  const transactions = toTransactions(planned, limits).slice(0, most)
  return [
    ...others,
    ...transactions.map(
      (some): Step => [
        some.map(({ due: { deposit } }) => deposit.depositId).join(' '),
        () => sendDeposits(run, some),
      ],
    ),
    ...wanted.slice(0, most - transactions.length).map(
      (foreign, index): Step => [
        foreign.paymentId,
        async () => {
          const verdict = verdicts[index]
          if (verdict) await settleForeign(run, foreign, outcomeOf(verdict))
        },
      ],
    ),
  ]
}

/** Due deposits for as many transactions, which settle several of generation B each. */
async function listSingle(
  keeper: SigningKeeper,
  { most, without }: { most: number; without: readonly Address[] },
) {
  const found = await Promise.all([
    listDue(keeper, { most, without, generation: 'A' }),
    listDue(keeper, { most: most * keeper.settings.mostParts, without, generation: 'B' }),
  ])
  return found.flat()
}

/** Throws what it failed with. */
function outcomeOf<Value>(outcome: PromiseSettledResult<Value>): Value {
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

function dueOf({ lead, members, total }: Collection): Due {
  return { deposit: { ...lead, receivedAmount: total }, members }
}

/** What the operator recovers needs no verdict. */
async function screenForeign(keeper: SigningKeeper, foreign: WantedForeign) {
  return foreign.wanted === 'recover' ? PASSED : screenPayer(keeper, foreignLogOf(foreign))
}

async function settleForeign(
  { keeper, fees, spending }: Run,
  wanted: WantedForeign,
  screened: Awaited<ReturnType<typeof screenForeign>>,
) {
  if (spending.isOver()) return
  const { paymentId, address } = wanted
  if (screened.kind === 'unanswered')
    return keeper.lease.write((sql) => delayForeign(sql, keeper, { paymentId, why: screened.why }))
  const isRefused = screened.kind === 'refused'
  const kind = isRefused ? 'recover' : wanted.wanted
  const why = isRefused ? storableText(refusalText(screened.reason)) : null
  const call = foreignCall({ ...wanted, wanted: kind })
  const tried = await tryCall(keeper, call, MOST_FOREIGN_GAS)
  if (!('gas' in tried)) {
    const words = 'revert' in tried ? tried.revert : tried.tooMuch
    return keeper.lease.write((sql) => failForeign(sql, paymentId, `refused: ${words}`))
  }
  const { gas } = tried
  if (!(await hasGas(keeper, { gas, fees }))) return
  // Another key may have sent meanwhile.
  if (spending.isOver()) return
  spending.add(address, gas * fees.maxFee)
  await sendNew(keeper, {
    parts: [{ kind, paymentId, depositId: null, why }],
    gas,
    call,
    fees,
    alongside: (sql) =>
      sql`update app.foreign_transfer set wanted = ${kind} where payment_id = ${paymentId}`,
  })
}

async function carryOut(run: Run, due: Due, plan: Exclude<Plan, { kind: 'send' }>) {
  const { keeper } = run
  // The lead itself. The recorded deposits have their own amounts.
  const deposit = due.members[0] ?? due.deposit
  switch (plan.kind) {
    case 'settled':
      return endSettledOne(run, deposit, plan.deposit)
    case 'retain':
      return keeper.lease.write((sql) => retainDeposit(sql, keeper, { ...plan, deposit }))
    case 'wait':
      return keeper.lease.write((sql) => waitOrRetain(sql, keeper, { ...plan, deposit }))
    case 'divide':
      return divide(keeper, due.members, plan.refusals)
  }
}

/** Ends a payment that is settled already: the due one, or another of its address, for which the due one waits. */
async function endSettledOne(
  { keeper, head }: Run,
  due: KeeperDeposit,
  settled: KeeperDeposit,
): Promise<void> {
  try {
    await endAsFound(keeper, settled, head)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await waitFor(keeper, due, error.message)
    return
  }
  if (settled.paymentId !== due.paymentId)
    await waitFor(keeper, due, 'another payment of its address is settled already')
}

function waitFor(keeper: SigningKeeper, deposit: KeeperDeposit, why: string) {
  return keeper.lease.write((sql) => waitOrRetain(sql, keeper, { deposit, why }))
}

/** From now on the refused ones are settled together, and the others together. */
function divide(keeper: SigningKeeper, members: readonly KeeperDeposit[], refusals: Refusals) {
  const ids: Hex[] = members.map(({ depositId }) => depositId)
  return keeper.lease.write(
    (sql) => sql`
      update app.smart_deposit d set payer_refusal = known.reason, updated_at = now()
      from unnest(${ids}::text[], ${ids.map((id) => refusalOf(refusals, id))}::text[])
        as known (deposit_id, reason)
      where d.deposit_id = known.deposit_id`,
  )
}
