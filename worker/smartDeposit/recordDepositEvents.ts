import type { TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
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

/**
 * Records all events of the states of deposits, for every organization that registered their addresses. The number of statements does
 * not depend on the number of deposits: anybody can send many payments at once.
 */
export async function recordDepositEvents(
  sql: TransactionSql,
  keeper: Keeper,
  deposits: readonly KeeperDeposit[],
): Promise<void> {
  const served = deposits.filter((deposit) => hasServedVault(keeper, deposit))
  if (served.length === 0) return
  const registered = await sql<{ id: string; chainId: number; address: Address }[]>`
    select organization_id as id, chain_id as "chainId", address
    from app.smart_deposit_registration where (chain_id, address) in (select * from unnest(
      ${served.map(({ addressChainId }) => addressChainId)}::integer[],
      ${served.map(({ address }) => address)}::text[]))
    order by organization_id`
  const organizations = Map.groupBy(registered, ({ chainId, address }) => `${chainId} ${address}`)
  const namesOf = await readNames(sql, keeper, served)
  await recordEvents(
    sql,
    served.flatMap((deposit) => {
      const of = organizations.get(`${deposit.addressChainId} ${deposit.address}`) ?? []
      const ids = of.map(({ id }) => id)
      return depositEvents(deposit, namesOf(deposit), ids)
    }),
  )
}

/** The vault's chain is in the address book. Of another one no event can name the chain and the token. */
function hasServedVault({ service }: Keeper, { addressChainId }: KeeperDeposit): boolean {
  return service.addressBook.chains.some(({ id }) => id === addressChainId)
}

type RevertibleKind = 'pending' | 'converting' | 'confirmed' | 'failed'

/** Records a `reverted` event for each valid event of these kinds, the newest first. */
export async function recordReverted(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, kinds }: { deposit: KeeperDeposit; kinds: RevertibleKind[] },
): Promise<void> {
  if (!hasServedVault(keeper, deposit)) return
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
  const namesOf = await readNames(sql, keeper, [deposit])
  await recordEvents(sql, revertedEvents(deposit, namesOf(deposit), emitted))
}

/** Reads the names in the events of these deposits. */
async function readNames(
  sql: TransactionSql,
  keeper: Keeper,
  deposits: readonly KeeperDeposit[],
): Promise<(deposit: KeeperDeposit) => DepositNames> {
  const payments = await selectOrderPayments(
    sql,
    deposits.map(({ chainId, address, paymentTxHash: transactionHash }) => ({
      chainId,
      address,
      transactionHash,
    })),
  )
  const orderOf = new Map(payments.map(({ paymentId, orderId }) => [paymentId, orderId]))
  const read = await Promise.all(
    deposits.map(async (deposit) => {
      const order = orderOf.get(deposit.paymentId) ?? null
      return [deposit.depositId, await namesOf(keeper, deposit, order)] as const
    }),
  )
  const names = new Map(read)
  return ({ depositId }) => {
    const found = names.get(depositId)
    if (!found) throw new Error('Invariant(readNames): the names of a deposit are missing')
    return found
  }
}

/** `paidBy`: the order that made its payment. */
async function namesOf(
  keeper: Keeper,
  deposit: KeeperDeposit,
  paidBy: Hex | null,
): Promise<DepositNames> {
  const { service } = keeper
  const { addressChainId, inputToken, orderId } = deposit
  const { symbol, decimals } = await service.tokens.get(addressChainId, inputToken)
  return {
    chainName: findChain(service.addressBook, addressChainId).name,
    tokenSymbol: symbol,
    tokenDecimals: decimals,
    origin: isForeign(deposit) ? await readOrigin(keeper, deposit) : null,
    transitOrderId: orderId ?? paidBy,
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
