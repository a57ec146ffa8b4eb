import { type Address, erc20Abi } from 'viem'
import { tryRead } from '../../domain/chain/gatheredReads.ts'
import { readTransfers } from '../../domain/smartDeposit/readTransfers.ts'
import type { Keeper } from './keeper.ts'
import { recordTransfers } from './recordTransfers.ts'
import { placeTransfers, readCursor, recipientsQuery } from './watchTransfers.ts'

/** Balances per check: one `eth_call`. */
const AT_ONCE = 2_000
/** Times that logs are read again for the same balance. */
const MOST_LOOKS = 3

/**
 * Checks the balances of addresses in turns, and of new ones at once. If a balance is higher than the open
 * deposits, reads the address's logs again from the factory's first block: only a log makes a deposit.
 */
export async function sweepBalances(keeper: Keeper, added: readonly Address[]): Promise<void> {
  for (let start = 0; start < added.length; start += AT_ONCE)
    await look(keeper, added.slice(start, start + AT_ONCE))
  const { sweep } = keeper.memory
  if (Date.now() < sweep.nextAt) return
  const addresses = keeper.watched.list()
  await look(keeper, addresses.slice(sweep.from, sweep.from + AT_ONCE))
  const from = sweep.from + AT_ONCE
  const isDone = from >= addresses.length
  keeper.memory.sweep = isDone
    ? { from: 0, nextAt: Date.now() + keeper.settings.sweepMs }
    : { from, nextAt: 0 }
}

async function look(keeper: Keeper, addresses: readonly Address[]) {
  if (addresses.length === 0) return
  const { chain, service, watched } = keeper
  const balances = await service.chains.read(chain.id, (client) =>
    Promise.all(
      addresses.map((account) => {
        const address = watched.tokenOf(account) ?? account
        return tryRead(client, {
          address,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [account],
        })
      }),
    ),
  )
  const held = addresses.flatMap((address, index) => {
    const balance = balances[index] ?? 0n
    return balance > 0n ? [{ address, balance }] : []
  })
  const unexplained = await listUnexplained(keeper, held)
  await forgetLooks(keeper, addresses, unexplained)
  for (const one of unexplained) if (one.looks < MOST_LOOKS) await readAgain(keeper, one)
}

type Held = { address: Address; balance: bigint }
/** `looks` counts the reads of logs for this balance. */
type Unexplained = { address: Address; balance: string; looks: number }

/** Addresses that hold more than their open deposits. */
async function listUnexplained(
  { sql, chain }: Keeper,
  held: readonly Held[],
): Promise<Unexplained[]> {
  if (held.length === 0) return []
  return sql<Unexplained[]>`
    select held.address, held.balance,
      case when l.balance = held.balance then l.looks else 0 end as looks
    from unnest(${held.map(({ address }) => address)}::text[],
      ${held.map(({ balance }) => String(balance))}::numeric[]) as held (address, balance)
    left join app.smart_deposit_look l
      on l.chain_id = ${chain.id} and l.address = held.address
    where held.balance > (
      select coalesce(sum(d.received_amount), 0) from app.smart_deposit d
      where d.chain_id = ${chain.id} and d.address = held.address
        and d.status in ('pending', 'retrying'))`
}

/** Deletes the counts of explained balances: the same amount may be paid and missed again. */
async function forgetLooks(
  { lease, chain }: Keeper,
  addresses: readonly Address[],
  unexplained: readonly Unexplained[],
) {
  const left = new Set(unexplained.map(({ address }) => address))
  const explained = addresses.filter((address) => !left.has(address))
  await lease.write(
    (sql) => sql`
      delete from app.smart_deposit_look
      where chain_id = ${chain.id} and address = any(${explained}::text[])`,
  )
}

async function readAgain(keeper: Keeper, { address, balance }: Unexplained) {
  const { chain, service, smartDeposit } = keeper
  const cursor = await readCursor(keeper)
  if (!cursor || cursor.number < smartDeposit.startBlock) return
  const range = { fromBlock: BigInt(smartDeposit.startBlock), toBlock: BigInt(cursor.number) }
  const of = { chains: service.chains, chainId: chain.id }
  const transfers = await readTransfers(of, range, recipientsQuery(keeper, [address]))
  const placed = await placeTransfers(keeper, transfers)
  await keeper.lease.write(async (sql) => {
    await sql`
      insert into app.smart_deposit_look as known (chain_id, address, balance, looks)
      values (${chain.id}, ${address}, ${balance}, 1)
      on conflict (chain_id, address) do update set balance = excluded.balance,
        looks = case when known.balance = excluded.balance then known.looks + 1 else 1 end`
    await recordTransfers(sql, keeper, placed)
  })
}
