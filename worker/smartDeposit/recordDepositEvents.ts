import type { TransactionSql } from 'postgres'
import {
  type DepositNames,
  depositEvents,
  depositResource,
  revertedEvents,
  type ToldEvent,
} from '../../domain/smartDeposit/depositEvents.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { recordEvents } from '../../domain/webhook/recordEvents.ts'
import type { Keeper } from './keeper.ts'

/** Tells whoever registered its address all that a deposit has come to, in the transaction that says so. */
export async function recordDepositEvents(
  sql: TransactionSql,
  keeper: Keeper,
  deposit: KeeperDeposit,
): Promise<void> {
  const organizations = await sql<{ id: string }[]>`
    select organization_id as id from app.smart_deposit_registration
    where chain_id = ${deposit.chainId} and address = ${deposit.address}`
  const names = await namesOf(keeper, deposit)
  const ids = organizations.map(({ id }) => id)
  await recordEvents(sql, depositEvents(deposit, names, ids))
}

type Told = 'pending' | 'confirmed' | 'failed'

/** Takes back what was told of these kinds and still stands, the newest first. */
export async function recordReverted(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, kinds }: { deposit: KeeperDeposit; kinds: Told[] },
): Promise<void> {
  const types = kinds.map((kind) => `smart_deposit.deposit.${kind}`)
  const told = await sql<ToldEvent[]>`
    select told.id, told.organization_id as "organizationId"
    from app.smart_deposit_registration registered
    join app.event told on told.organization_id = registered.organization_id
      and told.resource = ${depositResource(deposit.depositId)}
    where registered.chain_id = ${deposit.chainId} and registered.address = ${deposit.address}
      and told.type = any(${types})
      and not exists (
        select 1 from app.event later
        where later.organization_id = told.organization_id and later.resource = told.resource
          and later.type = 'smart_deposit.deposit.reverted'
          and later.body->>'reverted_event_id' = told.id)
    order by told.resource_sequence desc`
  await recordEvents(sql, revertedEvents(deposit, await namesOf(keeper, deposit), told))
}

async function namesOf(keeper: Keeper, deposit: KeeperDeposit): Promise<DepositNames> {
  const { symbol, decimals } = await keeper.service.tokens.get(deposit.chainId, deposit.inputToken)
  return { chainName: keeper.chain.name, tokenSymbol: symbol, tokenDecimals: decimals }
}
