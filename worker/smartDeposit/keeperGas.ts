import { observe } from '../../domain/observation/observe.ts'
import type { Fees } from './intents.ts'
import { keeperAddress, type SigningKeeper } from './signingKeepers.ts'

type Cost = {
  gas: bigint
  /** wei that its call takes with it. */
  value?: bigint | undefined
  fees: Fees
  /** The nonce of an open transaction that it replaces. */
  insteadOf?: number
}

/** Whether the balance of the key's account covers a transaction in addition to its other open ones. */
export async function hasGas(
  keeper: SigningKeeper,
  { gas, value = 0n, fees: { maxFee }, insteadOf }: Cost,
): Promise<boolean> {
  const { chain, service, sql, memory, logger } = keeper
  const address = keeperAddress(keeper)
  const balance = await service.chains.read(chain.id, (client) => client.getBalance({ address }))
  observe({ kind: 'keeperBalance', chainId: chain.id, account: address, wei: balance })
  const [row] = await sql<{ owed: string | null }[]>`
    select sum(i.gas * t.max_fee + i.value) as owed
    from app.keeper_intent i
    join lateral (
      select max(max_fee) as max_fee from app.keeper_transaction t
      where t.chain_id = i.chain_id and t.keeper = i.keeper and t.nonce = i.nonce
    ) t on true
    where i.chain_id = ${chain.id} and i.keeper = ${address} and i.state = 'open'
      and i.nonce is distinct from ${insteadOf ?? null}`
  const has = balance >= BigInt(row?.owed ?? 0) + gas * maxFee + value
  if (!has && !memory.withoutGas.has(address))
    logger.warn(
      { chainId: chain.id, keeper: address, wei: String(balance) },
      'the keeper has no gas',
    )
  if (has) memory.withoutGas.delete(address)
  else memory.withoutGas.add(address)
  return has
}
