import { type Hex, parseEventLogs, parseGwei, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smartDepositFactoryBAbi } from '../../abis/smartDeposit.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { reorganise } from '../../devnet/reorganise.ts'
import { ONE_ADDRESS } from '../../devnet/vaults/writeOneAddress.ts'
import { DEPOSIT_FORMS } from '../../domain/smartDeposit/depositForm.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { encodeHandCall } from '../support/handCall.ts'
import { lower } from '../support/lower.ts'
import {
  deprecateVaults,
  dollar,
  FINALITY,
  type KeeperWorld,
  kinds,
  prime,
  settle,
  startKeptWorld,
  USDC,
} from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)
const { factoryOwner } = DEVNET_ACTORS
const user = userAt(3)

describe('the keeper, at addresses that are the same on every chain', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string
  let customers = 0

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
    keeper.ceilings = { ...keeper.ceilings, maxGas: 5_000_000 }
  })
  afterAll(() => w?.stop())

  function newAddress(vault = dollar.vault) {
    customers += 1
    const customerId = `b${customers}`
    const organizationIds = [organizationId]
    return w.register({ user, vault, customerId, organizationIds, generation: 'B' })
  }

  async function paidAddresses(count: number) {
    const addresses: Hex[] = []
    for (let index = 0; index < count; index += 1) {
      const address = await newAddress()
      await w.pay(USDC, address, AMOUNT)
      addresses.push(address)
    }
    return addresses
  }

  const kindsOf = async (address: Hex) => kinds(await w.events(address))
  const lastOf = async (address: Hex) => (await w.deposits(address)).at(-1) ?? {}

  /** The factory's events of the transaction that settled the last payment of an address. */
  async function settlementOf(address: Hex) {
    const hash = String((await lastOf(address)).settle_tx_hash) as Hex
    const { logs } = await w.client.getTransactionReceipt({ hash })
    return { hash, events: parseEventLogs({ abi: smartDepositFactoryBAbi, logs }) }
  }

  test('default: pending, confirmed and finalized; the shares are with the user', async () => {
    const [address = '0x'] = await paidAddresses(1)
    const before = await w.balance(dollar.vault, user.address)
    await settle(keeper)
    const gained = (await w.balance(dollar.vault, user.address)) - before
    expect(await lastOf(address)).toMatchObject({ minted_amount: String(gained) })
    expect(gained).toBeGreaterThan(0n)
    await w.mine(FINALITY)
    await settle(keeper, 1)
    expect(await kindsOf(address)).toEqual(['pending', 'confirmed', 'finalized'])
    const { events } = await settlementOf(address)
    expect(events.map(({ eventName, address }) => [eventName, lower(address)])).toEqual([
      ['AccountCreated', lower(ONE_ADDRESS.factory)],
      ['Forwarded', lower(ONE_ADDRESS.factory)],
    ])
  })

  test('behavior: several that are due are settled by one transaction, each with its own events and its part of the cost', async () => {
    const addresses = await paidAddresses(3)
    await settle(keeper)
    const settlements = await Promise.all(addresses.map(settlementOf))
    expect(new Set(settlements.map(({ hash }) => hash)).size).toBe(1)
    const ids = (await Promise.all(addresses.map(lastOf))).map(({ deposit_id }) => deposit_id)
    expect(new Set(ids).size).toBe(3)
    for (const address of addresses)
      expect(await kindsOf(address)).toEqual(['pending', 'confirmed'])
    for (const address of addresses) expect(await w.sentFor(address)).toHaveLength(1)
  })

  test('behavior: no transaction has more gas than the ceiling, or too many parts', async () => {
    const addresses = await paidAddresses(4)
    const { ceilings } = keeper
    keeper.ceilings = { ...ceilings, maxGas: 1_000_000 }
    await settle(keeper)
    keeper.ceilings = ceilings
    const hashes = new Set((await Promise.all(addresses.map(settlementOf))).map(({ hash }) => hash))
    expect(hashes.size).toBeGreaterThan(1)
    for (const hash of hashes) {
      const { gas } = await w.client.getTransaction({ hash })
      expect(gas).toBeLessThanOrEqual(1_000_000n)
    }

    const many = await paidAddresses(keeper.settings.mostParts + 1)
    keeper.ceilings = { ...ceilings, maxGas: 25_000_000 }
    await settle(keeper)
    keeper.ceilings = ceilings
    const parts = await Promise.all(many.map(settlementOf))
    expect(new Set(parts.map(({ hash }) => hash)).size).toBe(2)
  })

  test('behavior: a part that fails fails alone; it is retained, and settled later', async () => {
    const [good, bad] = [await newAddress(), await newAddress(prime.vault)]
    for (const address of [good, bad]) await w.pay(USDC, address, AMOUNT)
    await w.client.setAutomine(false)
    await settle(keeper, 1)
    const setRoute = (form: number, depositor: Hex) =>
      encodeHandCall([
        'function setRoute(address vault, address depositor, uint8 form)',
        prime.vault,
        depositor,
        form,
      ])
    // Between the keeper's decision and the block.
    const hash = await w.client.sendTransaction({
      account: factoryOwner,
      to: ONE_ADDRESS.factory,
      data: setRoute(DEPOSIT_FORMS.NONE, prime.current.depositor),
      gas: 200_000n,
      maxFeePerGas: parseGwei('200'),
      maxPriorityFeePerGas: parseGwei('100'),
    })
    await w.mine(1)
    await w.client.setAutomine(true)
    expect((await w.client.getTransactionReceipt({ hash })).status).toBe('success')
    await settle(keeper, 1)
    expect(await kindsOf(good)).toEqual(['pending', 'confirmed'])
    expect((await settlementOf(good)).events).toContainEqual(
      expect.objectContaining({ eventName: 'SettlementFailed' }),
    )
    expect(await kindsOf(bad)).toEqual(['pending', 'failed'])
    expect(await w.balance(USDC, bad)).toBe(AMOUNT)
    await w.send(
      factoryOwner,
      ONE_ADDRESS.factory,
      setRoute(DEPOSIT_FORMS.ATTESTED, prime.current.depositor),
    )
    await w.hurry()
    await settle(keeper)
    expect(await kindsOf(bad)).toEqual(['pending', 'failed', 'pending', 'confirmed'])
    expect(await w.balance(USDC, bad)).toBe(0n)
  })

  test('behavior: a refund, by one transaction with others', async () => {
    const restore = deprecateVaults(keeper)
    const addresses = await paidAddresses(2)
    const before = await w.balance(USDC, user.address)
    await settle(keeper)
    restore()
    expect((await w.balance(USDC, user.address)) - before).toBe(2n * AMOUNT)
    for (const address of addresses)
      expect(await lastOf(address)).toMatchObject({ remediation: 'refunded' })
  })

  test('behavior: small payments of one address are settled together', async () => {
    const address = await newAddress()
    // Less than half of the minimum, which is 0.01.
    for (const _ of [1, 2, 3]) await w.pay(USDC, address, 4_000n)
    await settle(keeper)
    const ends = (await w.deposits(address)).filter(({ status }) => status === 'confirmed')
    expect(ends).toHaveLength(3)
    expect(new Set(ends.map(({ settle_tx_hash }) => settle_tx_hash)).size).toBe(1)
    expect(await w.balance(USDC, address)).toBe(0n)
  })

  test('behavior: a transaction that is gone makes all of its payments pending, and each is settled once', async () => {
    const addresses = await paidAddresses(2)
    await settle(keeper)
    await reorganise(w.client, 1)
    await settle(keeper)
    for (const address of addresses) {
      expect(await kindsOf(address)).toEqual(['pending', 'confirmed', 'reverted', 'confirmed'])
      expect(await w.balance(USDC, address)).toBe(0n)
    }
  })

  test('behavior: after a lost database, the marks of the chain show what is done', async () => {
    const addresses = await paidAddresses(2)
    await settle(keeper)
    const before = await Promise.all(addresses.map(lastOf))
    const ids = before.map(({ deposit_id }) => String(deposit_id))
    const { sql } = w.context
    await sql`with parts as (
        delete from app.keeper_part where deposit_id = any(${ids}::text[]) returning nonce
      ), transactions as (
        delete from app.keeper_transaction t using parts p where p.nonce = t.nonce
      )
      delete from app.keeper_intent i using parts p where p.nonce = i.nonce`
    await sql`update app.smart_deposit set status = 'pending', minted_amount = null,
      settle_tx_hash = null, settle_block_number = null, settle_block_hash = null
      where deposit_id = any(${ids}::text[])`
    await settle(keeper)
    expect(await Promise.all(addresses.map(lastOf))).toEqual(before)
    for (const address of addresses) expect(await w.sentFor(address)).toHaveLength(0)
  })
})
