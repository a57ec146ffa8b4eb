import type { Sql } from 'postgres'
import type { Address } from 'viem'
import type { AddressBookChain } from '../addressBook/addressBook.ts'
import type { SharedServices } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'
import { matchesFilter } from '../filter/matchesFilter.ts'
import { type KeeperState, listKeeperStates } from '../health/keeperStates.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { pageInMemory } from '../page/pageInMemory.ts'
import type { Page } from '../page/pageOfRows.ts'
import { keeperCeilings } from './keeperCeilings.ts'
import { readKeeperCosts, sumOfCosts } from './keeperCosts.ts'

/** The keeper of a chain, as its last worker recorded it. Amounts are wei. */
export type ListedKeeper = Omit<KeeperRow, 'accounts'> &
  KeeperState & {
    /** In the order of their keys. None until a worker with a key has kept the chain. */
    accounts: KeeperAccount[]
    /** The costs of all accounts together. */
    spentToday: bigint
    spentThisHour: bigint
    maxSpendPerHour: bigint
  }

/** One of the accounts that send a keeper's transactions. */
export type KeeperAccount = {
  account: Address
  /** Null while no node answers. */
  balance: bigint | null
  /** The number of its transactions on the chain; null while no node answers. */
  nonce: number | null
}

type KeeperRow = {
  chainId: number
  accounts: Address[]
  /** Whether a worker keeps the chain at this moment. */
  isRunning: boolean
  /** Why it sends nothing. */
  hold: 'fee' | 'budget' | null
  pendingCount: number
  retainedCount: number
  openTransactionCount: number
  /** Transfers of other tokens, about which an operator has not decided. */
  foreignTransferCount: number
  /** The oldest payment that is not settled. */
  oldestWaitingAt: Date | null
  /** The newest block whose payments were read. */
  block: bigint | null
  updatedAt: Date | null
}

export type KeeperPage = Page<'keepers', ListedKeeper>

type Context = Pick<SharedServices, 'appSecret' | 'sql' | 'addressBook' | 'chains'>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const keeperQuery = listQuery({
  list: 'keepers',
  keys: {
    chainId: { type: 'integer' },
    hold: { type: 'enum', values: ['FEE', 'BUDGET'] },
  },
})

/** The keeper of every chain with smart deposits: for operators only. Throws what its query throws. */
export async function listKeepers(context: Context, params: ListParams): Promise<KeeperPage> {
  const query = keeperQuery(context, params)
  const chains = context.addressBook.chains.filter(({ smartDeposit }) => smartDeposit)
  const [found, states] = await Promise.all([
    selectKeepers(context.sql, chains),
    listKeeperStates(context),
  ])
  const rows = states.flatMap((state) => {
    const row = found.find(({ chainId }) => chainId === state.chainId)
    return row ? [{ ...row, ...state }] : []
  })
  const matching = rows.filter(({ chainId, hold }) =>
    matchesFilter(query.filter, { chainId, hold: hold?.toUpperCase() ?? null }),
  )
  const page = pageInMemory(context, query, {
    name: 'keepers',
    rows: matching,
    place: ({ chainId }) => [chainId],
  })
  const keepers = await Promise.all(page.keepers.map((row) => withAccounts(context, row)))
  return { ...page, keepers }
}

function selectKeepers(sql: Sql, chains: AddressBookChain[]): Promise<KeeperRow[]> {
  return sql<KeeperRow[]>`
    select c.id as "chainId", coalesce(k.accounts, '{}') as accounts, k.hold, k.block_number as block,
      k.updated_at as "updatedAt",
      exists (select from pg_locks l
        where l.locktype = 'advisory' and l.granted and l.objsubid = 2
          and l.database = (select oid from pg_database where datname = current_database())
          and l.classid::bigint = hashtext('causeway.keeper')::bigint & 4294967295
          and l.objid::bigint = c.id) as "isRunning",
      d.pending::integer as "pendingCount", d.retained::integer as "retainedCount",
      d.oldest as "oldestWaitingAt",
      (select count(*)::integer from app.keeper_intent i
        where i.chain_id = c.id and i.state = 'open') as "openTransactionCount",
      (select count(*)::integer from app.foreign_transfer f
        where f.chain_id = c.id and f.wanted is null and f.settle_tx_hash is null)
        as "foreignTransferCount"
    from unnest(${chains.map(({ id }) => id)}::integer[]) c (id)
    left join app.keeper_chain k on k.chain_id = c.id
    cross join lateral (
      select count(*) filter (where s.status = 'pending') as pending,
        count(*) filter (where s.status = 'retrying') as retained, min(s.created_at) as oldest
      from app.smart_deposit s
      where s.chain_id = c.id and s.status in ('pending', 'retrying') and not s.is_final
    ) d`
}

async function withAccounts(
  { sql, chains, addressBook }: Context,
  row: KeeperRow & KeeperState,
): Promise<ListedKeeper> {
  const { chainId } = row
  const chain = addressBook.chains.find(({ id }) => id === chainId)
  const costsOf = (hours: number) => readKeeperCosts(sql, { chainId, hours })
  const [accounts, today, thisHour] = await Promise.all([
    Promise.all(row.accounts.map((account) => readAccount(chains, chainId, account))),
    costsOf(24),
    costsOf(1),
  ])
  return {
    ...row,
    accounts,
    spentToday: sumOfCosts(today),
    spentThisHour: sumOfCosts(thisHour),
    maxSpendPerHour: BigInt(keeperCeilings(chain ?? {}).maxSpendPerHour),
  }
}

async function readAccount(
  chains: Context['chains'],
  chainId: number,
  account: Address,
): Promise<KeeperAccount> {
  const onChain = await chains
    .read(chainId, async (client) => ({
      balance: await client.getBalance({ address: account }),
      nonce: await client.getTransactionCount({ address: account }),
    }))
    .catch((error) => {
      // No node answers. All else is a fault.
      if (!(error instanceof ServiceError)) throw error
      return { balance: null, nonce: null }
    })
  return { account, ...onChain }
}
