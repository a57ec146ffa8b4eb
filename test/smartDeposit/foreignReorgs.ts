import { parseUnits } from 'viem'
import { expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { reorganise } from '../../devnet/reorganise.ts'
import { recoverOrders } from '../../worker/smartDeposit/recoverOrders.ts'
import { encodeHandCall } from '../support/handCall.ts'
import { AWAY, type ForeignWorld } from './foreignWorld.ts'
import { settle, USDC, USDG, USDP } from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)

/** Foreign payments, after reorganisations of either chain and after a lost database. */
export function testForeignReorgs(world: () => ForeignWorld) {
  test('behavior: after a lost ledger the chain itself shows the order', async () => {
    const f = world()
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
    const f = world()
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

  test('behavior: a retained payment that is gone and comes back is retained again, and refunded on order', async () => {
    const f = world()
    const { w, away, onAway, client, user } = f
    const address = await f.newAddress()
    const account = userAt(0)
    const data = encodeHandCall(['function transfer(address,uint256)', address, AMOUNT])
    const serializedTransaction = await account.signTransaction({
      chainId: AWAY,
      type: 'eip1559',
      to: USDP,
      gas: 200_000n,
      data,
      nonce: await client.getTransactionCount({ address: account.address }),
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
    const mark = await client.snapshot()
    await client.sendRawTransaction({ serializedTransaction })
    await onAway.mine(1)
    await settle(away)
    expect(await f.lastEvent(address)).toMatchObject({ reason: 'TOKEN_NOT_ACCEPTED' })
    await client.revert({ id: mark })
    await onAway.mine(10)
    await settle(away, 1)
    expect((await w.deposits(address)).at(-1)).toMatchObject({ status: 'reverted' })
    await client.sendRawTransaction({ serializedTransaction })
    await onAway.mine(1)
    await settle(away)
    expect(await f.lastEvent(address)).toMatchObject({ reason: 'TOKEN_NOT_ACCEPTED' })
    const before = await onAway.balance(USDP, user.address)
    await f.orderRefund(address)
    await settle(away)
    expect((await onAway.balance(USDP, user.address)) - before).toBe(AMOUNT)
    expect(await f.lastEvent(address)).toMatchObject({ remediation: 'refunded' })
  })

  test("behavior: a reorganisation of the vault's chain takes the end back, and it is reported again", async () => {
    const f = world()
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

  test('behavior: a payment that a lost database has forgotten is found by what its order pays', async () => {
    const f = world()
    const { w, home, away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    const orderId = await f.orderOf(address)
    const sent = (await w.deposits(address)).at(-1)
    await f.loseLedger(address)
    await w.context.sql`delete from app.smart_deposit where address = ${address}`
    await f.deliverOrders()
    await f.payOrders(address)
    const { payerScreening } = home
    home.payerScreening = null
    await settle(home)
    home.payerScreening = payerScreening
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting'])
    // As the index shows the order, once it has read its source.
    const { service } = away
    const order = {
      user: address,
      sourceChainId: AWAY,
      sourceTxHash: sent?.settle_tx_hash,
    }
    const readOrder = async () => ({ order })
    away.service = { ...service, readOrder: readOrder as never }
    // A search that fails is repeated.
    const { lease } = away
    away.lease = { ...lease, write: () => Promise.reject(new Error('not now')) }
    await expect(recoverOrders(away)).rejects.toThrow('failed: order')
    away.lease = lease
    await settle(away)
    away.service = service
    expect(await f.orderOf(address)).toBe(orderId)
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'confirmed'])
    expect(await f.lastEvent(address)).toMatchObject({ deposit_id: sent?.deposit_id })
    expect(away.memory.lookedFor).toEqual(new Set())
  })
}
