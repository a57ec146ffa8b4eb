import type { Hex } from 'viem'
import { smartDepositFactoryAbi, smartDepositFactoryBAbi } from '../../abis/smartDeposit.ts'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { revertOf } from '../../domain/chain/revert.ts'
import { EARN_ERRORS } from '../../domain/earn/vaults/earnErrors.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { costOfReturn } from '../../domain/smartDeposit/costOfReturn.ts'
import {
  type Decision,
  decideSettlement,
  type Sending,
  sendBack,
  type Waiting,
} from '../../domain/smartDeposit/decideSettlement.ts'
import { isLastingRevert } from '../../domain/smartDeposit/endingOf.ts'
import { isForeign, type KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import type { FactoryCall } from '../../domain/smartDeposit/settlementCall.ts'
import { readArrived } from './arrivedAmounts.ts'
import { type Head, readAreSettled } from './chainReads.ts'
import { withMembers } from './collectionCall.ts'
import { decideConversion, unlistedRefusal } from './decideConversion.ts'
import type { Keeper } from './keeper.ts'
import { type Refusals, refusalText, screenPayers } from './screenPayers.ts'
import { keeperAddress, type SigningKeeper } from './signingKeepers.ts'

/** Gas limit for a token that anybody may have written: several times what a usual one takes. */
export const MOST_FOREIGN_GAS = 500_000
/** Gas limit of a transaction, as a factor of the node's estimate. */
const GAS_MARGIN = { numerator: 13n, denominator: 10n }

const ERRORS = [
  ...EARN_ERRORS,
  ...[...smartDepositFactoryAbi, ...smartDepositFactoryBAbi, ...transitStationAbi].filter(
    ({ type }) => type === 'error',
  ),
]

/** A decision that was tried on the current state of the chain. */
export type Plan =
  /** It, or another open payment of its address. */
  | { kind: 'settled'; deposit: KeeperDeposit }
  | (Waiting & { isUnscreened?: true })
  /** The payers of some are refused: those are settled apart from the others. */
  | { kind: 'divide'; refusals: Refusals }
  | { kind: 'send'; decision: Sending; gas: bigint; parts: Parts; refusals: Refusals }

/** What is settled of each deposit, by its id, where less was there than its log says. */
type Parts = ReadonlyMap<string, bigint>

type Planning = {
  keeper: SigningKeeper
  /** With the amount of all members, if it is settled together with others. */
  deposit: KeeperDeposit
  members: readonly KeeperDeposit[]
  /** wei. */
  gasPrice: bigint
  head: Head
}

/** Decides a deposit, or several together, and tries the decision. */
export async function planDeposit(planning: Planning): Promise<Plan> {
  const { keeper, deposit, members } = planning
  // First, and by the book alone: anybody can send worthless tokens.
  const unlisted =
    isForeign(deposit) && !deposit.isRefundOrdered ? unlistedRefusal(keeper, deposit) : null
  if (unlisted) return unlisted
  try {
    const [isSettled] = await readAreSettled(keeper, [deposit])
    if (isSettled) return { kind: 'settled', deposit }
    const arrived = await readArrived(keeper, planning, planning.head)
    if (arrived.kind === 'settled') return arrived
    if (arrived.kind === 'nothing')
      return { kind: 'retain', why: 'nothing of it is at its address' }
    if (arrived.kind === 'unclear')
      return {
        kind: 'wait',
        why: 'less is at its address than was sent, and that may still change',
      }
    const isShort = arrived.kind === 'short'
    // The deposit that is there.
    const there = isShort ? { ...deposit, receivedAmount: arrived.amount } : deposit
    const together = members.length > 0 ? members : [deposit]
    const screened = await screenPayers(keeper, together)
    if (screened.kind === 'unanswered')
      return { kind: 'wait', why: screened.why, isUnscreened: true }
    const { refusals } = screened
    if (refusals.size > 0 && refusals.size < together.length) return { kind: 'divide', refusals }
    const parts = isShort ? arrived.parts : new Map()
    const decision = await decide(keeper, there, refusals)
    return await tryDecision({ ...planning, deposit: there, parts, refusals }, decision)
  } catch (error) {
    // A node that does not answer for one deposit holds up none of the others.
    if (!(error instanceof ServiceError)) throw error
    return { kind: 'wait', why: error.message }
  }
}

/** Recovers what a refused payer has sent. All else is decided by the chain. */
async function decide(keeper: Keeper, deposit: KeeperDeposit, refusals: Refusals) {
  const [reason] = refusals.values()
  if (reason !== undefined) return sendBack('recover', deposit, refusalText(reason))
  const code = await distributorCodeOf(keeper, deposit)
  return isForeign(deposit)
    ? decideConversion(keeper, deposit, code)
    : decideSettlement(keeper.service, deposit, code)
}

async function tryDecision(
  planning: Planning & { parts: Parts; refusals: Refusals },
  decided: Decision,
): Promise<Plan> {
  if (decided.kind === 'retain' || decided.kind === 'wait') return decided
  const { keeper, members, parts, refusals } = planning
  const decision = { ...decided, call: withMembers(decided.call, members) }
  const tried = await tryCall(keeper, decision.call, mostGasFor(keeper, planning.deposit))
  if ('tooMuch' in tried) return { kind: 'retain', why: tried.tooMuch }
  if ('revert' in tried) return tryDecision(planning, insteadOf(decided, planning, tried.revert))
  const { gas } = tried
  return (
    (await notWorthIt(planning, decision, gas)) ?? {
      kind: 'send',
      decision,
      gas,
      parts,
      refusals,
    }
  )
}

/** A token that the book does not name can use much gas, and anybody may have written it. */
function mostGasFor({ service, ceilings }: SigningKeeper, { chainId, token }: KeeperDeposit) {
  const isListed = service.tokens.listed(chainId, token) !== undefined
  return isListed ? ceilings.maxGas : Math.min(MOST_FOREIGN_GAS, ceilings.maxGas)
}

/**
 * A refund is made only if it is worth more than its gas. An operator can order it all the same, and so can an organization of a
 * token that has no price.
 */
async function notWorthIt(
  { keeper, deposit, members, gasPrice }: Planning,
  { kind }: Sending,
  gas: bigint,
): Promise<Waiting | null> {
  if (kind !== 'refund' || [deposit, ...members].some(({ isOrdered }) => isOrdered)) return null
  if (isForeign(deposit) && deposit.isRefundOrdered) return null
  const cost = await costOfReturn(keeper.service, deposit, { gas, gasPrice })
  if (cost === null)
    return { kind: 'retain', why: 'no price shows whether a refund is worth its gas' }
  if (deposit.receivedAmount > cost) return null
  return { kind: 'retain', isSmall: true, why: 'a refund would be worth less than its gas' }
}

/** The next decision after the chain reverts the first one. */
function insteadOf(
  { kind }: Sending,
  { deposit, parts }: { deposit: KeeperDeposit; parts: Parts },
  revert: string,
): Decision {
  // What loses a part at each transfer never arrives in full where it is counted.
  const isEaten = parts.size > 0 && revert === 'TRANSFER_FROM_FAILED'
  if (kind === 'forward' && (isEaten || isLastingRevert(revert)))
    return sendBack('refund', deposit, `the vault refuses it: ${revert}`)
  const why = `the chain refuses to ${kind} it: ${revert}`
  // Its station has closed the route since the quote.
  if (kind === 'convert' && revert === 'RouteNotApproved')
    return { kind: 'wait', reason: 'TOKEN_NOT_ACCEPTED', why }
  // The next try gets another quote.
  if (kind === 'convert' && revert === 'QuoteExpired') return { kind: 'wait', why }
  return { kind: 'retain', why }
}

/** The gas limit for a call, the name of the error that it reverts with, or why it takes too much gas. */
export type Tried = { gas: bigint } | { revert: string } | { tooMuch: string }

/** Tries a call on the current state of the chain. */
export async function tryCall(
  keeper: SigningKeeper,
  { to, data, value = 0n }: FactoryCall,
  mostGas = keeper.ceilings.maxGas,
): Promise<Tried> {
  const { chain, service } = keeper
  const account = keeperAddress(keeper)
  return service.chains.read(chain.id, async (client) => {
    try {
      const estimated = await client.estimateGas({ account, to, data, value })
      const gas = (estimated * GAS_MARGIN.numerator) / GAS_MARGIN.denominator
      if (gas <= BigInt(mostGas)) return { gas }
      return { tooMuch: `it would take ${gas} gas; the most is ${mostGas}` }
    } catch (error) {
      const revert = revertOf(error, ERRORS)
      if (!revert) throw error
      const { errorName, args } = revert
      return { revert: errorName === 'Error' ? String(args[0]) : errorName }
    }
  })
}

/** The code of the organization that registered the address first: a later one cannot take deposits over. */
async function distributorCodeOf({ sql }: Keeper, { addressChainId, address }: KeeperDeposit) {
  const [row] = await sql<{ code: Hex | null }[]>`
    select o.default_distributor_code as code
    from app.smart_deposit_registration r
    join app.organization o on o.id = r.organization_id
    where r.chain_id = ${addressChainId} and r.address = ${address}
    order by r.created_at, r.organization_id limit 1`
  return row?.code ?? '0x'
}
