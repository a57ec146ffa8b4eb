import { type Address, type Hex, type LocalAccount, parseEther, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { addKeeper, keeperKey } from '../support/addKeeper.ts'
import { lower } from '../support/lower.ts'
import {
  CHAIN_ID,
  type KeeperWorld,
  keeperAccount,
  kinds,
  settle,
  startKeptWorld,
  USDC,
} from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)
const user = userAt(3)

describe('a keeper with two keys', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let second: LocalAccount
  let organizationId: string
  let customers = 0

  beforeAll(async () => {
    ;({ w, organizationId } = await startKeptWorld())
    const chain = w.addressBook.chains.find(({ id }) => id === CHAIN_ID)
    if (!chain) throw new Error('the world has its chain')
    second = await addKeeper(w.client, chain, keeperKey(2))
    keeper = await takeOver([keeperAccount, second])
    await settle(keeper, 1)
  })
  // A test that failed may have left it off.
  afterEach(() => w.client.setAutomine(true))
  afterAll(() => w?.stop())

  function takeOver(accounts: readonly LocalAccount[]) {
    return w.takeOver({}, CHAIN_ID, accounts)
  }

  /** New addresses of generation B, so many for each of the two keys. */
  async function newAddresses(each: number): Promise<[Address[], Address[]]> {
    const found: [Address[], Address[]] = [[], []]
    while (found.some(({ length }) => length < each)) {
      customers += 1
      const key = { user, customerId: `k${customers}`, organizationId, generation: 'B' as const }
      const of = found[placeOf(w.addressOf(key))]
      if (of.length === each) continue
      of.push(await w.register({ ...key, organizationIds: [organizationId] }))
    }
    return found
  }

  async function paid(each: number): Promise<[Address[], Address[]]> {
    const addresses = await newAddresses(each)
    for (const address of addresses.flat()) await w.pay(USDC, address, AMOUNT)
    return addresses
  }

  const lastOf = async (address: Address) => (await w.deposits(address)).at(-1) ?? {}
  const kindsOf = async (address: Address) => kinds(await w.events(address))

  /** Who sent the transaction that settled the last payment of an address. */
  async function settlerOf(address: Address) {
    const hash = String((await lastOf(address)).settle_tx_hash) as Hex
    return lower((await w.client.getTransaction({ hash })).from)
  }

  async function settlersOf(addresses: readonly Address[]) {
    return [...new Set(await Promise.all(addresses.map(settlerOf)))]
  }

  /** The accounts that have transactions under way. */
  async function sending() {
    const rows = await w.context.sql<{ keeper: Address }[]>`
      select distinct keeper from app.keeper_intent where state = 'open' order by keeper`
    return rows.map(({ keeper }) => keeper)
  }

  test('default: each key settles the payments of its own addresses, in one pass', async () => {
    const [ofFirst, ofSecond] = await paid(3)
    await w.client.setAutomine(false)
    await settle(keeper, 1)
    expect(await sending()).toEqual([keeperAccount, second].map(addressOf).toSorted())
    await w.mine(1)
    await w.client.setAutomine(true)
    await settle(keeper, 1)
    expect(await settlersOf(ofFirst)).toEqual([addressOf(keeperAccount)])
    expect(await settlersOf(ofSecond)).toEqual([addressOf(second)])
    for (const address of [...ofFirst, ...ofSecond])
      expect(await kindsOf(address)).toEqual(['pending', 'confirmed'])
  })

  test('behavior: small payments of an address are settled together by its key', async () => {
    const addresses = await newAddresses(1)
    // Less than half of the minimum, which is 0.01.
    for (const address of [...addresses.flat(), ...addresses.flat(), ...addresses.flat()])
      await w.pay(USDC, address, 4_000n)
    await settle(keeper)
    const [[ofFirst], [ofSecond]] = addresses
    expect(await settlersOf(ofFirst ? [ofFirst] : [])).toEqual([addressOf(keeperAccount)])
    expect(await settlersOf(ofSecond ? [ofSecond] : [])).toEqual([addressOf(second)])
  })

  test('behavior: a key without coins holds up its own addresses alone', async () => {
    const [ofFirst, ofSecond] = await paid(1)
    await w.client.setBalance({ address: second.address, value: 0n })
    await settle(keeper)
    await w.client.setBalance({ address: second.address, value: parseEther('10000') })
    for (const address of ofFirst) expect(await kindsOf(address)).toEqual(['pending', 'confirmed'])
    for (const address of ofSecond) {
      expect(await kindsOf(address)).toEqual(['pending', 'failed'])
      expect(await w.sentFor(address)).toHaveLength(0)
    }
    await w.hurry()
    await settle(keeper)
    for (const address of ofSecond) expect((await kindsOf(address)).at(-1)).toBe('confirmed')
  })

  test("behavior: the hour's budget is that of all keys together", async () => {
    const addresses = (await paid(1)).flat()
    const { ceilings } = keeper
    await w.context.sql`update app.keeper_intent set created_at = now() - interval '2 hours'`
    // The first transaction uses it up.
    keeper.ceilings = { ...ceilings, maxSpendPerHour: '4' }
    await settle(keeper)
    const sent = await Promise.all(addresses.map((address) => w.sentFor(address)))
    expect(sent.flat()).toHaveLength(1)
    expect(keeper.memory.hold).toBe('budget')
    keeper.ceilings = ceilings
    await settle(keeper)
    for (const address of addresses) expect((await kindsOf(address)).at(-1)).toBe('confirmed')
  })

  test('behavior: a worker with one of the keys ends what both have under way, and settles the addresses of both', async () => {
    const underWay = (await paid(1)).flat()
    await w.client.setAutomine(false)
    await settle(keeper, 1)
    // Of the key that the next worker lacks: no node has its transaction any more.
    const lost = await w.context.sql<{ hash: Hex }[]>`
      select hash from app.keeper_transaction join app.keeper_intent using (chain_id, keeper, nonce)
      where state = 'open' and keeper = ${addressOf(second)}`
    expect(lost).toHaveLength(1)
    for (const { hash } of lost) await w.client.dropTransaction({ hash })
    keeper = await takeOver([keeperAccount])
    await w.context.sql`update app.keeper_transaction set sent_at = null`
    await settle(keeper, 1)
    await w.mine(1)
    await w.client.setAutomine(true)
    await settle(keeper, 1)
    for (const address of underWay) {
      expect(await kindsOf(address)).toEqual(['pending', 'confirmed'])
      expect(await w.sentFor(address)).toHaveLength(1)
    }
    const later = (await paid(1)).flat()
    await settle(keeper)
    expect(await settlersOf(later)).toEqual([addressOf(keeperAccount)])
  })

  test('behavior: a payment under way is not sent again by the key that has its address now', async () => {
    const [ofFirst, ofSecond] = await paid(1)
    await w.client.setAutomine(false)
    await settle(keeper, 1)
    expect(await sending()).toEqual([addressOf(keeperAccount)])
    keeper = await takeOver([keeperAccount, second])
    await settle(keeper, 2)
    expect(await sending()).toEqual([addressOf(keeperAccount)])
    await w.mine(1)
    await w.client.setAutomine(true)
    await settle(keeper, 2)
    for (const address of [...ofFirst, ...ofSecond]) {
      expect(await settlerOf(address)).toBe(addressOf(keeperAccount))
      expect(await w.sentFor(address)).toHaveLength(1)
    }
  })
})

function addressOf({ address }: LocalAccount): Address {
  return lower(address)
}

/** The place of the key, of two, to which an address belongs. */
function placeOf(address: Address): 0 | 1 {
  return BigInt(address) % 2n === 0n ? 0 : 1
}
