import { type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reorganise } from '../../devnet/reorganise.ts'
import { until } from '../support/until.ts'
import { httpOrderQuotes } from '../../worker/smartDeposit/orderQuotes.ts'
import { AWAY, type ForeignWorld, startForeignWorld } from './foreignWorld.ts'
import { deprecateVaults, dollar, FINALITY, settle, USDC, USDG, USDP, USDT } from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)

describe('payments to one address, in other tokens and on other chains', () => {
  let f: ForeignWorld

  beforeAll(async () => {
    f = await startForeignWorld()
  })
  afterAll(() => f?.w.stop())

  test('default: what is paid on another chain reaches the vault by one order, as one deposit', async () => {
    const { w, away, home, onAway, user } = f
    const address = await f.newAddress()
    const before = await w.balance(dollar.vault, user.address)
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting'])
    const orderId = await f.orderOf(address)
    expect(await f.lastEvent(address)).toMatchObject({
      transit_order_id: orderId,
      chain_id: '1',
      origin_chain_id: String(AWAY),
      origin_token_symbol: 'USDG',
      origin_token_decimals: 6,
      origin_amount: String(AMOUNT),
      received_amount: '0',
    })
    expect(await onAway.balance(USDG, address)).toBe(0n)

    await f.deliverOrders()
    await f.payOrders(address)
    await settle(home)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'confirmed'])
    const gained = (await w.balance(dollar.vault, user.address)) - before
    expect(gained).toBeGreaterThan(0n)
    const { minted_amount, received_amount, ...confirmed } = await f.lastEvent(address)
    expect(minted_amount).toBe(String(gained))
    expect(Number(received_amount)).toBeGreaterThan(0.99 * Number(AMOUNT))
    expect(confirmed).toMatchObject({ transit_order_id: orderId, origin_amount: String(AMOUNT) })
    expect(await w.balance(USDC, address)).toBe(0n)

    await w.mine(FINALITY)
    await onAway.mine(FINALITY)
    await settle(home)
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'confirmed', 'finalized'])
    const sent = await w.sentFor(address)
    expect(sent).toHaveLength(2)
  })

  test("behavior: another token of the vault's own chain is sent on too", async () => {
    const { w, home } = f
    const address = await f.newAddress()
    await w.pay(USDT, address, AMOUNT)
    await settle(home)
    await f.payOrders(address)
    await settle(home)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'confirmed'])
    expect(await f.lastEvent(address)).toMatchObject({
      origin_chain_id: '1',
      origin_token_symbol: 'USDT',
    })
    expect([await w.balance(USDT, address), await w.balance(USDC, address)]).toEqual([0n, 0n])
  })

  test('behavior: an order that is paid in parts is one deposit, confirmed by its last part', async () => {
    const { home, away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    await f.deliverOrders()
    await f.payOrders(address, 3n)
    await settle(home)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting'])
    await f.payOrders(address)
    await settle(home)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'confirmed'])
    const parts = (await f.w.deposits(address)).filter(({ settle_tx_hash }) => settle_tx_hash)
    expect(parts).toHaveLength(3)
  })

  test('behavior: a token that no route takes is retained with its reason, at once, and refunded on order', async () => {
    const { w, away, onAway, user } = f
    const address = await f.newAddress()
    await onAway.pay(USDP, address, AMOUNT)
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'failed'])
    expect(await f.lastEvent(address)).toMatchObject({
      remediation: 'retained',
      reason: 'TOKEN_NOT_ACCEPTED',
      origin_token_symbol: 'USDP',
    })
    const before = await onAway.balance(USDP, user.address)
    await w.hurry()
    await settle(away)
    expect(await w.sentFor(address)).toEqual([])
    await w.context.sql`
      update app.smart_deposit set refund_ordered_at = now(), retry_at = now()
      where address = ${address} and status = 'retrying'`
    await settle(away)
    expect((await onAway.balance(USDP, user.address)) - before).toBe(AMOUNT)
    expect(await f.lastEvent(address)).toMatchObject({ remediation: 'refunded' })
  })

  test('behavior: less than the least order stays, with its reason', async () => {
    const { away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, 1n)
    await settle(away)
    expect(await f.lastEvent(address)).toMatchObject({ reason: 'TOKEN_NOT_ACCEPTED' })
    expect((await f.w.deposits(address)).at(-1)).toMatchObject({ retry_at: null })
  })

  test('behavior: while a route is closed its payments wait, then say so, and go on once it is open', async () => {
    const { w, onAway } = f
    const impatient = await w.takeOver({ patienceMs: 0 }, AWAY)
    await f.approveRoute(false)
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(impatient)
    expect(await f.lastEvent(address)).toMatchObject({ reason: 'TOKEN_NOT_ACCEPTED' })
    expect((await w.deposits(address)).at(-1)?.retry_at).toBeInstanceOf(Date)
    await f.approveRoute(true)
    // The api looks at stations every few seconds.
    await until(async () => {
      await w.hurry()
      await settle(impatient, 2)
      return (await f.kindsOf(address)).includes('converting')
    })
    f.away = await w.takeOver({}, AWAY)
    expect(await f.kindsOf(address)).toEqual(['pending', 'failed', 'pending', 'converting'])
  })

  test('behavior: while the api is silent the payment waits, and is sent on once it answers', async () => {
    const { w, away, onAway } = f
    const address = await f.newAddress()
    const { orderQuotes } = away
    away.orderQuotes = httpOrderQuotes('http://127.0.0.1:1', null)
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending'])
    away.settings = { ...away.settings, patienceMs: 0 }
    await w.hurry()
    await settle(away)
    away.settings = { ...away.settings, patienceMs: 60_000 }
    expect(await f.lastEvent(address)).toMatchObject({ error: 'the api gives no quote' })
    away.orderQuotes = orderQuotes
    await w.hurry()
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'failed', 'pending', 'converting'])
  })

  test('behavior: an order whose quote has expired is cancelled, and another one is sent', async () => {
    const { w, away, onAway, client } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await client.setAutomine(false)
    await settle(away, 1)
    const [first] = await w.context.sql<{ hash: Hex }[]>`
      select hash from app.keeper_transaction where chain_id = ${AWAY} order by signed_at desc limit 1`
    await client.dropTransaction({ hash: first?.hash ?? '0x' })
    await client.increaseTime({ seconds: 2_000 })
    await client.setAutomine(true)
    await onAway.mine(1)
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting'])
    expect((await w.sentFor(address)).length).toBe(2)
    expect(await onAway.balance(USDG, address)).toBe(0n)
  })

  test('behavior: after a lost ledger the chain itself shows the order', async () => {
    const { w, away, home, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    const orderId = await f.orderOf(address)
    await f.loseLedger(address)
    const next = await w.takeOver({}, AWAY)
    await settle(next)
    expect(await f.orderOf(address)).toBe(orderId)
    await f.deliverOrders()
    await f.payOrders(address)
    await settle(home)
    expect((await w.deposits(address)).map(({ status }) => status)).toEqual([
      'confirmed',
      'confirmed',
    ])
    expect(await w.sentFor(address)).toHaveLength(1)
    f.away = await w.takeOver({}, AWAY)
    expect(away).not.toBe(f.away)
  })

  test("behavior: a reorganisation of the payment's chain takes the order back, and it is sent again", async () => {
    const { home, away, onAway, client } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    await reorganise(client, 1)
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'reverted', 'converting'])
    await f.deliverOrders()
    await f.payOrders(address)
    await settle(home)
    expect((await f.kindsOf(address)).at(-1)).toBe('confirmed')
  })

  test("behavior: a reorganisation of the vault's chain takes the end back, and it is reported again", async () => {
    const { w, home, away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    await f.deliverOrders()
    await f.payOrders(address)
    await settle(home)
    await reorganise(w.client, 1)
    await settle(home)
    expect(await f.kindsOf(address)).toEqual([
      'pending',
      'converting',
      'confirmed',
      'reverted',
      'confirmed',
    ])
    expect(await w.balance(USDC, address)).toBe(0n)
  })

  test('behavior: what the vault would not take is refunded where it was paid', async () => {
    const { away, onAway, user } = f
    const restore = deprecateVaults(away)
    const address = await f.newAddress()
    const before = await onAway.balance(USDG, user.address)
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    restore()
    expect((await onAway.balance(USDG, user.address)) - before).toBe(AMOUNT)
    expect(await f.lastEvent(address)).toMatchObject({ remediation: 'refunded' })
  })

  test('behavior: a payment that waits at the vault is reported as retained, and confirmed later', async () => {
    const { w, home, away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    await f.deliverOrders()
    await f.payOrders(address)
    const { service } = home
    home.service = { ...service, addressBook: { ...service.addressBook, vaults: [] } }
    await settle(home)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'failed'])
    expect(await f.lastEvent(address)).toMatchObject({ remediation: 'retained' })
    home.service = service
    await w.hurry()
    await settle(home)
    expect(await f.kindsOf(address)).toEqual([
      'pending',
      'converting',
      'failed',
      'pending',
      'converting',
      'confirmed',
    ])
  })
})
