import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  type LocalAccount,
  maxUint256,
  multicall3Abi,
} from 'viem'
import { priceFeedAbi } from '../../abis/priceFeed.ts'
import type { FactoryGeneration } from '../../abis/smartDeposit.ts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { MULTICALL3 } from '../../devnet/plan.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { smartDepositAddress } from '../../domain/smartDeposit/smartDepositAddress.ts'
import { lower } from '../support/lower.ts'
import { CHAIN_ID, simulatedFactory } from './keeperTraffic.ts'

/** 5 USDC: more than a forward costs at the ceiling of the fee. */
export const ATTACKED = {
  minimum: 5_000_000n,
  ceilings: {
    maxGas: 1_500_000,
    maxFeePerGas: '5000000000',
    maxSpendPerHour: '20000000000000000',
  },
}
const PAYMENTS = 150
const ENDED_WITHIN_MS = 60_000
const { USDC } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', CHAIN_ID)

export type KeeperAttack = {
  name: string
  /** Where the attacker pays, in which token, and how much each time, in base units. */
  chainId: number
  token: Address
  amount: bigint
  /** In one transaction, so that a payment costs the attacker as little as possible. */
  payments: number
  /** The generation of the attacked address's factory. The vault takes USDC on Ethereum. */
  generation: FactoryGeneration
  /** The payment of an honest user on the same chain. The attack lasts until it is in the vault or sent on. */
  honest: { token: Address; amount: bigint }
  /** Happens while the payments are there. */
  meanwhile?: (attacked: Address) => Promise<void>
}

const direct = {
  chainId: CHAIN_ID,
  token: USDC,
  payments: PAYMENTS,
  generation: 'A',
  honest: { token: USDC, amount: 25_000_000n },
} as const

/** Attacks with the token that an address of generation A accepts. */
export const DIRECT_ATTACKS: KeeperAttack[] = [
  { ...direct, name: 'payments of one millionth of a dollar', amount: 1n },
  {
    ...direct,
    name: 'small payments that reach the minimum together',
    amount: ATTACKED.minimum / 50n,
  },
  { ...direct, name: 'payments of exactly the minimum', amount: ATTACKED.minimum },
]

export type KeeperAttackReport = {
  /** Milliseconds from an honest payment until it is in the vault, or sent on. */
  quietMs: number
  duringMs: number
  sends: number
  /** Whole USD. */
  keeperUsd: number
  attackerGasUsd: number
  attackerPaidUsd: number
  /** The fees that the orders took from the attacker's payments. */
  attackerFeesUsd: number
}

type Attacked = { sql: Sql; world: World }

/** Pays many times to one address while an honest payment to another comes behind, and counts who spent what. */
export async function runKeeperAttack(
  { sql, world }: Attacked,
  attack: KeeperAttack,
): Promise<KeeperAttackReport> {
  const { name, chainId, token, amount, payments, generation } = attack
  const quietMs = await honestMs({ sql, world }, attack, `quiet: ${name}`)
  const of = { user: userAt(5), customerId: slug(name), generation }
  const crowded = await registerAddress(sql, world, of)
  const attacker = userAt(0)
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [MULTICALL3, maxUint256],
  })
  await send(world, { chainId, account: attacker, to: token, data: approve })
  const pay = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [attacker.address, crowded, amount],
  })
  const calls = Array.from({ length: payments }, () => ({
    target: token,
    allowFailure: false,
    callData: pay,
  }))
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls],
  })
  const receipt = await send(world, { chainId, account: attacker, to: MULTICALL3, data })
  if (receipt.status !== 'success') throw new Error(`${name}: the attacker cannot pay`)
  await attack.meanwhile?.(crowded)
  const duringMs = await honestMs({ sql, world }, attack, `during: ${name}`)
  await untilQuiet(sql, crowded)
  const { sends, wei, fees } = await readSpent(sql, crowded)
  await letAnHourPass(sql, crowded)
  const usdOf = await usdOfCoins(world)
  return {
    quietMs,
    duringMs,
    sends,
    keeperUsd: usdOf(wei),
    attackerGasUsd: usdOf(receipt.gasUsed * receipt.effectiveGasPrice),
    attackerPaidUsd: Number(amount * BigInt(payments)) / 1e6,
    attackerFeesUsd: Number(fees) / 1e6,
  }
}

/** The next attack finds a full budget of the hour, and nothing that is left of this one. */
async function letAnHourPass(sql: Sql, address: Address) {
  await sql`update app.keeper_intent set created_at = created_at - interval '1 hour'`
  await sql`
    update app.smart_deposit set retry_at = now() + interval '1 day'
    where address = ${address} and status in ('pending', 'retrying') and order_id is null`
}

