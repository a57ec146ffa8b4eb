import { join } from 'node:path'
import { type Address, parseAbi, parseGwei, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { userAt } from '../../devnet/accounts.ts'
import { type Observation, onObservation } from '../../domain/observation/observe.ts'
import { returnCall } from '../../domain/smartDeposit/settlementCall.ts'
import { listDeposits } from '../../worker/smartDeposit/depositRows.ts'
import { KEEPER_CEILINGS, type Keeper } from '../../worker/smartDeposit/keeper.ts'
import {
  type KeeperWorld,
  kinds,
  lower,
  owner,
  settle,
  startKeptWorld,
  USDC,
} from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)
const root = join(import.meta.dirname, '../..')
const SHOUT = 'function shout(address to, uint256 times)'
/** About as many logs as a block of 30 million gas holds. */
const FLOOD = 12_000n

describe('the keeper against attackers', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string
  let shouting: Address
  let burning: Address

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
    shouting = await deploy('ShoutingToken')
    burning = await deploy('BurningToken')
  }, 60_000)
  afterAll(() => w?.stop())

  async function deploy(name: string): Promise<Address> {
    const contracts = await compileContracts(
      join(root, 'test/contracts'),
      join(root, '.causeway/artifacts'),
    )
    const contract = contracts[name]
    if (!contract) throw new Error(`${name} was not compiled`)
    const hash = await w.client.deployContract({ ...contract, account: owner })
    const { contractAddress } = await w.client.waitForTransactionReceipt({ hash })
    return contractAddress as Address
  }

  const register = (customerId: string) =>
    w.register({ user: userAt(6), customerId, organizationIds: [organizationId] })

  test.each([
    ['for another address', { customerId: 'thief' }, AMOUNT],
    ['for a part of what came', {}, 1n],
  ])(
    'error: a payment that a stolen key settled %s is not reported as settled',
    async (_, of, amount) => {
      const address = await register(`robbed-${amount}`)
      const { account } = keeper
      keeper.account = null
      await w.pay(USDC, address, AMOUNT)
      await w.pay(USDC, await w.addressOf({ user: userAt(6), ...of }), AMOUNT)
      await settle(keeper, 1)
      const [deposit] = await listDeposits(w.context.sql, w.context.sql`d.address = ${address}`)
      if (!deposit) throw new Error('no deposit')
      const { paymentId: payment } = deposit
      const call = returnCall('refund', { ...deposit, ...of }, { payment, token: USDC, amount })
      await w.send(owner, call.to, call.data)
      keeper.account = account
      const { settings } = keeper
      keeper.settings = { ...settings, patienceMs: 0 }
      await settle(keeper, 2)
      keeper.settings = settings
      expect(await w.balance(USDC, address)).toBeGreaterThan(0n)
      expect((await w.events(address)).map(({ body }) => body.remediation)).toEqual([
        undefined,
        'retained',
      ])
    },
  )

  test('error: a token that cannot be sent on, with an error text that Postgres cannot store', async () => {
    const address = await register('shouted')
    await w.call(owner, shouting, [SHOUT, address, 1n])
    await settle(keeper, 1)
    await w.context.sql`
      update app.foreign_transfer set wanted = 'refund' where token = ${lower(shouting)}`
    const paid = await register('beside')
    await w.pay(USDC, paid, AMOUNT)
    await settle(keeper)
    expect(kinds(await w.events(paid))).toEqual(['pending', 'confirmed'])
    const [foreign] = await w.context.sql`
      select wanted, error from app.foreign_transfer where token = ${lower(shouting)}`
    expect(foreign).toEqual({ wanted: null, error: 'refused: neverever' })
  })

  test('error: a token that burns the gas of whoever sends it on', async () => {
    const address = await register('burnt')
    await w.call(owner, burning, [SHOUT, address, 1n])
    await settle(keeper, 1)
    await w.context.sql`
      update app.foreign_transfer set wanted = 'refund' where token = ${lower(burning)}`
    await settle(keeper)
    const [foreign] = await w.context.sql`
      select wanted, error, settle_tx_hash as hash from app.foreign_transfer
      where token = ${lower(burning)}`
    expect(foreign).toEqual({
      wanted: null,
      error: expect.stringMatching(/^refused: it would take \d{7,} gas; the most is 500000$/),
      hash: null,
    })
  })

  test('behavior: a block full of what is no deposit holds up none', {
    timeout: 60_000,
  }, async () => {
    const address = await register('flooded')
    const hash = await w.client.writeContract({
      account: owner,
      address: shouting,
      abi: parseAbi([SHOUT]),
      functionName: 'shout',
      args: [address, FLOOD],
      gas: 29_000_000n,
    })
    await w.client.waitForTransactionReceipt({ hash })
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper, 3)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
    const [foreign] = await w.context.sql`
      select count(*)::integer as transfers, count(distinct cmin::text)::integer as statements
      from app.foreign_transfer where address = ${address}`
    expect(foreign).toEqual({ transfers: Number(FLOOD), statements: 1 })
  })

  /** The deposits of an address for which the keeper has sent something. */
  const sentFor = (address: Address) => w.context.sql`
    select i.nonce, i.gas, i.cost_wei from app.keeper_intent i
    join app.smart_deposit d using (deposit_id) where d.address = ${address}`

  /** What the keeper reports while `run` runs. */
  async function observed(run: () => Promise<unknown>) {
    const observations: Observation[] = []
    const stop = onObservation((observation) => observations.push(observation))
    await run()
    stop()
    return observations
  }

  test("behavior: no address waits behind another's crowd", async () => {
    const crowded = await register('crowd')
    const honest = await register('behind-the-crowd')
    for (let payment = 0; payment < 20; payment += 1) await w.pay(USDC, crowded, AMOUNT)
    await w.pay(USDC, honest, AMOUNT)
    await settle(keeper, 1)
    expect(await sentFor(honest)).toHaveLength(1)
    expect(await sentFor(crowded)).toHaveLength(4)
    await settle(keeper, 6)
    expect(await w.balance(USDC, crowded)).toBe(0n)
  })

  describe('ceilings', () => {
    afterEach(() => {
      keeper.ceilings = KEEPER_CEILINGS
      keeper.settings.patienceMs = 60_000
    })

    test('behavior: above the ceiling of the base fee the keeper waits, reports it, and goes on by itself', async () => {
      const address = await register('fee')
      const dearer = BigInt(KEEPER_CEILINGS.maxFeePerGas) + 1n
      await w.client.setNextBlockBaseFeePerGas({ baseFeePerGas: dearer })
      const before = await w.balance(USDC, userAt(0).address)
      await w.client.mine({ blocks: 1 })
      await w.client.setNextBlockBaseFeePerGas({ baseFeePerGas: dearer })
      await w.pay(USDC, address, AMOUNT)
      expect(await w.balance(USDC, userAt(0).address)).toBe(before - AMOUNT)
      const held = await observed(() => settle(keeper, 1))
      expect(held).toContainEqual({ kind: 'keeperHold', chainId: 1, hold: 'fee' })
      expect(kinds(await w.events(address))).toEqual(['pending'])
      keeper.settings.patienceMs = 0
      await settle(keeper, 1)
      expect((await w.events(address)).at(-1)?.body).toMatchObject({
        remediation: 'retained',
        error: "the chain's base fee is above the keeper's ceiling",
      })
      expect(await sentFor(address)).toHaveLength(0)
      await w.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('1') })
      await w.mine(1)
      await w.hurry()
      const free = await observed(() => settle(keeper, 2))
      expect(free).toContainEqual({ kind: 'keeperHold', chainId: 1, hold: null })
      expect(kinds(await w.events(address)).slice(2)).toEqual(['pending', 'confirmed'])
    })

    test('behavior: no fee is above the ceiling, also not that of a replacement', async () => {
      const address = await register('capped')
      const { baseFeePerGas } = await w.client.getBlock()
      const maxFeePerGas = String((baseFeePerGas ?? 0n) + 1n)
      keeper.ceilings = { ...KEEPER_CEILINGS, maxFeePerGas }
      await w.pay(USDC, address, AMOUNT)
      await w.client.setAutomine(false)
      const { stuckMs } = keeper.settings
      keeper.settings.stuckMs = 0
      await settle(keeper, 3)
      keeper.settings.stuckMs = stuckMs
      await w.mine(1)
      await w.client.setAutomine(true)
      await settle(keeper, 2)
      const fees = await w.context.sql<{ fee: string }[]>`
        select t.max_fee as fee from app.keeper_transaction t
        join app.keeper_intent i using (chain_id, keeper, nonce)
        join app.smart_deposit d using (deposit_id) where d.address = ${address}`
      expect(fees).toEqual([{ fee: maxFeePerGas }])
    })

    test('behavior: what takes more gas than the ceiling is not sent', async () => {
      keeper.ceilings = { ...KEEPER_CEILINGS, maxGas: 50_000 }
      const address = await register('much-gas')
      await w.pay(USDC, address, AMOUNT)
      await settle(keeper, 2)
      const [, failed] = await w.events(address)
      expect(failed?.body.error).toMatch(/^it would take \d+ gas; the most is 50000$/)
    })

    test("behavior: an hour's budget, of which no address uses more than its part", async () => {
      const greedy = await register('greedy')
      await w.pay(USDC, greedy, AMOUNT)
      await settle(keeper, 2)
      const [first] = await sentFor(greedy)
      expect(BigInt(first?.cost_wei)).toBeGreaterThan(0n)
      const spent = (await observed(() => settle(keeper, 1))).find(
        (one) => one.kind === 'keeperSpending',
      )
      const wei = spent?.kind === 'keeperSpending' ? spent.wei : 0n
      const share = BigInt(first?.cost_wei)
      expect(wei).toBeGreaterThan(share)
      // All before is older than an hour; the budget is such that this address has used its quarter.
      await w.context.sql`update app.keeper_intent set created_at = now() - interval '2 hours'
        where nonce <> ${first?.nonce}`
      keeper.ceilings = { ...KEEPER_CEILINGS, maxSpendPerHour: String(share * 4n) }
      const modest = await register('modest')
      await w.pay(USDC, greedy, AMOUNT)
      await w.pay(USDC, modest, AMOUNT)
      await settle(keeper, 2)
      expect(await sentFor(greedy)).toHaveLength(1)
      expect(await sentFor(modest)).toHaveLength(1)

      keeper.ceilings = { ...KEEPER_CEILINGS, maxSpendPerHour: String(share) }
      const late = await register('late')
      await w.pay(USDC, late, AMOUNT)
      const held = await observed(() => settle(keeper, 1))
      expect(held).toContainEqual({ kind: 'keeperHold', chainId: 1, hold: 'budget' })
      keeper.settings.patienceMs = 0
      await settle(keeper, 1)
      expect((await w.events(late)).at(-1)?.body).toMatchObject({
        remediation: 'retained',
        error: "the keeper's budget for this hour is used up",
      })
      expect(await sentFor(late)).toHaveLength(0)

      // An hour later, with room for both.
      keeper.ceilings = { ...KEEPER_CEILINGS, maxSpendPerHour: String(share * 8n) }
      await w.context.sql`update app.keeper_intent set created_at = now() - interval '61 minutes'`
      await w.hurry()
      await settle(keeper, 2)
      for (const address of [greedy, late]) expect(await w.balance(USDC, address)).toBe(0n)
    })
  })
})
