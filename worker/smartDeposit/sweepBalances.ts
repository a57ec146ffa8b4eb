import { type Address, erc20Abi } from 'viem'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { oncePer } from '../../domain/cache/oncePer.ts'
import { tryRead } from '../../domain/chain/gatheredReads.ts'
import type { Keeper } from './keeper.ts'

/** Balances per check: one `eth_call`. */
const AT_ONCE = 2_000
/** Between two checks. Many addresses are looked at more often, so that each has its turn within a sweep. */
const MOST_PAUSE_MS = 60_000
/** After so long an unplaced transfer explains no balance: another node may show its log where the receipt has it. */
const UNPLACED_PATIENCE = '1 minute'

/** Compares the balances of new addresses with their known payments, and those of all addresses in turns. */
export async function sweepBalances(keeper: Keeper): Promise<void> {
  const { sweep } = keeper.memory
  while (sweep.added.length > 0) {
    await compareBalances(keeper, sweep.added.slice(0, AT_ONCE))
    sweep.added = sweep.added.slice(AT_ONCE)
  }
  if (Date.now() < sweep.nextAt) return
  const addresses = keeper.watched.list()
  await compareBalances(keeper, addresses.slice(sweep.from, sweep.from + AT_ONCE))
  const checks = Math.max(Math.ceil(addresses.length / AT_ONCE), 1)
  sweep.nextAt = Date.now() + Math.min(MOST_PAUSE_MS, keeper.settings.sweepMs / checks)
  sweep.from = sweep.from + AT_ONCE < addresses.length ? sweep.from + AT_ONCE : 0
}

/** Records which addresses hold more than their known payments explain, and drops what is explained now. */
export async function compareBalances(
  keeper: Keeper,
  addresses: readonly Address[],
): Promise<void> {
  if (addresses.length === 0) return
  const balances = await readBalances(keeper, addresses)
  const { chain, lease } = keeper
  await lease.write(
    (sql) => sql`
      with held as (
        select known.address, known.token, known.balance - (
          select coalesce(sum(d.received_amount), 0) from app.smart_deposit d
          where d.chain_id = ${chain.id} and d.address = known.address and d.token = known.token
            and d.status in ('pending', 'retrying') and d.order_id is null
        ) - (
          select coalesce(sum(u.amount), 0) from app.unplaced_transfer u
          where u.chain_id = ${chain.id} and u.address = known.address and u.token = known.token
            and u.seen_at > now() - ${UNPLACED_PATIENCE}::interval
        ) as amount
        from unnest(${balances.map(({ address }) => address)}::text[],
          ${balances.map(({ token }) => token)}::text[],
          ${balances.map(({ balance }) => String(balance))}::numeric[])
          as known (address, token, balance)
      ), explained as (
        delete from app.unexplained_balance b using held
        where b.chain_id = ${chain.id} and b.address = held.address and b.token = held.token
          and held.amount <= 0
      )
      insert into app.unexplained_balance as known (chain_id, address, token, amount)
      select ${chain.id}, address, token, amount from held where amount > 0
      on conflict (chain_id, address, token) do update
        set amount = excluded.amount, changed_at = now(), search_at = now()
        where known.amount <> excluded.amount`,
  )
}

/** The balances that a node shows: a token may fail for some. */
async function readBalances(keeper: Keeper, addresses: readonly Address[]) {
  const { chain, service } = keeper
  const places = addresses.flatMap((address) =>
    tokensOf(keeper, address).map((token) => ({ address, token })),
  )
  const balances = await service.chains.read(chain.id, (client) =>
    Promise.all(
      places.map(({ address, token }) =>
        tryRead(client, {
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [address],
        }),
      ),
    ),
  )
  return places.flatMap((place, index) => {
    const balance = balances[index] ?? null
    return balance === null ? [] : [{ ...place, balance }]
  })
}

/** What an address accepts on this chain, and what a route of the book takes from here to its vault's chain. */
function tokensOf({ chain, service, watched }: Keeper, address: Address): readonly Address[] {
  const known = watched.of(address)
  if (!known) return []
  const own = known.token ? [known.token] : []
  if (!known.takesAny) return own
  const ends = offersOf(service.addressBook)
  return [...new Set([...own, ...(ends.get(`${chain.id} ${known.addressChainId}`) ?? [])])]
}

/** The tokens that the routes from one chain to another take. */
const offersOf = oncePer(({ transitRoutes }: Pick<AddressBook, 'transitRoutes'>) => {
  const offers = new Map<string, Address[]>()
  for (const { sourceChainId, destinationChainId, offerAsset } of transitRoutes) {
    const ends = `${sourceChainId} ${destinationChainId}`
    offers.set(ends, [...(offers.get(ends) ?? []), offerAsset])
  }
  return offers
})
