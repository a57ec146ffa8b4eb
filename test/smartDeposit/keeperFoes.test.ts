import { join } from 'node:path'
import { type Address, parseAbi, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { userAt } from '../../devnet/accounts.ts'
import { returnCall } from '../../domain/smartDeposit/settlementCall.ts'
import { listDeposits } from '../../worker/smartDeposit/depositRows.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
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
      error: expect.stringMatching(/^refused: the token takes \d{7,} gas; the most is 500000$/),
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
})
