import { join } from 'node:path'
import { type Address, parseAbi, parseGwei, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { userAt } from '../../devnet/accounts.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { type Observation, onObservation } from '../../domain/observation/observe.ts'
import { KEEPER_CEILINGS } from '../../domain/smartDeposit/keeperCeilings.ts'
import { listKeepers } from '../../domain/smartDeposit/keeperList.ts'
import { returnCall } from '../../domain/smartDeposit/settlementCall.ts'
import { listDeposits } from '../../worker/smartDeposit/depositRows.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { retryingChains } from '../../worker/smartDeposit/retryingChains.ts'
import { listCollections, setAsideSmall } from '../../worker/smartDeposit/smallPayments.ts'
import { startLimitedNode } from '../support/limitedNode.ts'
import {
  CHAIN_ID,
  dollar,
  type KeeperWorld,
  keeperAccount,
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

  test('behavior: blocks with more transfers than a node answers hold up no deposit', async () => {
    const node = await startLimitedNode({
      rpcUrl: w.world.rpcUrls[CHAIN_ID] ?? '',
      logBlocks: 100_000,
      firstState: 0,
      mostLogs: 100,
    })
    onTestFinished(node.stop)
    const endpoint = { chainId: CHAIN_ID, rpcUrls: [node.rpcUrl] }
    const { service } = keeper
    const chains = retryingChains(createChainClients([endpoint], w.addressBook))
    keeper.service = { ...service, chains }
    onTestFinished(() => {
      keeper.service = service
    })
    const crowded = await register('crowded')
    const paid = await register('among-the-crowd')
    for (const _ of [1, 2]) {
      await w.call(owner, shouting, [SHOUT, crowded, 101n])
      await w.pay(USDC, paid, AMOUNT)
      await w.pay(USDC, crowded, AMOUNT)
    }
    await settle(keeper, 3)
    for (const address of [paid, crowded])
      expect(kinds(await w.events(address)).sort()).toEqual([
        'confirmed',
        'confirmed',
        'pending',
        'pending',
      ])
  })

  test('behavior: many worthless transfers do not wait for each other', async () => {
    const { service, account } = keeper
    let [open, most] = [0, 0]
    const chains: typeof service.chains = {
      ...service.chains,
      async read(chainId, run) {
        open += 1
        most = Math.max(most, open)
        return service.chains.read(chainId, run).finally(() => {
          open -= 1
        })
      },
    }
    const address = await register('littered-by-others')
    for (let sent = 0; sent < 10; sent += 1) await w.call(owner, shouting, [SHOUT, address, 1n])
    Object.assign(keeper, { account: null, service: { ...service, chains } })
    await settle(keeper, 1)
    Object.assign(keeper, { account, service })
    const found = await w.context.sql`
      select from app.foreign_transfer where address = ${address}`
    expect([found.length, most]).toEqual([10, 10])
  })

  /** The observations of the keeper while `run` runs. */
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
    expect(await w.sentFor(honest)).toHaveLength(1)
    expect(await w.sentFor(crowded)).toHaveLength(4)
    await settle(keeper, 6)
    expect(await w.balance(USDC, crowded)).toBe(0n)
  })

  describe('ceilings', () => {
    /** The keeper as an operator sees it. */
    async function listedKeeper() {
      const { keepers } = await listKeepers(w.context, { pageSize: 10 })
      const [listed] = keepers
      if (!listed) throw new Error('the chain has a keeper')
      return listed
    }

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
      expect(await listedKeeper()).toMatchObject({ hold: 'fee', pendingCount: 1 })
      expect(kinds(await w.events(address))).toEqual(['pending'])
      keeper.settings.patienceMs = 0
      await settle(keeper, 1)
      expect((await w.events(address)).at(-1)?.body).toMatchObject({
        remediation: 'retained',
        error: "the chain's base fee is above the keeper's ceiling",
      })
      expect(await w.sentFor(address)).toHaveLength(0)
      await w.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('1') })
      await w.mine(1)
      await w.hurry()
      const free = await observed(() => settle(keeper, 2))
      expect(free).toContainEqual({ kind: 'keeperHold', chainId: 1, hold: null })
      const { balance, nonce, spentToday, ...listed } = await listedKeeper()
      expect(listed).toMatchObject({
        hold: null,
        isRunning: true,
        account: lower(keeperAccount.address),
      })
      expect(balance).toBe(await w.client.getBalance({ address: keeperAccount.address }))
      expect(nonce).toBe(await w.client.getTransactionCount({ address: keeperAccount.address }))
      expect(spentToday).toBeGreaterThan(0n)
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
      const [first] = await w.sentFor(greedy)
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
      expect(await w.sentFor(greedy)).toHaveLength(1)
      expect(await w.sentFor(modest)).toHaveLength(1)

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
      expect(await w.sentFor(late)).toHaveLength(0)

      // An hour later, with room for both.
      keeper.ceilings = { ...KEEPER_CEILINGS, maxSpendPerHour: String(share * 8n) }
      await w.context.sql`update app.keeper_intent set created_at = now() - interval '61 minutes'`
      await w.hurry()
      await settle(keeper, 2)
      for (const address of [greedy, late]) expect(await w.balance(USDC, address)).toBe(0n)
    })
  })

  describe('small payments', () => {
    /** Less than half of the minimum, which is 0.01. */
    const SMALL = 4_000n
    const endsOf = (events: { body: Record<string, unknown> }[]) =>
      events.flatMap(({ body }) => body.remediation ?? [])

    test('behavior: below the minimum they cost nothing, and are tried only once the address has collected it', async () => {
      const address = await register('small')
      const before = await w.balance(dollar.vault, userAt(6).address)
      for (const _ of [1, 2]) await w.pay(USDC, address, SMALL)
      await settle(keeper, 2)
      await w.hurry()
      await settle(keeper, 2)
      expect(await w.sentFor(address)).toHaveLength(0)
      const waiting = await w.events(address)
      expect(kinds(waiting)).toEqual(['pending', 'pending', 'failed', 'failed'])
      expect(endsOf(waiting)).toEqual(['retained', 'retained'])
      expect(waiting.at(-1)?.body.error).toMatch('below the token')

      await w.pay(USDC, address, SMALL)
      await settle(keeper, 4)
      expect(await w.sentFor(address)).toHaveLength(1)
      expect(await w.balance(USDC, address)).toBe(0n)
      const confirmed = (await w.events(address)).filter(({ type }) => type.endsWith('confirmed'))
      expect(confirmed.map(({ body }) => body.received_amount)).toEqual(Array(3).fill('4000'))
      expect(new Set(confirmed.map(({ body }) => body.forward_tx_hash)).size).toBe(1)
      expect(new Set(confirmed.map(({ body }) => body.deposit_id)).size).toBe(3)
      const minted = (await w.balance(dollar.vault, userAt(6).address)) - before
      const parts = confirmed.map(({ body }) => BigInt(String(body.minted_amount)))
      const rest = minted - parts.reduce((sum, part) => sum + part, 0n)
      expect(parts.every((part) => part > 0n)).toBe(true)
      expect(rest >= 0n && rest < 3n).toBe(true)
    })

    test('behavior: a hundred tiny payments do not keep others from being settled together', async () => {
      const address = await register('littered')
      await w.pay(USDC, address, 1n)
      await settle(keeper, 2)
      await w.context.sql`
        insert into app.smart_deposit (deposit_id, chain_id, address, receipt_id, attempt,
          received_amount, receipt_tx_hash, receipt_log_position, receipt_block_number,
          receipt_block_hash, status, is_small)
        select '0x' || encode(sha256(('d' || n)::bytea), 'hex'), chain_id, address,
          '0x' || encode(sha256(('r' || n)::bytea), 'hex'), 2, 1, receipt_tx_hash, 1000 + n,
          receipt_block_number, receipt_block_hash, 'retrying', true
        from app.smart_deposit, generate_series(1, 100) n
        where address = ${address} and status = 'retrying'`
      expect(await listCollections(keeper, { most: 16, without: [] })).toEqual([])
      const { account } = keeper
      keeper.account = null
      for (const _ of [1, 2, 3]) await w.pay(USDC, address, SMALL)
      await settle(keeper, 1)
      keeper.account = account
      await setAsideSmall(keeper)
      const [found] = await listCollections(keeper, { most: 16, without: [] })
      expect(found?.members.slice(0, 4).map(({ receivedAmount }) => receivedAmount)).toEqual([
        SMALL,
        SMALL,
        SMALL,
        1n,
      ])
      expect(found?.members).toHaveLength(100)
      await w.context.sql`update app.smart_deposit set is_final = true where address = ${address}`
    })
  })
})
