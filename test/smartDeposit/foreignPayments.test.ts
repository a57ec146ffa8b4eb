import { join } from 'node:path'
import { type Address, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { onObservation } from '../../domain/observation/observe.ts'
import { lower } from '../support/lower.ts'
import { AWAY, type ForeignWorld, startForeignWorld } from './foreignWorld.ts'
import {
  deprecateVaults,
  dollar,
  FINALITY,
  owner,
  settle,
  USDC,
  USDG,
  USDP,
  USDT,
} from './keeperWorld.ts'

const { deployer, recoveryWallet } = DEVNET_ACTORS
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
    const outcomes: string[] = []
    const stop = onObservation((one) => {
      if (one.kind === 'smartDeposit') outcomes.push(one.outcome)
    })
    await onAway.pay(USDP, address, AMOUNT)
    await settle(away)
    stop()
    expect(await f.kindsOf(address)).toEqual(['pending', 'failed'])
    // The alert about retained payments counts others.
    expect(outcomes).toEqual(['not_accepted'])
    expect(await f.lastEvent(address)).toMatchObject({
      remediation: 'retained',
      reason: 'TOKEN_NOT_ACCEPTED',
      origin_token_symbol: 'USDP',
    })
    const before = await onAway.balance(USDP, user.address)
    await w.hurry()
    await settle(away)
    expect(await w.sentFor(address)).toEqual([])
    await f.orderRefund(address)
    await settle(away)
    expect((await onAway.balance(USDP, user.address)) - before).toBe(AMOUNT)
    expect(await f.lastEvent(address)).toMatchObject({ remediation: 'refunded' })
  })

  test('behavior: payments that were worth too little to refund become one order each', async () => {
    const { w, away, home, onAway } = f
    const { sql } = w.context
    const address = await f.newAddress()
    const { accounts } = away
    away.accounts = []
    for (const _ of [1, 2]) await onAway.pay(USDG, address, AMOUNT)
    await settle(away, 1)
    // As the keeper notes it while a vault takes nothing and gas is dear.
    await sql`update app.smart_deposit set is_small = true where address = ${address}`
    away.accounts = accounts
    await settle(away)
    const orders = await sql`
      select order_id from app.smart_deposit where address = ${address} and order_id is not null`
    expect(new Set(orders.map(({ order_id }) => order_id)).size).toBe(2)
    await f.deliverOrders()
    await f.payOrders(address)
    await settle(home)
    const confirmed = (await w.events(address)).filter(({ type }) => type.endsWith('confirmed'))
    expect(confirmed).toHaveLength(2)
    expect(await onAway.balance(USDG, address)).toBe(0n)
  })

  test('behavior: less than the least order stays, with its reason', async () => {
    const { away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, 1n)
    await settle(away)
    expect(await f.lastEvent(address)).toMatchObject({ reason: 'TOKEN_NOT_ACCEPTED' })
    expect((await f.w.deposits(address)).at(-1)).toMatchObject({ retry_at: null })
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

  /** A payment whose order was paid to the vault's chain, where the vault is closed until `open`. */
  async function waitAtVault() {
    const { home, away, onAway } = f
    const address = await f.newAddress()
    await onAway.pay(USDG, address, AMOUNT)
    await settle(away)
    await f.deliverOrders()
    await f.payOrders(address)
    const { service } = home
    home.service = { ...service, addressBook: { ...service.addressBook, vaults: [] } }
    await settle(home)
    const open = () => {
      home.service = service
    }
    return { address, open }
  }

  test('behavior: a payment that waits at the vault is reported as retained, and confirmed later', async () => {
    const { w, home } = f
    const { address, open } = await waitAtVault()
    expect(await f.kindsOf(address)).toEqual(['pending', 'converting', 'failed'])
    expect(await f.lastEvent(address)).toMatchObject({ remediation: 'retained' })
    open()
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

  test('behavior: what a refused payer sent is recovered where it was paid', async () => {
    const { w, away, onAway } = f
    const address = await f.newAddress()
    const payer = userAt(1)
    await w.refusePayer(payer.address)
    const before = await onAway.balance(USDG, recoveryWallet.address)
    await onAway.pay(USDG, address, AMOUNT, payer)
    await settle(away)
    await w.allowPayer(payer.address)
    expect((await onAway.balance(USDG, recoveryWallet.address)) - before).toBe(AMOUNT)
    expect(await f.lastEvent(address)).toMatchObject({
      remediation: 'recovered',
      reason: `${lower(payer.address)} is on the local list`,
    })
  })

  test('behavior: a token whose issuer blocks the address stays until it may go', async () => {
    const { w, home } = f
    const address = await f.newAddress({ token: USDG })
    await w.pay(USDC, address, AMOUNT)
    await w.call(deployer, USDC, ['function blacklist(address)', address])
    await settle(home)
    expect(await f.kindsOf(address)).toEqual(['pending', 'failed'])
    expect(await f.lastEvent(address)).toMatchObject({ remediation: 'retained' })
    await w.call(deployer, USDC, ['function unBlacklist(address)', address])
    await w.hurry()
    await settle(home)
    expect(await f.kindsOf(address)).toEqual(['pending', 'failed', 'pending', 'converting'])
  })

  test('behavior: of a token that takes a fee, what is there is refunded on order', async () => {
    const { w, away, onAway, client, user } = f
    const { FeeToken } = await compileContracts(join(import.meta.dirname, '../contracts'))
    if (!FeeToken) throw new Error('FeeToken was not compiled')
    const hash = await client.deployContract({ ...FeeToken, account: owner })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    const token = lower(contractAddress as Address)
    await onAway.call(owner, token, ['function mint(address,uint256)', userAt(0).address, AMOUNT])
    const address = await f.newAddress()
    await onAway.pay(token, address, AMOUNT)
    await settle(away)
    expect(await f.lastEvent(address)).toMatchObject({ reason: 'TOKEN_NOT_ACCEPTED' })
    await f.orderRefund(address)
    await settle(away)
    expect(await f.lastEvent(address)).toMatchObject({ remediation: 'refunded' })
    expect(await onAway.balance(token, address)).toBe(0n)
    expect(await onAway.balance(token, user.address)).toBeGreaterThan(0n)
    expect((await w.deposits(address)).at(-1)?.received_amount).toBe(String(AMOUNT))
  })

  test('behavior: an order of a refund reaches a payment that waits at the vault', async () => {
    const { w, home, user } = f
    const { address, open } = await waitAtVault()
    const before = await w.balance(USDC, user.address)
    await f.orderRefund(address)
    await settle(home)
    open()
    expect(await w.balance(USDC, user.address)).toBeGreaterThan(before)
    expect(await f.lastEvent(address)).toMatchObject({ remediation: 'refunded' })
  })

  test('behavior: with many addresses, any token to them is still found, by one call', async () => {
    const { w, onAway } = f
    const addresses = [await f.newAddress(), await f.newAddress()]
    f.away = await w.takeOver({ fewAddresses: 1 }, AWAY)
    for (const address of addresses) await onAway.pay(USDP, address, AMOUNT)
    let reads = 0
    const stop = onObservation((one) => {
      if (one.kind === 'rpc' && one.chainId === AWAY && one.method === 'eth_getLogs') reads += 1
    })
    await settle(f.away, 1)
    stop()
    expect(reads).toBe(1)
    await settle(f.away)
    for (const address of addresses) expect(await f.kindsOf(address)).toEqual(['pending', 'failed'])
  })
})
