import { type Address, parseGwei, parseUnits } from 'viem'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import type { Observation } from '../../domain/observation/observe.ts'
import { KEEPER_CEILINGS } from '../../domain/smartDeposit/keeperCeilings.ts'
import { listKeepers } from '../../domain/smartDeposit/keeperList.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { lower } from '../support/lower.ts'
import { type KeeperWorld, keeperAccount, kinds, settle, USDC } from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)

type Kept = { w: KeeperWorld; keeper: Keeper }
type Tools = {
  register(customerId: string): Promise<Address>
  observed(run: () => Promise<unknown>): Promise<Observation[]>
}

/** The ceilings of a keeper's spending. */
export function testKeeperCeilings(kept: () => Kept, { register, observed }: Tools) {
  describe('ceilings', () => {
    let w: KeeperWorld
    let keeper: Keeper
    beforeAll(() => {
      ;({ w, keeper } = kept())
    })

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
      const { spentToday, ...listed } = await listedKeeper()
      const { address: account } = keeperAccount
      expect(listed).toMatchObject({
        hold: null,
        isRunning: true,
        accounts: [
          {
            account: lower(account),
            balance: await w.client.getBalance({ address: account }),
            nonce: await w.client.getTransactionCount({ address: account }),
          },
        ],
      })
      expect(spentToday).toBeGreaterThan(0n)
      expect(kinds(await w.events(address)).slice(2)).toEqual(['pending', 'confirmed'])
    })

    /** The fees of an address' transactions, which count as stuck for so many passes and are then mined. */
    async function feesWhenStuck(address: Address, passes: number) {
      const { stuckMs } = keeper.settings
      keeper.settings.stuckMs = 0
      await settle(keeper, passes)
      keeper.settings.stuckMs = stuckMs
      await w.mine(1)
      await w.client.setAutomine(true)
      await settle(keeper, 2)
      return w.context.sql<{ fee: string }[]>`
        select t.max_fee as fee from app.keeper_transaction t
        join app.keeper_part p using (chain_id, keeper, nonce)
        join app.smart_deposit d using (deposit_id) where d.address = ${address} order by 1`
    }

    test('behavior: no fee is above the ceiling, also not that of a replacement', async () => {
      const address = await register('capped')
      const { baseFeePerGas } = await w.client.getBlock()
      const maxFeePerGas = String((baseFeePerGas ?? 0n) + 1n)
      keeper.ceilings = { ...KEEPER_CEILINGS, maxFeePerGas }
      await w.pay(USDC, address, AMOUNT)
      await w.client.setAutomine(false)
      expect(await feesWhenStuck(address, 3)).toEqual([{ fee: maxFeePerGas }])
    })

    test('behavior: a replacement pays the ceiling, where that is less than a quarter more', async () => {
      const address = await register('nearly-capped')
      const { baseFeePerGas } = await w.client.getBlock()
      const first = (baseFeePerGas ?? 0n) + 1_000n
      const most = (first * 115n) / 100n
      keeper.ceilings = { ...KEEPER_CEILINGS, maxFeePerGas: String(first) }
      await w.pay(USDC, address, AMOUNT)
      await w.client.setAutomine(false)
      await settle(keeper, 1)
      keeper.ceilings = { ...KEEPER_CEILINGS, maxFeePerGas: String(most) }
      expect(await feesWhenStuck(address, 2)).toEqual([
        { fee: String(first) },
        { fee: String(most) },
      ])
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
}
