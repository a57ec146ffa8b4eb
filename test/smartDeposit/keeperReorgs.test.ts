import { encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import { userAt } from '../../devnet/accounts.ts'
import { reorganise } from '../../devnet/reorganise.ts'
import { retryDeposits } from '../../domain/smartDeposit/retainedDeposits.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import {
  CHAIN_ID,
  deprecateVaults,
  dollar,
  FINALITY,
  type KeeperWorld,
  keeperAccount,
  kinds,
  settle,
  startKeptWorld,
  USDC,
  USDG,
} from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)
const payer = userAt(0)
const user = userAt(3)
let customers = 0

describe('smart deposits and reorganisations', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
  })
  afterAll(() => w?.stop())

  /** A transfer that can be sent again after a reorganization, with the same bytes. */
  async function signedPayment(to: Hex, token = USDC) {
    return payer.signTransaction({
      chainId: CHAIN_ID,
      type: 'eip1559',
      to: token,
      gas: 200_000n,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, AMOUNT] }),
      nonce: await w.client.getTransactionCount({ address: payer.address }),
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
  }

  async function newAddress() {
    customers += 1
    const customerId = `r${customers}`
    return w.register({ user, customerId, organizationIds: [organizationId] })
  }

  /** Resolves once a block has the transaction: a node mines it a moment after it has answered. */
  async function send(serializedTransaction: Hex) {
    const hash = await w.client.sendRawTransaction({ serializedTransaction })
    await w.client.waitForTransactionReceipt({ hash })
    return hash
  }

  /** How often the factory settled a payment to this address, on the present chain. */
  async function settlements(address: Hex) {
    const logs = await w.client.getLogs({
      address: keeper.smartDeposit.factory,
      events: smartDepositFactoryAbi.filter(isEvent),
      fromBlock: 0n,
    })
    return logs.filter(
      ({ eventName, topics }) =>
        eventName === 'Forwarded' && topics[1]?.endsWith(address.slice(2).toLowerCase()),
    ).length
  }

  /** Each `reverted` event names an earlier event, and no event is reverted twice. */
  function expectTakenBack(events: Awaited<ReturnType<KeeperWorld['events']>>) {
    const taken = events.flatMap(({ body }) => body.reverted_event_id ?? [])
    expect(new Set(taken).size).toBe(taken.length)
    for (const id of taken) expect(events.some(({ body }) => body.id === id)).toBe(true)
    return taken.map((id) =>
      events
        .find(({ body }) => body.id === id)
        ?.type.split('.')
        .at(-1),
    )
  }

  test('behavior: a forward that is gone while the chain is shorter than it was', async () => {
    const address = await newAddress()
    await send(await signedPayment(address))
    const mark = await w.client.snapshot()
    await w.mine(3)
    await settle(keeper)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
    await w.client.revert({ id: mark })
    await settle(keeper, 1)
    await w.mine(10)
    await settle(keeper)
    const events = await w.events(address)
    expect(kinds(events)).toEqual(['pending', 'confirmed', 'reverted', 'confirmed'])
    expect(expectTakenBack(events)).toEqual(['confirmed'])
    expect(await settlements(address)).toBe(1)
  })

  test('behavior: a payment that is gone before it was forwarded, and that comes back', async () => {
    const address = await newAddress()
    const { accounts } = keeper
    keeper.accounts = []
    const payment = await signedPayment(address)
    const mark = await w.client.snapshot()
    await send(payment)
    await settle(keeper, 1)
    expect(kinds(await w.events(address))).toEqual(['pending'])
    await w.client.revert({ id: mark })
    await w.mine(2)
    await settle(keeper, 1)
    expect(kinds(await w.events(address))).toEqual(['pending', 'reverted'])
    expect((await w.deposits(address))[0]).toMatchObject({ status: 'reverted' })
    await send(payment)
    keeper.accounts = accounts
    await settle(keeper)
    const events = await w.events(address)
    expect(kinds(events)).toEqual(['pending', 'reverted', 'pending', 'confirmed'])
    expect(expectTakenBack(events)).toEqual(['pending'])
    expect(new Set(events.map(({ body }) => body.deposit_id)).size).toBe(1)
    expect(await settlements(address)).toBe(1)
  })

  test.each([
    ['is mined again later', false],
    ['has moved to another block', true],
  ])('behavior: small payments whose common forward %s', async (_, hasMoved) => {
    const address = await newAddress()
    for (const _ of [1, 2, 3]) await w.pay(USDC, address, 4_000n)
    const mark = await w.client.snapshot()
    await settle(keeper, 4)
    expect(await settlements(address)).toBe(1)
    await w.client.revert({ id: mark })
    await w.mine(2)
    if (hasMoved) {
      const [sent] = await w.context.sql<{ raw: Hex }[]>`
        select t.raw from app.keeper_transaction t
        join app.keeper_part p using (chain_id, keeper, nonce)
        join app.smart_deposit d using (deposit_id) where d.address = ${address}`
      await send(sent?.raw ?? '0x')
    }
    await settle(keeper, 4)
    expect(await settlements(address)).toBe(1)
    expect(await w.balance(USDC, address)).toBe(0n)
    const events = await w.events(address)
    expect(expectTakenBack(events)).toEqual(Array(3).fill('confirmed'))
    const ends = (await w.deposits(address)).filter(({ status }) => status === 'confirmed')
    expect(ends).toHaveLength(3)
    expect(new Set(ends.map(({ settle_tx_hash }) => settle_tx_hash)).size).toBe(1)
  })

  test('behavior: small payments whose common forward is gone together with one of them wait again', async () => {
    const address = await newAddress()
    for (const _ of [1, 2]) await w.pay(USDC, address, 4_000n)
    await settle(keeper, 2)
    const mark = await w.client.snapshot()
    await w.pay(USDC, address, 4_000n)
    await settle(keeper, 4)
    expect(await settlements(address)).toBe(1)
    await w.client.revert({ id: mark })
    await w.mine(2)
    await settle(keeper, 4)
    expect(await settlements(address)).toBe(0)
    const waiting = (await w.deposits(address)).filter(({ remediation }) => remediation === null)
    expect(waiting.map(({ status }) => status).filter((status) => status !== 'reverted')).toEqual([
      'retrying',
      'retrying',
    ])
    const administrator = { sql: w.context.sql, actor: 'test' }
    const [named] = waiting.filter(({ status }) => status === 'retrying')
    expect(await retryDeposits(administrator, named?.deposit_id as Hex)).toBe(1)
    await settle(keeper, 4)
    expect(await settlements(address)).toBe(1)
    expect(await w.balance(USDC, address)).toBe(0n)
    expectTakenBack(await w.events(address))
  })

  test('behavior: a token that is not taken is listed as long as the chain has it', async () => {
    const address = await newAddress()
    const listed = () => w.context.sql<{ hash: Hex }[]>`
      select block_hash as hash from app.foreign_transfer where address = ${address}`
    const payment = await signedPayment(address, USDG)
    const mark = await w.client.snapshot()
    await send(payment)
    await settle(keeper, 1)
    const [first] = await listed()
    await w.client.revert({ id: mark })
    await w.mine(2)
    await settle(keeper, 1)
    expect(await listed()).toEqual([])
    const hash = await send(payment)
    await settle(keeper, 1)
    const { blockHash } = await w.client.getTransactionReceipt({ hash })
    expect(await listed()).toEqual([{ hash: blockHash }])
    expect(first?.hash).not.toBe(blockHash)
  })

  test('behavior: a payment that moved to another block is reported again', async () => {
    const address = await newAddress()
    const { accounts } = keeper
    keeper.accounts = []
    const payment = await signedPayment(address)
    const mark = await w.client.snapshot()
    await send(payment)
    await settle(keeper, 1)
    await w.client.revert({ id: mark })
    await w.mine(1)
    const hash = await send(payment)
    await settle(keeper, 2)
    const events = await w.events(address)
    expect(kinds(events)).toEqual(['pending', 'reverted', 'pending'])
    const { blockHash } = await w.client.getTransactionReceipt({ hash })
    expect(events[2]?.body.receipt_tx_block_hash).toBe(blockHash)
    expect(events[0]?.body.receipt_tx_block_hash).not.toBe(blockHash)
    keeper.accounts = accounts
    await settle(keeper)
    expect(await settlements(address)).toBe(1)
  })

  test('behavior: a forward that is gone makes the deposit pending, and is sent once more', async () => {
    const address = await newAddress()
    const before = await w.balance(dollar.vault, user.address)
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
    const [{ nonces = 0 } = {}] = await w.context.sql<{ nonces: number }[]>`
      select count(*)::integer as nonces from app.keeper_intent`
    await reorganise(w.client, 1)
    await settle(keeper, 1)
    expect(kinds(await w.events(address)).slice(0, 3)).toEqual(['pending', 'confirmed', 'reverted'])
    await settle(keeper)
    const events = await w.events(address)
    expect(kinds(events)).toEqual(['pending', 'confirmed', 'reverted', 'confirmed'])
    expect(expectTakenBack(events)).toEqual(['confirmed'])
    expect(await settlements(address)).toBe(1)
    const [deposit] = await w.deposits(address)
    const gained = (await w.balance(dollar.vault, user.address)) - before
    expect(gained).toBe(BigInt(String(deposit?.minted_amount)))
    const intents = await w.intents()
    expect(intents).toHaveLength(nonces)
    await w.mine(FINALITY)
    await settle(keeper, 1)
    expect(kinds(await w.events(address)).at(-1)).toBe('finalized')
  })

  test('behavior: payment and forward that are gone are both reverted; nothing is forwarded twice', async () => {
    const address = await newAddress()
    const before = await w.balance(dollar.vault, user.address)
    const payment = await signedPayment(address)
    await send(payment)
    await settle(keeper)
    await reorganise(w.client, 2)
    await settle(keeper)
    const events = await w.events(address)
    expect(kinds(events)).toEqual(['pending', 'confirmed', 'reverted', 'reverted'])
    expect(expectTakenBack(events)).toEqual(['confirmed', 'pending'])
    expect((await w.deposits(address))[0]).toMatchObject({ status: 'reverted' })
    expect(await settlements(address)).toBe(0)
    await send(payment)
    await settle(keeper, 5)
    expect(kinds(await w.events(address)).slice(4)).toEqual(['pending', 'confirmed'])
    expect(await settlements(address)).toBe(1)
    const [deposit] = await w.deposits(address)
    const gained = (await w.balance(dollar.vault, user.address)) - before
    expect(gained).toBe(BigInt(String(deposit?.minted_amount)))
    // Every nonce of the keeper is used, so no transaction waits for an earlier one.
    expect((await w.intents()).every(({ state }) => state !== 'open')).toBe(true)
  })

  test('behavior: a transaction signed for a payment that is gone takes no later funds', async () => {
    const address = await newAddress()
    await send(await signedPayment(address))
    await settle(keeper)
    await reorganise(w.client, 2)
    const other = await w.pay(USDC, address, AMOUNT * 2n)
    await settle(keeper, 5)
    const [gone, kept] = await w.deposits(address)
    expect(gone).toMatchObject({ status: 'reverted' })
    expect(kept).toMatchObject({
      status: 'confirmed',
      payment_tx_hash: other.transactionHash,
      received_amount: String(AMOUNT * 2n),
    })
    expect(await settlements(address)).toBe(1)
  })

  test('behavior: what a reorganisation brings into blocks that were read is read', async () => {
    const address = await newAddress()
    const mark = await w.client.snapshot()
    await w.mine(3)
    await settle(keeper, 1)
    await w.client.revert({ id: mark })
    await w.pay(USDC, address, AMOUNT)
    await w.mine(4)
    keeper.memory.sweep.nextAt = Number.POSITIVE_INFINITY
    await settle(keeper)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
  })

  test('behavior: a refund that is gone is made again', async () => {
    const address = await newAddress()
    const restore = deprecateVaults(keeper)
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper)
    const { body: first } = (await w.events(address)).at(-1) ?? { body: {} }
    expect(first).toMatchObject({ remediation: 'refunded' })
    await reorganise(w.client, 1)
    await settle(keeper)
    const events = await w.events(address)
    expect(kinds(events)).toEqual(['pending', 'failed', 'reverted', 'failed'])
    expect(expectTakenBack(events)).toEqual(['failed'])
    expect(await w.balance(USDC, address)).toBe(0n)
    restore()
  })

  test('behavior: a chain that only grew takes nothing back', async () => {
    const address = await newAddress()
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper)
    for (let restart = 0; restart < 3; restart += 1) {
      keeper = await w.takeOver()
      await w.mine(1)
      await settle(keeper, 2)
    }
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
  })

  /** As a database of before it that was restored. */
  async function forgetSettlement(ids: string[]) {
    const { sql } = w.context
    await sql`with parts as (
        delete from app.keeper_part where deposit_id = any(${ids}::text[]) returning nonce
      ), transactions as (
        delete from app.keeper_transaction t using parts p where p.nonce = t.nonce
      )
      delete from app.keeper_intent i using parts p where p.nonce = i.nonce`
    await sql`delete from app.event where body->>'deposit_id' = any(${ids}::text[])`
    await sql`delete from app.smart_deposit_report where deposit_id = any(${ids}::text[])`
    await sql`update app.smart_deposit set status = 'retrying', collected_as = null,
      minted_amount = null, settle_tx_hash = null, settle_block_number = null,
      settle_block_hash = null where deposit_id = any(${ids}::text[])`
  }

  test('behavior: after a lost database, a larger small payment does not keep the settled ones open', async () => {
    const address = await newAddress()
    for (const _ of [1, 2, 3]) await w.pay(USDC, address, 4_000n)
    await settle(keeper, 4)
    const settled = (await w.deposits(address)).filter(({ status }) => status === 'confirmed')
    expect(settled).toHaveLength(3)
    await w.pay(USDC, address, 5_000n)
    await settle(keeper, 2)
    await forgetSettlement(settled.map(({ deposit_id }) => String(deposit_id)))
    await settle(keeper, 4)
    await w.pay(USDC, address, 5_000n)
    await settle(keeper, 2)
    await w.hurry()
    await settle(keeper, 4)
    const after = await w.deposits(address)
    expect(after.filter(({ status }) => status === 'confirmed')).toHaveLength(5)
    expect(await w.balance(USDC, address)).toBe(0n)
  })

  test('behavior: after a lost database, the chain shows which payments were settled together', async () => {
    const address = await newAddress()
    // Less than half of the minimum, which is 0.01.
    const small = 4_000n
    for (const _ of [1, 2, 3]) await w.pay(USDC, address, small)
    const mark = await w.client.snapshot()
    await settle(keeper, 4)
    const before = await w.deposits(address)
    const settled = before.filter(({ status }) => status === 'confirmed')
    expect(settled).toHaveLength(3)
    const ids = settled.map(({ deposit_id }) => String(deposit_id))
    await forgetSettlement(ids)
    // Other funds of the address, which must stay its own.
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper, 4)
    const after = await w.deposits(address)
    expect(after.filter(({ deposit_id }) => ids.includes(String(deposit_id)))).toEqual(
      settled.map((deposit) => expect.objectContaining({ ...deposit, tries: expect.anything() })),
    )
    expect(after.at(-1)).toMatchObject({ status: 'confirmed', received_amount: String(AMOUNT) })
    expect(await w.balance(USDC, address)).toBe(0n)

    // Nobody sends that unknown transaction again.
    await w.client.revert({ id: mark })
    await w.mine(20)
    await settle(keeper, 3)
    // The keeper has no transaction of its nonce either.
    await w.send(keeperAccount, keeperAccount.address, '0x')
    await settle(keeper, 3)
    const again = (await w.deposits(address)).filter(({ status }) => status === 'confirmed')
    expect(again).toHaveLength(3)
    expect(again[0]?.settle_tx_hash).not.toBe(settled[0]?.settle_tx_hash)
    expect(await w.balance(USDC, address)).toBe(0n)
  })
})

function isEvent<Item extends { type: string }>(item: Item): item is Item & { type: 'event' } {
  return item.type === 'event'
}