/** The keepers' costs for an address on all chains, with the fees of messages, and the fees of its orders. */
async function readSpent(sql: Sql, address: Address) {
  const [spent] = await sql<{ sends: number; wei: string }[]>`
    select count(*)::integer as sends, coalesce(sum(i.cost_wei), 0)::text as wei
    from app.keeper_intent i where exists (
      select from app.keeper_part p join app.smart_deposit d using (deposit_id)
      where p.chain_id = i.chain_id and p.keeper = i.keeper and p.nonce = i.nonce
        and d.address = ${address})`
  // The tokens of the attacks on generation B have six decimals, as USDC has.
  const [taken] = await sql<{ fees: string }[]>`
    select coalesce(sum(received_amount - order_amount), 0)::text as fees from (
      select distinct on (order_id) received_amount, order_amount from app.smart_deposit
      where address = ${address} and order_id is not null order by order_id, attempt desc) as sent`
  return {
    sends: spent?.sends ?? 0,
    wei: BigInt(spent?.wei ?? 0),
    fees: BigInt(taken?.fees ?? 0),
  }
}

/** The coins of all chains have the same price. */
async function usdOfCoins(world: World) {
  const { nativeUsdFeed } =
    world.addressBook.chains.find(({ id }) => id === CHAIN_ID)?.transitFill ?? {}
  if (!nativeUsdFeed) throw new Error('the chain has no price')
  const [, answer] = await worldClient(world, CHAIN_ID).readContract({
    address: nativeUsdFeed.address,
    abi: priceFeedAbi,
    functionName: 'latestRoundData',
  })
  return (wei: bigint) => (Number(wei) / 1e18) * (Number(answer) / 1e8)
}

const slug = (name: string) => name.replaceAll(/[^a-z]+/g, '-')

type Registered = { user: LocalAccount; customerId: string; generation: FactoryGeneration }

async function registerAddress(
  sql: Sql,
  world: World,
  { user, customerId, generation }: Registered,
) {
  const factory = simulatedFactory(world, generation)
  const [organization] = await sql<{ id: string }[]>`
    insert into app.organization (name) values (${customerId}) returning id`
  const organizationId = organization?.id ?? ''
  const key = {
    userDestinationAddress: lower(user.address),
    vaultAddress: lower(dollar.vault),
    inputToken: lower(USDC),
    chainId: CHAIN_ID,
    customerId,
    organizationId,
  }
  const address = lower(smartDepositAddress(factory, key))
  await sql`
    insert into app.smart_deposit_address (chain_id, address, factory, generation,
      user_destination_address, vault_address, input_token, customer_id, organization_id)
    values (${CHAIN_ID}, ${address}, ${factory.address}, ${generation},
      ${key.userDestinationAddress}, ${key.vaultAddress}, ${key.inputToken}, ${customerId},
      ${organizationId})`
  await sql`
    insert into app.smart_deposit_registration (organization_id, chain_id, address)
    values (${organizationId}, ${CHAIN_ID}, ${address})`
  return address
}

/** The time from a payment of an honest user until it is in the vault, or sent on. */
async function honestMs(
  { sql, world }: Attacked,
  { chainId, generation, honest: { token, amount } }: KeeperAttack,
  name: string,
): Promise<number> {
  const of = { user: userAt(4), customerId: slug(name), generation }
  const address = await registerAddress(sql, world, of)
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [address, amount],
  })
  const from = Date.now()
  await send(world, { chainId, account: userAt(1), to: token, data })
  for (;;) {
    const ended = await sql`
      select 1 from app.smart_deposit
      where address = ${address} and status in ('converting', 'confirmed', 'finalized')`
    if (ended.length > 0) return Date.now() - from
    if (Date.now() - from > ENDED_WITHIN_MS) throw new Error(`${name}: no deposit in a minute`)
    await sleep(25)
  }
}

/** Waits until the keeper has done with an address what it will do now. */
async function untilQuiet(sql: Sql, address: Address) {
  const state = async () =>
    JSON.stringify(
      await sql`
        select status, count(*)::integer as count from app.smart_deposit
        where address = ${address} group by status order by status`,
    )
  for (let last = ''; ; ) {
    const now = await state()
    if (now === last) return
    last = now
    await sleep(6_000)
  }
}

type Sent = { chainId: number; account: LocalAccount; to: Address; data: Hex }

async function send(world: World, { chainId, account, to, data }: Sent) {
  const client = worldClient(world, chainId)
  const hash = await client.sendTransaction({ account, to, data, gas: 20_000_000n })
  return client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
}
