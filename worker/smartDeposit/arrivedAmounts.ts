import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { type Head, readAreSettled, readBalanceAt, readHash } from './chainReads.ts'
import { listDeposits } from './depositRows.ts'
import { isUnderWay } from './intents.ts'
import type { Keeper } from './keeper.ts'

/** What is there of a payment. `short`: less than its log says, of which each deposit has a part. */
export type Arrived =
  | { kind: 'all' }
  | { kind: 'short'; amount: bigint; parts: ReadonlyMap<string, bigint> }
  | { kind: 'nothing' }
  /** Another open payment of the address, which is settled already. */
  | { kind: 'settled'; deposit: KeeperDeposit }
  | { kind: 'unclear' }

type Due = {
  /** With the amount of all members, if it is settled together with others. */
  deposit: KeeperDeposit
  members: readonly KeeperDeposit[]
}

/**
 * Compares the open payments of an address with its balance: a token may take a fee from transfers, and the factory's
 * owner may have moved a part away. All of them share what is missing. It is `unclear` while a transaction of the address
 * is open, or one of the payments is not in the chain that the balance is from.
 */
export async function readArrived(keeper: Keeper, due: Due, head: Head): Promise<Arrived> {
  const { sql, chain } = keeper
  const { deposit } = due
  const balance = await readBalanceAt(keeper, deposit, head)
  const isOpen = sql`d.chain_id = ${chain.id} and d.address = ${deposit.address}
    and d.token = ${deposit.token} and d.order_id is null and d.status in ('pending', 'retrying')`
  // A sum, because anybody can send many payments.
  const [row] = await sql<{ total: string | null }[]>`
    select sum(d.received_amount) as total from app.smart_deposit d where ${isOpen}`
  const total = BigInt(row?.total ?? 0)
  if (balance >= total) return { kind: 'all' }
  if (await hasOpen(keeper, deposit)) return { kind: 'unclear' }
  const waiting = await listDeposits(sql, isOpen)
  if (!(await areThere(keeper, waiting, head))) return { kind: 'unclear' }
  // What is settled already is ended first, with all that were settled together with it.
  const settled = waiting[(await readAreSettled(keeper, waiting)).indexOf(true)]
  if (settled) return { kind: 'settled', deposit: settled }
  const amount = (deposit.receivedAmount * balance) / total
  return amount > 0n ? { kind: 'short', amount, parts: partsOf(due, amount) } : { kind: 'nothing' }
}

/** The first one has what rounding leaves, so that nothing stays at the address. */
function partsOf({ deposit, members }: Due, amount: bigint): Map<string, bigint> {
  const [lead = deposit, ...others] = members
  const parts = others.map(({ depositId, receivedAmount }): [string, bigint] => [
    depositId,
    (receivedAmount * amount) / deposit.receivedAmount,
  ])
  const rest = parts.reduce((left, [, part]) => left - part, amount)
  return new Map([[lead.depositId, rest], ...parts])
}

async function hasOpen(
  { sql, chain }: Keeper,
  { address, token }: KeeperDeposit,
): Promise<boolean> {
  const [row] = await sql`
    select from app.smart_deposit d
    where d.chain_id = ${chain.id} and d.address = ${address} and d.token = ${token} and not d.is_final
      and ${isUnderWay(sql, sql`d.payment_id`)} limit 1`
  return row !== undefined
}

/** Whether the blocks of all payments are in the chain, at its head or below. */
async function areThere(keeper: Keeper, deposits: readonly KeeperDeposit[], head: Head) {
  const hashes = new Map(deposits.map(({ paymentBlock: { number, hash } }) => [hash, number]))
  const checks = [...hashes].map(
    async ([hash, number]) => number <= head.number && (await readHash(keeper, number)) === hash,
  )
  return (await Promise.all(checks)).every(Boolean)
}
