import type { Hex } from 'viem'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import { revertOf } from '../../domain/chain/revert.ts'
import { EARN_ERRORS } from '../../domain/earn/vaults/earnErrors.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import {
  type Decision,
  decideSettlement,
  type Sending,
  sendBack,
  type Waiting,
} from '../../domain/smartDeposit/decideSettlement.ts'
import { isLastingRevert } from '../../domain/smartDeposit/isLastingRevert.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import type { FactoryCall } from '../../domain/smartDeposit/settlementCall.ts'
import {
  blockOfReceipt,
  findSettlement,
  type Head,
  readIsSettled,
  readTransactionReceipt,
  settledIn,
} from './chainReads.ts'
import { listDeposits } from './depositRows.ts'
import { endSettled } from './endSettled.ts'
import {
  failForeign,
  foreignCall,
  listWantedForeign,
  type WantedForeign,
} from './foreignTransfers.ts'
import type { Fees } from './intents.ts'
import type { Keeper } from './keeper.ts'
import { hasGas } from './keeperGas.ts'
import { retainDeposit, waitOrRetain } from './retainDeposit.ts'
import { keeperAddress, readFees, type SigningKeeper, sendNew } from './sendIntents.ts'

/** Open transactions at once: the others wait behind one that is stuck. */
const MOST_OPEN = 16
/** Gas limit for a token that anybody may have written: several times what a usual one takes. */
const MOST_FOREIGN_GAS = 500_000n
/** Gas limit of a transaction, as a factor of the node's estimate. */
const GAS_MARGIN = { numerator: 13n, denominator: 10n }

const ERRORS = [...EARN_ERRORS, ...smartDepositFactoryAbi.filter(({ type }) => type === 'error')]

/** Sends transactions for the deposits that are due and the foreign transfers that an operator settles. */
export async function settleDeposits(keeper: SigningKeeper, head: Head): Promise<void> {
  const { sql, chain } = keeper
  const [row] = await sql<{ open: number }[]>`
    select count(*)::integer as open from app.keeper_intent
    where chain_id = ${chain.id} and state = 'open'`
  const free = Math.max(MOST_OPEN - (row?.open ?? 0), 0)
  const due = (await listDue(keeper)).slice(0, free)
  const wanted = (await listWantedForeign(keeper)).slice(0, free - due.length)
  if (due.length + wanted.length === 0) return
  const fees = await readFees(keeper, head)
  // Deposits are read in parallel; nonces are used one after the other.
  const plans = await Promise.all(due.map((deposit) => planDeposit(keeper, deposit)))
  for (const [index, deposit] of due.entries()) {
    const plan = plans[index]
    if (plan) await carryOut(keeper, { deposit, plan, fees, head })
  }
  for (const foreign of wanted) await settleForeign(keeper, foreign, fees)
}

async function settleForeign(keeper: SigningKeeper, foreign: WantedForeign, fees: Fees) {
  const { paymentId, wanted: kind } = foreign
  const call = foreignCall(foreign)
  const tried = await tryCall(keeper, call)
  if ('revert' in tried)
    return keeper.lease.write((sql) => failForeign(sql, paymentId, `refused: ${tried.revert}`))
  if (tried.gas > MOST_FOREIGN_GAS) {
    const error = `refused: the token takes ${tried.gas} gas; the most is ${MOST_FOREIGN_GAS}`
    return keeper.lease.write((sql) => failForeign(sql, paymentId, error))
  }
  if (!(await hasGas(keeper, tried.gas, fees))) return
  const intent = { kind, paymentId, depositId: null, why: null }
  await sendNew(keeper, { ...intent, gas: tried.gas, call, fees })
}

/** Deposits that are pending or due for another try, and have no open transaction. */
export function listDue({ sql, chain }: Keeper): Promise<KeeperDeposit[]> {
  return listDeposits(
    sql,
    sql`d.chain_id = ${chain.id} and d.status in ('pending', 'retrying') and not d.is_final
      and (d.retry_at is null or d.retry_at <= now())
      and not exists (
        select 1 from app.keeper_intent i
        where i.receipt_id = d.receipt_id and i.state = 'open')`,
  )
}

/** A decision that was tried on the current state of the chain. */
type Plan = { kind: 'settled' } | Waiting | { kind: 'send'; decision: Sending; gas: bigint }

async function planDeposit(keeper: SigningKeeper, deposit: KeeperDeposit): Promise<Plan> {
  try {
    if (await readIsSettled(keeper, deposit)) return { kind: 'settled' }
    const code = await distributorCodeOf(keeper, deposit)
    const decision = await decideSettlement(keeper.service, deposit, code)
    return await tryDecision(keeper, deposit, decision)
  } catch (error) {
    // A node that does not answer for one deposit holds up none of the others.
    if (!(error instanceof ServiceError)) throw error
    return { kind: 'wait', why: error.message }
  }
}

