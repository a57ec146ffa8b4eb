import type { TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import { findDeployment } from '../../domain/earn/vaults/deployments.ts'
import { depositIdOf, paymentIdOf } from '../../domain/smartDeposit/paymentId.ts'
import { listDeposits } from './depositRows.ts'
import type { Keeper } from './keeper.ts'
import type { PlacedTransfer } from './placeTransfers.ts'
import { reportDeposits } from './reportDeposit.ts'
import { chooseDeposits } from './unlistedTokens.ts'
import type { Watched } from './watchedAddresses.ts'

/**
 * Records transfers of the accepted token as deposits, and others as foreign transfers. At addresses of generation B the others are
 * deposits too, of tokens that the address book does not name a limited number. Known ones do not change, except reverted deposits: their transactions are mined again.
 */
export async function recordTransfers(
  sql: TransactionSql,
  keeper: Keeper,
  transfers: readonly PlacedTransfer[],
): Promise<void> {
  const recorded = transfers.flatMap((transfer): Recorded[] => {
    const watched = keeper.watched.of(transfer.to)
    if (watched === undefined) return []
    const paymentId = paymentIdOf({ chainId: keeper.chain.id, ...transfer })
    return [{ transfer, paymentId, watched, isAccepted: watched.token === transfer.token }]
  })
  const { listed } = keeper.service.tokens
  const isOpen = ({ isAccepted, watched }: Recorded) => isAccepted || watched.takesAny
  const isListed = ({ isAccepted, transfer }: Recorded) =>
    isAccepted || listed(keeper.chain.id, transfer.token) !== undefined
  const unlisted = recorded.filter((one) => isOpen(one) && !isListed(one))
  const chosen = await chooseDeposits(sql, keeper.memory, unlisted)
  const isDeposit = (one: Recorded) => isOpen(one) && (isListed(one) || chosen.has(one.paymentId))
  const [accepted, foreign] = [
    recorded.filter(isDeposit),
    recorded.filter((one) => !isDeposit(one)),
  ]
  if (accepted.length > 0) await recordDeposits(sql, keeper, accepted)
  if (foreign.length > 0) await recordForeign(sql, keeper, foreign)
}

type Recorded = {
  transfer: PlacedTransfer
  paymentId: Hex
  watched: Watched
  /** Of the accepted token. */
  isAccepted: boolean
}

async function recordDeposits(sql: TransactionSql, keeper: Keeper, recorded: readonly Recorded[]) {
  const paymentIds = recorded.map(({ paymentId }) => paymentId)
  const known = await listDeposits(sql, sql`d.payment_id = any(${paymentIds})`)
  const byAttempt = known.toSorted((one, other) => one.attempt - other.attempt)
  const latestOf = new Map(byAttempt.map((deposit) => [deposit.paymentId, deposit]))
  const depositors = await depositorsOf(sql, keeper, recorded)
  const added = recorded.flatMap(({ transfer, paymentId, watched, isAccepted }) => {
    const latest = latestOf.get(paymentId)
    if (latest && latest.status !== 'reverted') return []
    const depositId = latest?.depositId ?? depositIdOf(paymentId, 1)
    const { addressChainId, takesAny } = watched
    // Only accounts of generation B make orders. `linkArrivals` finds out whose order it is.
    const continues = isAccepted && takesAny ? transfer.orderId : null
    const depositor = depositors.get(transfer.to) ?? null
    return [{ depositId, paymentId, transfer, addressChainId, continues, depositor }]
  })
  if (added.length === 0) return
  await sql`
    insert into app.smart_deposit (deposit_id, chain_id, address_chain_id, address, token, payment_id,
      attempt, received_amount, payment_tx_hash, payment_log_position, payment_block_number,
      payment_block_hash, status, depositor_address, continues)
    select deposit_id, ${keeper.chain.id}, address_chain_id, address, token, payment_id, 1, amount, tx_hash, log_position,
      block_number, block_hash, 'pending', depositor, continues
    from unnest(
      ${added.map(({ depositId }) => depositId)}::text[],
      ${added.map(({ transfer }) => transfer.to)}::text[],
      ${added.map(({ transfer }) => transfer.token)}::text[],
      ${added.map(({ paymentId }) => paymentId)}::text[],
      ${added.map(({ transfer }) => String(transfer.amount))}::numeric[],
      ${added.map(({ transfer }) => transfer.transactionHash)}::text[],
      ${added.map(({ transfer }) => transfer.logPosition)}::integer[],
      ${added.map(({ transfer }) => transfer.block.number)}::bigint[],
      ${added.map(({ transfer }) => transfer.block.hash)}::text[],
      ${added.map(({ depositor }) => depositor)}::text[],
      ${added.map(({ addressChainId }) => addressChainId)}::integer[],
      ${added.map(({ continues }) => continues)}::text[]
    ) as new (deposit_id, address, token, payment_id, amount, tx_hash, log_position, block_number,
      block_hash, depositor, address_chain_id, continues)
    on conflict (deposit_id) do update set status = 'pending', is_final = false, reason = null,
      retry_at = null, failing_since = null,
      payment_block_number = excluded.payment_block_number,
      payment_block_hash = excluded.payment_block_hash, updated_at = now()`
  const depositIds = added.map(({ depositId }) => depositId)
  const deposits = await listDeposits(sql, sql`d.deposit_id = any(${depositIds})`)
  const byId = new Map(deposits.map((deposit) => [deposit.depositId, deposit]))
  // Events in the order of the transfers.
  const inOrder = depositIds.flatMap((depositId) => byId.get(depositId) ?? [])
  await reportDeposits(sql, keeper, inOrder)
}

/** By address, the address book's depositor, until the factory's route is read. */
async function depositorsOf(
  sql: TransactionSql,
  { service }: Keeper,
  recorded: readonly Recorded[],
) {
  const addresses = recorded.map(({ transfer }) => transfer.to)
  const chainIds = recorded.map(({ watched }) => watched.addressChainId)
  const rows = await sql<{ address: Address; chainId: number; vault: Address }[]>`
    select distinct address, chain_id as "chainId", vault_address as vault
    from app.smart_deposit_address
    join unnest(${chainIds}::integer[], ${addresses}::text[]) paid (chain_id, address)
      using (chain_id, address)`
  return new Map(
    rows.map(({ address, chainId, vault }) => [
      address,
      findDeployment(service.addressBook, chainId, vault)?.depositor,
    ]),
  )
}

/** One statement, because anybody can fill a block with such transfers. */
async function recordForeign(sql: TransactionSql, keeper: Keeper, recorded: readonly Recorded[]) {
  const column = <Value>(value: (one: Recorded) => Value) => recorded.map(value)
  const { id: chainId } = keeper.chain
  const added = await sql<{ isNew: boolean; address: Address; token: Address }[]>`
    insert into app.foreign_transfer (payment_id, chain_id, address, token, amount, tx_hash,
      log_position, block_number, block_hash)
    select payment_id, ${chainId}, address, token, amount, tx_hash, log_position, block_number,
      block_hash
    from unnest(
      ${column(({ paymentId }) => paymentId)}::text[],
      ${column(({ transfer }) => transfer.to)}::text[],
      ${column(({ transfer }) => transfer.token)}::text[],
      ${column(({ transfer }) => String(transfer.amount))}::numeric[],
      ${column(({ transfer }) => transfer.transactionHash)}::text[],
      ${column(({ transfer }) => transfer.logPosition)}::integer[],
      ${column(({ transfer }) => transfer.block.number)}::bigint[],
      ${column(({ transfer }) => transfer.block.hash)}::text[]
    ) as new (payment_id, address, token, amount, tx_hash, log_position, block_number, block_hash)
    on conflict (payment_id) do update
      set block_number = excluded.block_number, block_hash = excluded.block_hash
    returning xmax = 0 as "isNew", address, token`
  const isNew = added.filter((row) => row.isNew)
  const groups = Map.groupBy(isNew, ({ address, token }) => `${address} ${token}`)
  for (const [{ address, token } = {}, ...more] of groups.values())
    keeper.logger.warn(
      { chainId, address, token, transfers: 1 + more.length },
      'a smart deposit address received a token that it does not accept',
    )
}
