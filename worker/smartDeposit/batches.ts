import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { batchCall, type FactoryCall } from '../../domain/smartDeposit/settlementCall.ts'
import type { Plan } from './planDeposit.ts'

/** A deposit, or the lead of several that are settled together with the amount of all. */
export type Due = { deposit: KeeperDeposit; members: readonly KeeperDeposit[] }

/** A deposit that is to be settled by a transaction. */
export type Planned = { due: Due; plan: Extract<Plan, { kind: 'send' }> }

/** Settlements of one transaction at most. */
export const MOST_PARTS = 20
/** What the factory needs for each part besides the part itself; the same as `GAS_PER_PART` in the contract. */
const GAS_PER_PART = 50_000n
/** Of a transaction, and of each byte of its data. */
const GAS = { transaction: 21_000n, byte: 16n }

/**
 * Divides settlements into transactions. A factory of generation B settles several in one, up to the keeper's gas ceiling.
 * Alone goes what was settled in vain before: whatever was wrong then concerns no other.
 */
export function toTransactions(planned: readonly Planned[], maxGas: number): Planned[][] {
  const alone = planned.filter((one) => !canShare(one)).map((one) => [one])
  const shared = Map.groupBy(planned.filter(canShare), ({ plan }) => plan.decision.call.to)
  const batches = [...shared.values()].flatMap((ofFactory) => fill(ofFactory, BigInt(maxGas)))
  // By turns: a crowd of one kind leaves room for the other.
  return Array.from({ length: Math.max(alone.length, batches.length) }).flatMap((_, index) =>
    [batches[index], alone[index]].filter((transaction) => transaction !== undefined),
  )
}

function canShare({ due: { deposit, members }, plan: { decision } }: Planned): boolean {
  const isOne = members.length === 0 && deposit.tries === 0
  // A conversion has coins and a deadline of its own.
  return deposit.generation === 'B' && isOne && decision.kind !== 'convert'
}

function fill(planned: readonly Planned[], maxGas: bigint): Planned[][] {
  const batches: Planned[][] = []
  for (const one of planned) {
    const last = batches.at(-1)
    const more = [...(last ?? []), one]
    if (last && more.length <= MOST_PARTS && transactionOf(more).gas <= maxGas) last.push(one)
    else batches.push([one])
  }
  return batches
}

/** The call of a transaction for these settlements, and its gas limit. */
export function transactionOf(planned: readonly Planned[]): { call: FactoryCall; gas: bigint } {
  const parts = planned.map(({ plan: { decision, gas } }) => ({ call: decision.call, gas }))
  const [only, ...others] = parts
  if (!only) throw new Error('Invariant(transactionOf): there is nothing to settle')
  if (others.length === 0) return only
  const call = batchCall(only.call.to, parts)
  const gasOfParts = parts.map(({ gas }) => gas + GAS_PER_PART).reduce((sum, gas) => sum + gas, 0n)
  // A call gets 63 of 64 parts of what is left, and the last part must get its whole limit.
  const spare = gasOfParts / 63n
  const gasOfData = (BigInt(call.data.length) / 2n) * GAS.byte
  return { call, gas: GAS.transaction + gasOfData + gasOfParts + spare }
}
