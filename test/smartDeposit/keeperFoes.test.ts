import { join } from 'node:path'
import { type Address, parseAbi, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { type Observation, onObservation } from '../../domain/observation/observe.ts'
import { returnCall } from '../../domain/smartDeposit/settlementCall.ts'
import { listDeposits } from '../../worker/smartDeposit/depositRows.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { retryingChains } from '../../worker/smartDeposit/retryingChains.ts'
import { MOST_UNLISTED, noneUnlisted } from '../../worker/smartDeposit/unlistedTokens.ts'
import { startLimitedNode } from '../support/limitedNode.ts'
import { lower } from '../support/lower.ts'
import { testKeeperCeilings } from './keeperCeilings.ts'
import {
  CHAIN_ID,
  type KeeperWorld,
  kinds,
  owner,
  settle,
  startKeptWorld,
  USDC,
} from './keeperWorld.ts'
import { testSmallPayments } from './smallPayments.ts'

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
  })
  afterAll(() => w?.stop())

  async function deploy(name: string): Promise<Address> {
    const contracts = await compileContracts(join(root, 'test/contracts'))
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
      const { accounts } = keeper
      keeper.accounts = []
      await w.pay(USDC, address, AMOUNT)
      await w.pay(USDC, await w.addressOf({ user: userAt(6), organizationId, ...of }), AMOUNT)
      await settle(keeper, 1)
      const [deposit] = await listDeposits(w.context.sql, w.context.sql`d.address = ${address}`)
      if (!deposit) throw new Error('no deposit')
      const { paymentId: payment } = deposit
      const call = returnCall('refund', { ...deposit, ...of }, { payment, token: USDC, amount })
      await w.send(owner, call.to, call.data)
      keeper.accounts = accounts
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

  /** A block full of worthless transfers to the address, and then a payment. */
  async function flood(address: Address) {
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
  }

  test('behavior: a block full of what is no deposit holds up none', async () => {
    const address = await register('flooded')
    await flood(address)
    await settle(keeper, 3)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
    const [foreign] = await w.context.sql`
      select count(*)::integer as transfers, count(distinct cmin::text)::integer as statements
      from app.foreign_transfer where address = ${address}`
    expect(foreign).toEqual({ transfers: Number(FLOOD), statements: 1 })
  })

  test('behavior: nor does it at an address that any token can be paid to', async () => {
    const address = await w.register({
      user: userAt(6),
      customerId: 'flooded-b',
      organizationIds: [organizationId],
      generation: 'B',
    })
    await flood(address)
    // An address has four turns a pass.
    await settle(keeper, 8)
    const events = await w.events(address)
    const paid = events.filter(({ body }) => body.origin_token_address === undefined)
    expect(kinds(paid)).toEqual(['pending', 'confirmed'])
    // Of each worthless deposit it is reported that it came, and that it stays.
    expect(events.length - paid.length).toBe(2 * MOST_UNLISTED.ofAddress)
    const [foreign] = await w.context.sql`
      select count(*)::integer as transfers from app.foreign_transfer where address = ${address}`
    expect(foreign).toEqual({ transfers: Number(FLOOD) - MOST_UNLISTED.ofAddress })
    // Another reading of the same logs changes nothing, in the next hour neither.
    keeper.memory.unlisted = noneUnlisted()
    await w.context.sql`update app.keeper_chain set block_number = block_number - 5`
    keeper = await w.takeOver()
    await settle(keeper, 2)
    expect(await w.events(address)).toHaveLength(events.length)
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
    const { service, accounts } = keeper
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
    Object.assign(keeper, { accounts: [], service: { ...service, chains } })
    await settle(keeper, 1)
    Object.assign(keeper, { accounts, service })
    const found = await w.context.sql`
      select from app.foreign_transfer where address = ${address}`
    expect([found.length, most]).toEqual([10, 10])
  })

  test('behavior: a crowd of payments is recorded without a statement for each', async () => {
    const { accounts, sql } = keeper
    const address = await register('recorded-in-a-crowd')
    async function statementsFor(payments: number) {
      await w.call(DEVNET_ACTORS.deployer, USDC, [
        'function mint(address[],uint256)',
        Array.from({ length: payments }, () => address),
        AMOUNT,
      ])
      let count = 0
      sql.options.debug = () => {
        count += 1
      }
      await settle(keeper, 1)
      sql.options.debug = false
      return count
    }
    keeper.accounts = []
    // The first pass may find more to do.
    await settle(keeper, 1)
    const [one, many] = [await statementsFor(1), await statementsFor(40)]
    keeper.accounts = accounts
    await w.context.sql`update app.smart_deposit set is_final = true where address = ${address}`
    expect(await w.events(address)).toHaveLength(41)
    // A pass may make a few others, when one of its steps is due.
    expect(many - one).toBeLessThan(39)
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

  const kept = () => ({ w, keeper })
  testKeeperCeilings(kept, { register, observed })
  testSmallPayments(kept, register)
})
