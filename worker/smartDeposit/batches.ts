import { size } from 'viem'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { batchCall, type FactoryCall } from '../../domain/smartDeposit/settlementCall.ts'
import type { Plan } from './planDeposit.ts'

/** A deposit, or the lead of several that are settled together with the amount of all. */
export type Due = { deposit: KeeperDeposit; members: readonly KeeperDeposit[] }

/** A deposit that is to be settled by a transaction. */
export type Planned = { due: Due; plan: Extract<Plan, { kind: 'send' }> }

/** What the factory needs for each part besides the part itself; the same as `GAS_PER_PART` in the contract. */
const GAS_PER_PART = 50_000n
/** Of a transaction, and of each byte of its data. */
const GAS = { transaction: 21_000n, byte: 16n }
/** Of the data of a batch, besides its parts; and how many more each part has there than in a call of its own. */
const BYTES = { batch: 68, morePerPart: 92 }

/** Settlements of one transaction, and its gas, at most. */
type Limits = { mostParts: number; maxGas: number }

/**
 * Divides settlements into transactions. A factory of generation B settles several in one, up to the keeper's gas ceiling.
 * Alone goes what was settled in vain before: whatever was wrong then concerns no other.
 */
export function toTransactions(planned: readonly Planned[], limits: Limits): Planned[][] {
  const alone = planned.filter((one) => !canShare(one)).map((one) => [one])
  const shared = Map.groupBy(planned.filter(canShare), ({ plan }) => plan.decision.call.to)
  const batches = [...shared.values()].flatMap((ofFactory) => fill(ofFactory, limits))
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

function fill(planned: readonly Planned[], { mostParts, maxGas }: Limits): Planned[][] {
  const batches: Planned[][] = []
  for (const one of planned) {
    const last = batches.at(-1)
    const more = [...(last ?? []), one]
    if (last && more.length <= mostParts && gasOf(more) <= BigInt(maxGas)) last.push(one)
    else batches.push([one])
  }
  return batches
}

/** The gas limit of a transaction for these settlements. The data is counted before it is made, because that takes long. */
function gasOf(planned: readonly Planned[]): bigint {
  const [only, ...others] = planned
  if (only && others.length === 0) return only.plan.gas
  const sum = (ofPart: (one: Planned) => bigint) =>
    planned.reduce((all, one) => all + ofPart(one), 0n)
  const gasOfParts = sum(({ plan }) => plan.gas + GAS_PER_PART)
  // A call gets 63 of 64 parts of what is left, and the last part must get its whole limit.
  const spare = gasOfParts / 63n
  const bytesOfParts = sum(({ plan: { decision } }) =>
    BigInt(size(decision.call.data) + BYTES.morePerPart),
  )
  const gasOfData = (BigInt(BYTES.batch) + bytesOfParts) * GAS.byte
  return GAS.transaction + gasOfData + gasOfParts + spare
}

/** The call of a transaction for these settlements, and its gas limit. */
export function transactionOf(planned: readonly Planned[]): { call: FactoryCall; gas: bigint } {
  const parts = planned.map(({ plan: { decision, gas } }) => ({ call: decision.call, gas }))
  const [only, ...others] = parts
  if (!only) throw new Error('Invariant(transactionOf): there is nothing to settle')
  const call = others.length === 0 ? only.call : batchCall(only.call.to, parts)
  return { call, gas: gasOf(planned) }
}
