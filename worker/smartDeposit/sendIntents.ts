import type { TransactionSql } from 'postgres'
import { BaseError, type Hex, keccak256 } from 'viem'
import type { FactoryCall } from '../../domain/smartDeposit/settlementCall.ts'
import type { Head } from './chainReads.ts'
import {
  type Fees,
  type Intent,
  insertIntent,
  insertTransaction,
  isOf,
  type NewIntent,
  type SignedTransaction,
} from './intents.ts'
import type { Keeper } from './keeper.ts'
import { lastingRefusal } from './lastingRefusal.ts'
import { keeperAddress, type SigningKeeper } from './signingKeepers.ts'
import { storableText } from './storableText.ts'

/**
 * The fees for a transaction that should be mined soon; null while the chain asks for more than the keeper's
 * ceiling. Throws `RPC_UNAVAILABLE`.
 */
export async function readFees(
  { chain, service, ceilings }: Keeper,
  { baseFeePerGas: base }: Head,
): Promise<Fees | null> {
  const ceiling = BigInt(ceilings.maxFeePerGas)
  const atMost = (fee: bigint, most: bigint) => (fee < most ? fee : most)
  return service.chains.read(chain.id, async (client) => {
    if (base === null) {
      const gasPrice = await client.getGasPrice()
      return gasPrice > ceiling ? null : { maxFee: gasPrice, priorityFee: gasPrice }
    }
    if (base > ceiling) return null
    const priorityFee = atMost(await client.estimateMaxPriorityFeePerGas(), ceiling - base)
    return { maxFee: atMost(base * 2n + priorityFee, ceiling), priorityFee }
  })
}

export type Wanted = Pick<NewIntent, 'parts' | 'gas'> & {
  call: FactoryCall
  fees: Fees
  /** After it the chain would revert the call. */
  expiresAt?: Date | null
  /** Other changes to write in the same database transaction. */
  alongside?: (sql: TransactionSql) => Promise<unknown>
}

/**
 * Signs a call with the next nonce, records the signed transaction, and only then sends it. A recorded
 * transaction is sent in the end, even if this process dies.
 */
export async function sendNew(keeper: SigningKeeper, wanted: Wanted): Promise<void> {
  const { call, fees, alongside, parts, gas, expiresAt = null } = wanted
  const place = { chainId: keeper.chain.id, keeper: keeperAddress(keeper) }
  const nonce = await nextNonce(keeper)
  const { to: target, data, value = 0n } = call
  const kind = 'settle'
  const intent: NewIntent = { ...place, kind, nonce, parts, gas, target, data, value, expiresAt }
  const signed = await sign(keeper, { ...intent, fees })
  await keeper.lease.write(async (sql) => {
    await insertIntent(sql, intent)
    await insertTransaction(sql, intent, signed)
    await alongside?.(sql)
  })
  await broadcast(keeper, intent, signed)
}

/** Signs and sends another transaction for the nonce of an intent; nodes replace the previous one. */
export async function replace(
  keeper: SigningKeeper,
  intent: Intent,
  { kind, gas, fees }: Pick<Intent, 'kind' | 'gas'> & { fees: Fees },
): Promise<void> {
  const isCancel = kind === 'cancel'
  const call = isCancel
    ? { target: keeperAddress(keeper), data: '0x' as const, value: 0n }
    : { target: intent.target, data: intent.data, value: intent.value }
  const signed = await sign(keeper, { ...call, nonce: intent.nonce, kind, gas, fees })
  await keeper.lease.write(async (sql) => {
    await insertTransaction(sql, intent, signed)
    await sql`
      update app.keeper_intent set kind = ${kind}
      where ${isOf(sql, intent)}`
  })
  await broadcast(keeper, intent, signed)
}

/** Sends a signed transaction to the chain's nodes, or sends it again. Records why they refuse it for good. */
export async function broadcast(
  { chain, service, lease, logger }: Keeper,
  intent: Pick<Intent, 'chainId' | 'keeper' | 'nonce'>,
  { hash, raw, kind }: Pick<SignedTransaction, 'hash' | 'raw' | 'kind'>,
): Promise<void> {
  const error = await service.chains
    .read(chain.id, (client) =>
      client.sendRawTransaction({ serializedTransaction: raw }).catch((error) => {
        if (!isKnownAlready(error)) throw error
      }),
    )
    .then(() => null)
    .catch((error: unknown) => error)
  // It stays recorded, and a later pass sends it again.
  if (error !== null)
    logger.warn(
      { chainId: chain.id, hash, err: error },
      'a node did not accept a transaction: it is sent again',
    )
  const refusal = lastingRefusal(error)
  // A cancellation keeps the refusal of the transaction that it replaces.
  const isNews = kind !== 'cancel' && (error === null || refusal !== null)
  await lease.write(async (sql) => {
    await sql`update app.keeper_transaction set sent_at = now() where hash = ${hash}`
    if (isNews)
      await sql`
        update app.keeper_intent set refusal = ${refusal && storableText(refusal)}
        where ${isOf(sql, intent)}`
  })
}

/** Texts of different nodes for a transaction that they have, or that is mined. */
const KNOWN = /already ?known|already imported|known transaction|nonce too low|nonce is too low/i

function isKnownAlready(error: unknown): boolean {
  return error instanceof BaseError && KNOWN.test(`${error.details} ${error.message}`)
}

/** Only the keeper uses its key; if somebody else did, the chain's count is right. */
async function nextNonce(keeper: SigningKeeper): Promise<number> {
  const { chain, service, sql } = keeper
  const address = keeperAddress(keeper)
  const counted = await service.chains.read(chain.id, (client) =>
    client.getTransactionCount({ address, blockTag: 'latest' }),
  )
  const [row] = await sql<{ next: bigint | null }[]>`
    select max(nonce) + 1 as next from app.keeper_intent
    where chain_id = ${chain.id} and keeper = ${address}`
  return Math.max(counted, Number(row?.next ?? 0))
}

type Signable = Pick<NewIntent, 'target' | 'data' | 'nonce' | 'kind' | 'gas' | 'value'> & {
  fees: Fees
}

async function sign({ account, chain }: SigningKeeper, signable: Signable) {
  const { target: to, data, nonce, gas, kind, value, fees } = signable
  const { maxFee, priorityFee } = fees
  const common = { chainId: chain.id, to, data, nonce, gas, value }
  // A chain without a base fee has one gas price.
  const raw: Hex =
    maxFee === priorityFee
      ? await account.signTransaction({ ...common, type: 'legacy', gasPrice: maxFee })
      : await account.signTransaction({
          ...common,
          type: 'eip1559',
          maxFeePerGas: maxFee,
          maxPriorityFeePerGas: priorityFee,
        })
  return { hash: keccak256(raw), kind, raw, maxFee, priorityFee }
}
