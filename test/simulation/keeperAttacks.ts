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
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { MULTICALL3 } from '../../devnet/plan.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { smartDepositAddress } from '../../domain/smartDeposit/smartDepositAddress.ts'
import { simulatedFactory } from './keeperTraffic.ts'

export const CHAIN_ID = 1
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
const HONEST_AMOUNT = 25_000_000n
const ENDED_WITHIN_MS = 60_000
const { USDC } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', CHAIN_ID)

/** Each pays 150 times in one transaction, so that a payment costs the attacker as little as possible. */
export const KEEPER_ATTACKS: Record<string, bigint> = {
  'payments of one millionth of a dollar': 1n,
  'small payments that reach the minimum together': ATTACKED.minimum / 50n,
  'payments of exactly the minimum': ATTACKED.minimum,
}

export type KeeperAttackReport = {
  /** Milliseconds from an honest payment to its confirmation. */
  quietMs: number
  duringMs: number
  sends: number
  /** Whole USD. */
  keeperUsd: number
  attackerGasUsd: number
  attackerPaidUsd: number
  /** The keeper's gas by what the attacker paid for gas and sent to the address. */
  lossPerDollar: number
}

/** Pays many times to one address while an honest payment to another comes behind, and counts who spent what. */
export async function runKeeperAttack(
  { sql, world }: { sql: Sql; world: World },
  name: string,
): Promise<KeeperAttackReport> {
  const client = worldClient(world, CHAIN_ID)
  const amount = KEEPER_ATTACKS[name] ?? 0n
  const quietMs = await honestMs(sql, world, `quiet: ${name}`)
  const crowded = await registerAddress(sql, world, { user: userAt(5), customerId: slug(name) })
  const attacker = userAt(0)
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [MULTICALL3, maxUint256],
  })
  await send(world, attacker, USDC, approve)
  const pay = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [attacker.address, crowded, amount],
  })
  const calls = Array.from({ length: PAYMENTS }, () => ({
    target: USDC,
    allowFailure: false,
    callData: pay,
  }))
  const batch = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls],
  })
  const receipt = await send(world, attacker, MULTICALL3, batch)
  const duringMs = await honestMs(sql, world, `during: ${name}`)
  await untilQuiet(sql, crowded)
  const [spent] = await sql<{ sends: number; wei: string }[]>`
    select count(*)::integer as sends, coalesce(sum(i.cost_wei), 0) as wei
    from app.keeper_intent i join app.keeper_part p using (chain_id, keeper, nonce)
    join app.smart_deposit d using (deposit_id)
    where d.address = ${crowded}`
  const { nativeUsdFeed } =
    world.addressBook.chains.find(({ id }) => id === CHAIN_ID)?.transitFill ?? {}
  if (!nativeUsdFeed) throw new Error('the chain has no price')
  const [, answer] = await client.readContract({
    address: nativeUsdFeed.address,
    abi: priceFeedAbi,
    functionName: 'latestRoundData',
  })
  const usdOf = (wei: bigint) => (Number(wei) / 1e18) * (Number(answer) / 1e8)
  const keeperUsd = usdOf(BigInt(spent?.wei ?? 0))
  const attackerGasUsd = usdOf(receipt.gasUsed * receipt.effectiveGasPrice)
  const attackerPaidUsd = Number(amount * BigInt(PAYMENTS)) / 1e6
  const lossPerDollar = keeperUsd / (attackerGasUsd + attackerPaidUsd)
  const sends = spent?.sends ?? 0
  return { quietMs, duringMs, sends, keeperUsd, attackerGasUsd, attackerPaidUsd, lossPerDollar }
}

const slug = (name: string) => name.replaceAll(/[^a-z]+/g, '-')

type Registered = { user: LocalAccount; customerId: string }

async function registerAddress(sql: Sql, world: World, { user, customerId }: Registered) {
  const factory = simulatedFactory(world)
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
    insert into app.smart_deposit_address (chain_id, address, factory, user_destination_address,
      vault_address, input_token, customer_id, organization_id)
    values (${CHAIN_ID}, ${address}, ${factory.address}, ${key.userDestinationAddress},
      ${key.vaultAddress}, ${key.inputToken}, ${customerId}, ${organizationId})`
  await sql`
    insert into app.smart_deposit_registration (organization_id, chain_id, address)
    values (${organizationId}, ${CHAIN_ID}, ${address})`
  return address
}

/** The time from a payment of an honest user to its confirmation. */
async function honestMs(sql: Sql, world: World, name: string): Promise<number> {
  const address = await registerAddress(sql, world, { user: userAt(4), customerId: slug(name) })
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [address, HONEST_AMOUNT],
  })
  const from = Date.now()
  await send(world, userAt(1), USDC, data)
  for (;;) {
    const ended = await sql`
      select 1 from app.smart_deposit
      where address = ${address} and status in ('confirmed', 'finalized')`
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

async function send(world: World, account: LocalAccount, to: Address, data: Hex) {
  const client = worldClient(world, CHAIN_ID)
  const hash = await client.sendTransaction({ account, to, data, gas: 20_000_000n })
  return client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
