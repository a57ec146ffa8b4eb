import { type Hex, parseUnits, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { removeOrder } from '../../devnet/stationOwner.ts'
import { listKeeperStates } from '../../domain/health/keeperStates.ts'
import { listUnpaidConversions } from '../../domain/smartDeposit/unpaidConversions.ts'
import { httpOrderQuotes } from '../../worker/smartDeposit/orderQuotes.ts'
import { createWatchedAddresses } from '../../worker/smartDeposit/watchedAddresses.ts'
import { encodeHandCall } from '../support/handCall.ts'
import { lower } from '../support/lower.ts'
import { until } from '../support/until.ts'
import { testForeignReorgs } from './foreignReorgs.ts'
import { AWAY, type ForeignWorld, startForeignWorld } from './foreignWorld.ts'
import { CHAIN_ID, deprecateVaults, FINALITY, settle, USDC, USDG } from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)

describe('foreign payments, when something is in the way', () => {
  let f: ForeignWorld

  beforeAll(async () => {
    f = await startForeignWorld()
  })
  afterAll(() => f?.w.stop())

  test('behavior: while a route is closed its payments wait, then say so, and go on once it is open', async () => {
    const { w, away, onAway } = f
    await f.approveRoute(false)
    const address = await f.newAddress()
    const order = {
      sourceChainId: AWAY,
      offerAsset: USDG,
      offerAmount: AMOUNT,
      destinationChainId: CHAIN_ID,
      wantAsset: USDC,
      receiver: address,
      distributorCode: zeroHash,
    }
    await until(async () => 'reason' in (await away.orderQuotes.amountOut(order)))
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    expect(await f.kindsOf(address), 'a short closure delays it shortly').toEqual(['pending'])
    const impatient = await w.takeOver({ patienceMs: 0 }, AWAY)
    await w.hurry()
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
    // The api looks at the chain's time every few seconds.
    await until(async () => {
      await w.hurry()
      await settle(away, 2)
      return (await f.kindsOf(address)).includes('converting')
    })
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting'])
    const sent = await w.context.sql`
      select i.kind from app.keeper_intent i join app.keeper_part p using (chain_id, keeper, nonce)
      join app.smart_deposit d using (deposit_id) where d.address = ${address} order by i.nonce`
    expect(sent.map(({ kind }) => kind)).toEqual(['cancel', 'settle'])
    expect(await onAway.balance(USDG, address)).toBe(0n)
  })

  test('behavior: an order that does not pay for an hour is shown to the operator until it pays', async () => {
    const { w, home, away, onAway } = f
    const { sql } = w.context
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    const lateHere = async () =>
      (await listUnpaidConversions(sql)).filter((one) => one.address === address)
    const counted = async () =>
      (await listKeeperStates(w.context)).find(({ chainId }) => chainId === AWAY)
        ?.unpaidConversionCount
    const turnBack = (hours: number) =>
      sql`update app.smart_deposit set updated_at = now() - ${`${hours} hours`}::interval
        where address = ${address}`
    expect(await lateHere()).toEqual([])
    await turnBack(2)
    const orderId = await f.orderOf(address)
    expect(await lateHere()).toMatchObject([{ chainId: AWAY, token: lower(USDG), orderId }])
    expect(await counted()).toBe(1)
    await f.deliverOrders()
    await f.payOrders(address)
    await settle(home)
    expect(await lateHere()).toEqual([])
    expect(await counted()).toBe(0)
  })

  test('behavior: a removed order ends its deposit once the removal is final, and what comes back is sent on anew', async () => {
    const { w, home, away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    const orderId = await f.orderOf(address)
    await f.deliverOrders()
    await removeOrder(w.world, CHAIN_ID, orderId)
    await f.indexRemoval(orderId, { finalized: false })
    await f.lookAtOrders(address)
    await settle(away)
    expect(await f.kindsOf(address), 'the removal is not final').toEqual(['pending', 'converting'])
    expect((await w.deposits(address)).at(-1)?.retry_at).toBeInstanceOf(Date)
    await f.indexRemoval(orderId, { finalized: true })
    await f.lookAtOrders(address)
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'failed'])
    expect(await f.lastEvent(address)).toMatchObject({
      remediation: 'retained',
      reason: 'ORDER_REMOVED',
      transit_order_id: orderId,
      received_amount: '0',
    })
    expect(await listUnpaidConversions(w.context.sql)).toContainEqual(
      expect.objectContaining({ orderId, isRemoved: true }),
    )
    await expect(f.orderRefund(address)).rejects.toThrow('its Transit order was removed')
    await w.hurry()
    await settle(away)
    expect(await w.sentFor(address)).toHaveLength(1)

    // The owner of the stations has the money.
    await onAway.call(DEVNET_ACTORS.deployer, DEPLOYMENT.vault, [
      'function manage(address[],bytes[],uint256[])',
      [USDG],
      [encodeHandCall(['function transfer(address,uint256)', address, AMOUNT])],
      [0n],
    ])
    await settle(away)
    expect((await f.kindsOf(address)).slice(3)).toEqual(['pending', 'converting'])
    expect(await f.orderOf(address)).not.toBe(orderId)
    expect(await w.sentFor(address)).toHaveLength(2)
    await f.deliverOrders()
    await f.payOrders(address)
    await settle(home)
    expect((await f.kindsOf(address)).slice(3)).toEqual(['pending', 'converting', 'confirmed'])
    await onAway.mine(FINALITY)
    await settle(away)
    const ended = await w.deposits(address)
    expect(ended.filter(({ is_final }) => is_final)).toHaveLength(1)
    expect(ended.map(({ status }) => status).toSorted()).toEqual([
      'confirmed',
      'confirmed',
      'failed',
    ])
  })

  test('behavior: a removed order that has paid a part ends its deposit when the part is in the vault', async () => {
    const { w, home, away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    const orderId = await f.orderOf(address)
    await f.deliverOrders()
    await f.payOrders(address, 3n)
    await removeOrder(w.world, CHAIN_ID, orderId)
    const paid = await w.balance(USDC, address)
    await f.indexRemoval(orderId, { finalized: true, paid })
    await f.lookAtOrders(address)
    await settle(away)
    expect(await f.kindsOf(address), 'its part is not settled').toEqual(['pending', 'converting'])
    await settle(home)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'failed'])
    expect(await f.lastEvent(address)).toMatchObject({
      reason: 'ORDER_REMOVED',
      received_amount: String(paid),
    })
    // Later passes at home change nothing.
    await w.mine(FINALITY)
    await settle(home)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'failed'])
    expect((await w.deposits(address)).map(({ status }) => status).toSorted()).toEqual([
      'failed',
      'finalized',
    ])
  })

  test('behavior: payments for a vault whose chain left the book wait, and hold up no other', async () => {
    const { w, away, onAway } = f
    const address = await f.newAddress()
    const { service, accounts, chain } = away
    away.accounts = []
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away, 1)
    const chains = service.addressBook.chains.filter(({ id }) => id !== CHAIN_ID)
    away.service = { ...service, addressBook: { ...service.addressBook, chains } }
    away.accounts = accounts
    await settle(away, 2)
    expect(await f.kindsOf(address)).toEqual(['pending'])
    for (const [book, isWatched] of [
      [away.service.addressBook, false],
      [service.addressBook, true],
    ] as const) {
      const watched = createWatchedAddresses(w.context.sql, book, chain)
      await watched.refresh()
      expect([isWatched, watched.of(address) !== undefined]).toEqual([isWatched, isWatched])
    }
    away.service = service
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting'])
  })

  test('behavior: a refund of what an order paid ends its deposit, also if both keepers missed it at first', async () => {
    const { w, home, away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    await f.deliverOrders()
    await f.payOrders(address)
    const restore = deprecateVaults(home)
    await settle(home)
    restore()
    const ended = ['pending', 'converting', 'failed']
    expect(await f.kindsOf(address)).toEqual(ended)
    const orderId = await f.orderOf(address)
    // As if neither had seen what the other had written but not committed.
    await w.context.sql`
      update app.smart_deposit set status = 'converting', remediation = null, error = null,
        home_tx_hash = null, home_block_hash = null, is_final = false where order_id = ${orderId}`
    await w.context.sql`
      update app.smart_deposit set is_final = false where continues = ${orderId}`
    await w.mine(FINALITY)
    await settle(home)
    const [origin] = await w.context.sql`
      select status, remediation from app.smart_deposit where order_id = ${orderId}`
    expect(origin).toEqual({ status: 'failed', remediation: 'refunded' })
    expect(await f.kindsOf(address)).toEqual(ended)
  })

  test('behavior: a worker that takes over follows the order of the one before it', async () => {
    const { w, away, onAway, client } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await client.setAutomine(false)
    await settle(away, 1)
    f.away = await w.takeOver({}, AWAY)
    await client.setAutomine(true)
    await onAway.mine(1)
    await settle(f.away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting'])
    expect(await w.sentFor(address)).toHaveLength(1)
  })

  test('behavior: an order whose message costs more than the book allows is not sent', async () => {
    const { w, away, onAway } = f
    const address = await f.newAddress()
    const { chain } = away
    const { transitStation } = chain
    if (!transitStation) throw new Error('the chain has a station')
    away.chain = { ...chain, transitStation: { ...transitStation, maxMessageFee: '0' } }
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    expect(await w.sentFor(address)).toEqual([])
    away.chain = chain
    await w.hurry()
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting'])
  })

  test('behavior: what was paid before its address was registered is found by its balance', async () => {
    const { w, away, onAway, organizationId, user } = f
    const registered = {
      user,
      customerId: 'late',
      organizationIds: [organizationId],
      generation: 'B' as const,
    }
    const address = w.addressOf(registered)
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away, 2)
    await w.register(registered)
    await settle(away, 6)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting'])
  })

  test("behavior: a user's own order to the address is a deposit by itself", async () => {
    const { w, home, user } = f
    const address = await f.newAddress()
    await placeOrder(w.world, {
      user,
      sourceChainId: AWAY,
      destinationChainId: CHAIN_ID,
      offerAsset: USDG,
      wantAsset: USDC,
      offerAmount: AMOUNT,
      receiver: address,
    })
    await f.deliverOrders()
    await f.payOrders(address)
    const { payerScreening } = home
    home.payerScreening = null
    await settle(home)
    home.payerScreening = payerScreening
    // The index of this world has no orders. It is settled before anybody knows whose order it is.
    expect(await w.balance(USDC, address)).toBe(0n)
    expect(await f.kindsOf(address)).toEqual([])
    // Nor is it forgotten when it can change no more.
    await w.mine(FINALITY)
    await settle(home, 2)
    home.settings = { ...home.settings, patienceMs: 0 }
    await settle(home, 1)
    home.settings = { ...home.settings, patienceMs: 60_000 }
    expect((await f.kindsOf(address)).slice(0, 2)).toEqual(['pending', 'confirmed'])
    await settle(home, 1)
    expect(await f.kindsOf(address)).toEqual(['pending', 'confirmed', 'finalized'])
    expect(await f.lastEvent(address)).not.toHaveProperty('origin_amount')
  })

  test('behavior: an order that pays before its transaction is followed goes on with its payment', async () => {
    const { w, home, away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away, 1)
    expect(await f.kindsOf(address), 'the order is sent, and not followed').toEqual(['pending'])
    await f.deliverOrders()
    await f.payOrders(address)
    const { payerScreening, settings } = home
    Object.assign(home, { payerScreening: null, settings: { ...settings, patienceMs: 0 } })
    await settle(home)
    Object.assign(home, { payerScreening, settings })
    expect(await w.balance(USDC, address), 'it is settled meanwhile').toBe(0n)
    expect(await f.kindsOf(address)).toEqual(['pending'])
    await settle(away)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'confirmed'])
    expect(await w.deposits(address)).toHaveLength(2)
  })

  testForeignReorgs(() => f)
})
