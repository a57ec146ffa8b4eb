import type { TransactionSql } from 'postgres'
import { findChain } from '../../domain/chain/findChain.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { selectOrderPayments } from '../../domain/journey/orderPayments.ts'
import {
  type DepositNames,
  depositEvents,
  depositResource,
  type EmittedEvent,
  type OriginNames,
  revertedEvents,
} from '../../domain/smartDeposit/depositEvents.ts'
import { isForeign, type KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { recordEvents } from '../../domain/webhook/recordEvents.ts'
import type { Keeper } from './keeper.ts'
import { storableText } from './storableText.ts'

/** Records all events of a deposit's state, for every organization that registered its address. */
export async function recordDepositEvents(
  sql: TransactionSql,
  keeper: Keeper,
  deposit: KeeperDeposit,
): Promise<void> {
  const organizations = await sql<{ id: string }[]>`
    select organization_id as id from app.smart_deposit_registration
    where chain_id = ${deposit.addressChainId} and address = ${deposit.address}`
  const names = await namesOf(sql, keeper, deposit)
  const ids = organizations.map(({ id }) => id)
  await recordEvents(sql, depositEvents(deposit, names, ids))
}

type RevertibleKind = 'pending' | 'converting' | 'confirmed' | 'failed'

/** Records a `reverted` event for each valid event of these kinds, the newest first. */
export async function recordReverted(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, kinds }: { deposit: KeeperDeposit; kinds: RevertibleKind[] },
): Promise<void> {
  const types = kinds.map((kind) => `smart_deposit.deposit.${kind}`)
  const emitted = await sql<EmittedEvent[]>`
    select emitted.id, emitted.organization_id as "organizationId"
    from app.smart_deposit_registration registered
    join app.event emitted on emitted.organization_id = registered.organization_id
      and emitted.resource = ${depositResource(deposit.depositId)}
    where registered.chain_id = ${deposit.addressChainId} and registered.address = ${deposit.address}
      and emitted.type = any(${types})
      and not exists (
        select 1 from app.event later
        where later.organization_id = emitted.organization_id and later.resource = emitted.resource
          and later.type = 'smart_deposit.deposit.reverted'
          and later.body->>'reverted_event_id' = emitted.id)
    order by emitted.resource_sequence desc`
  await recordEvents(sql, revertedEvents(deposit, await namesOf(sql, keeper, deposit), emitted))
}

async function namesOf(
  sql: TransactionSql,
  keeper: Keeper,
  deposit: KeeperDeposit,
): Promise<DepositNames> {
  const { service } = keeper
  const { chainId, addressChainId, address, paymentId, paymentTxHash: transactionHash } = deposit
  const payments = await selectOrderPayments(sql, [{ chainId, address, transactionHash }])
  const { symbol, decimals } = await service.tokens.get(addressChainId, deposit.inputToken)
  return {
    chainName: findChain(service.addressBook, addressChainId).name,
    tokenSymbol: symbol,
    tokenDecimals: decimals,
    origin: isForeign(deposit) ? await readOrigin(keeper, deposit) : null,
    transitOrderId:
      deposit.orderId ?? payments.find((one) => one.paymentId === paymentId)?.orderId ?? null,
  }
}

/** A token that anybody may have written can have a long name. */
const MOST_LETTERS = 32

/** The names of the token that was paid. Anybody may have written it, so it may have none. */
async function readOrigin(
  { service }: Keeper,
  { chainId, token }: KeeperDeposit,
): Promise<OriginNames> {
  try {
    const { symbol, decimals } = await service.tokens.get(chainId, token)
    return { symbol: storableText(symbol.slice(0, MOST_LETTERS)), decimals }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { symbol: null, decimals: null }
  }
}
