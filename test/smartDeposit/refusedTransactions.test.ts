import { parseEther, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import {
  deprecateVaults,
  type KeeperWorld,
  keeperAccount,
  kinds,
  settle,
  startKeptWorld,
  USDC,
  USDG,
} from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)
/** More than an empty transaction may take, and less than any settlement. */
const LITTLE_GAS = 101_000n
const REFUSED = /^the nodes refuse its transaction: .*gas/

describe('a transaction of the keeper that the nodes refuse', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
  })
  afterAll(() => w?.stop())
  // What a test that fails leaves would hold up the others.
  afterEach(async () => {
    await w.client.setAutomine(true)
    await giveCoins(parseEther('100'))
  })

  const giveCoins = (value: bigint) =>
    w.client.setBalance({ address: keeperAccount.address, value })
  const register = (customerId: string) =>
    w.register({ user: userAt(6), customerId, organizationIds: [organizationId] })

  /** Signs what is due, and takes it from the node before it is mined. */
  async function sendAndLose() {
    await w.client.setAutomine(false)
    await settle(keeper, 1)
    for (const { hash } of await openTransactions()) await w.client.dropTransaction({ hash })
  }

  const openTransactions = () => w.context.sql<
    { hash: `0x${string}`; kind: string; gas: bigint; fee: string; refusal: string | null }[]
  >`
    select t.hash, i.kind, i.gas, t.max_fee as fee, i.refusal
    from app.keeper_transaction t join app.keeper_intent i using (chain_id, keeper, nonce)
    where i.state = 'open'`

  /** Passes in which every open transaction counts as stuck. */
  async function settleStuck(passes: number) {
    const { stuckMs } = keeper.settings
    keeper.settings.stuckMs = 0
    await settle(keeper, passes)
    keeper.settings.stuckMs = stuckMs
  }

  /** Until the returned function is called, a block has so little gas. */
  async function limitGas(gasLimit: bigint) {
    const { gasLimit: before } = await w.client.getBlock()
    await w.client.setBlockGasLimit({ gasLimit })
    await w.mine(1)
    return async () => {
      await w.client.setBlockGasLimit({ gasLimit: before })
      await w.mine(1)
    }
  }

  test('default: it holds up no other, and its payment is tried again', async () => {
    const refused = await register('refused')
    await w.pay(USDC, refused, AMOUNT)
    await sendAndLose()
    await w.client.setAutomine(true)
    const behind = await register('behind')
    const end = deprecateVaults(keeper)
    await w.pay(USDC, behind, AMOUNT)
    // Less than a forward takes, and more than a refund does.
    const giveGas = await limitGas(250_000n)
    await settleStuck(3)
    end()
    expect((await w.events(behind)).at(-1)?.body).toMatchObject({ remediation: 'refunded' })
    expect((await w.events(refused)).at(-1)?.body).toMatchObject({
      remediation: 'retained',
      error: expect.stringMatching(REFUSED),
    })
    await giveGas()
    await w.hurry()
    await settle(keeper)
    expect(kinds(await w.events(refused)).at(-1)).toBe('confirmed')
  })

  /** The node refuses the keeper's transaction, and the keeper cancels it. Then another worker takes over. */
  async function cancelAndTakeOver() {
    await sendAndLose()
    const giveGas = await limitGas(LITTLE_GAS)
    await settleStuck(2)
    expect((await openTransactions())[0]?.kind).toBe('cancel')
    keeper = await w.takeOver()
    await giveGas()
    await w.client.setAutomine(true)
    await settle(keeper, 2)
  }

  test('behavior: another worker that finds it cancelled knows why', async () => {
    const address = await register('payment')
    await w.pay(USDC, address, AMOUNT)
    await cancelAndTakeOver()
    const [first, retry] = await w.deposits(address)
    expect(first).toMatchObject({ remediation: 'retained', error: expect.stringMatching(REFUSED) })
    expect(retry).toMatchObject({ status: 'retrying', attempt: 2 })
    expect(await w.sentFor(address)).toHaveLength(1)
  })

  test('behavior: so it does for a foreign transfer', async () => {
    const address = await register('foreign')
    await w.pay(USDG, address, AMOUNT)
    await settle(keeper)
    await w.context.sql`
      update app.foreign_transfer set wanted = 'refund' where address = ${address}`
    await cancelAndTakeOver()
    const [foreign] = await w.context.sql`
      select wanted, error from app.foreign_transfer where address = ${address}`
    expect(foreign).toEqual({ wanted: null, error: expect.stringMatching(REFUSED) })
  })

  test('behavior: for want of coins: it is sent again, and neither replaced nor cancelled', async () => {
    const address = await register('poor')
    await w.pay(USDC, address, AMOUNT)
    await sendAndLose()
    await giveCoins(0n)
    const hurry = () => w.context.sql`update app.keeper_transaction set sent_at = null`
    await hurry()
    await settleStuck(3)
    expect(await openTransactions()).toMatchObject([{ kind: 'settle', refusal: null }])
    await giveCoins(parseEther('100'))
    await w.client.setAutomine(true)
    await hurry()
    await settle(keeper)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
  })

  test('behavior: a replacement that is too dear is not signed, and the first one is mined', async () => {
    const address = await register('dear')
    await w.pay(USDC, address, AMOUNT)
    await w.client.setAutomine(false)
    await settle(keeper, 1)
    const [sent] = await openTransactions()
    await giveCoins(BigInt(sent?.gas ?? 0) * BigInt(sent?.fee ?? 0))
    await settleStuck(3)
    expect(await openTransactions()).toEqual([sent])
    await w.mine(1)
    await w.client.setAutomine(true)
    await settle(keeper)
    expect(kinds(await w.events(address))).toEqual(['pending', 'confirmed'])
  })
})