async function tryDecision(
  keeper: SigningKeeper,
  deposit: KeeperDeposit,
  decision: Decision,
): Promise<Plan> {
  if (decision.kind === 'retain' || decision.kind === 'wait') return decision
  const tried = await tryCall(keeper, decision.call)
  if (!('revert' in tried)) return { kind: 'send', decision, gas: tried.gas }
  return tryDecision(keeper, deposit, insteadOf(decision, deposit, tried.revert))
}

type Planned = { deposit: KeeperDeposit; plan: Plan; fees: Fees; head: Head }

async function carryOut(keeper: SigningKeeper, { deposit, plan, fees, head }: Planned) {
  switch (plan.kind) {
    case 'settled':
      return endAsFound(keeper, deposit, head)
    case 'retain':
      return keeper.lease.write((sql) => retainDeposit(sql, keeper, { deposit, why: plan.why }))
    case 'wait':
      return keeper.lease.write((sql) => waitOrRetain(sql, keeper, { deposit, why: plan.why }))
    case 'send': {
      const { decision, gas } = plan
      if (await hasGas(keeper, gas, fees)) return send(keeper, { deposit, decision, gas, fees })
      const why = 'the keeper has not enough coins for gas'
      return keeper.lease.write((sql) => retainDeposit(sql, keeper, { deposit, why }))
    }
  }
}

type Sent = {
  deposit: KeeperDeposit
  decision: Sending
  gas: bigint
  fees: Fees
}

async function send(keeper: SigningKeeper, { deposit, decision, gas, fees }: Sent) {
  const { depositId, paymentId } = deposit
  const { kind, call } = decision
  const why = decision.kind === 'forward' ? null : decision.why
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
      update app.smart_deposit
      set depositor_address = ${depositor}, failing_since = null, updated_at = now()
      where deposit_id = ${depositId}`,
  })
}

/** The next decision after the chain reverts the first one. */
function insteadOf({ kind }: Sending, deposit: KeeperDeposit, revert: string): Decision {
  if (kind === 'forward' && isLastingRevert(revert))
    return sendBack('refund', deposit, `the vault refuses it: ${revert}`)
  return { kind: 'retain', why: `the chain refuses to ${kind} it: ${revert}` }
}

/** The gas limit for a call on the current state, or the name of the error that it reverts with. */
async function tryCall(
  keeper: SigningKeeper,
  { to, data }: FactoryCall,
): Promise<{ gas: bigint } | { revert: string }> {
  const { chain, service } = keeper
  const account = keeperAddress(keeper)
  return service.chains.read(chain.id, async (client) => {
    try {
      const gas = await client.estimateGas({ account, to, data })
      return { gas: (gas * GAS_MARGIN.numerator) / GAS_MARGIN.denominator }
    } catch (error) {
      const revert = revertOf(error, ERRORS)
      if (!revert) throw error
      const { errorName, args } = revert
      return { revert: errorName === 'Error' ? String(args[0]) : errorName }
    }
  })
}

/** Ends a deposit that an unknown transaction settled: an administrator's, or one of a lost database. */
async function endAsFound(keeper: SigningKeeper, deposit: KeeperDeposit, head: Head) {
  const hash = await findSettlement(keeper, deposit, head.number)
  // Logs may be late; a payment id that a stolen key used for other funds stays used.
  if (!hash)
    return keeper.lease.write((sql) =>
      waitOrRetain(sql, keeper, { deposit, why: 'its payment was settled with other funds' }),
    )
  const receipt = await readTransactionReceipt(keeper, hash)
  const settled = receipt && settledIn(receipt, deposit)
  if (!receipt || !settled || receipt.blockNumber > BigInt(head.number)) return
  const { transactionHash: txHash } = receipt
  const settlement = { ...settled, txHash, block: blockOfReceipt(receipt), why: null }
  await keeper.lease.write((sql) => endSettled(sql, keeper, { deposit, settlement }))
}

/** The code of the organization that registered the address first: a later one cannot take deposits over. */
async function distributorCodeOf({ sql }: Keeper, { chainId, address }: KeeperDeposit) {
  const [row] = await sql<{ code: Hex | null }[]>`
    select o.default_distributor_code as code
    from app.smart_deposit_registration r
    join app.organization o on o.id = r.organization_id
    where r.chain_id = ${chainId} and r.address = ${address}
    order by r.created_at, r.organization_id limit 1`
  return row?.code ?? '0x'
}
