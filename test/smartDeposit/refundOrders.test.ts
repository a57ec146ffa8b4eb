import type { Sql } from 'postgres'
import { type Address, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { userAt } from '../../devnet/accounts.ts'
import { refundSmartDeposit } from '../../domain/smartDeposit/refundSmartDeposit.ts'
import { listDeposits } from '../../worker/smartDeposit/depositRows.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { retainDeposit } from '../../worker/smartDeposit/retainDeposit.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import {
  dollar,
  type KeeperWorld,
  kinds,
  owner,
  settle,
  startKeptWorld,
  USDC,
  withTokens,
} from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)
/** Less than the minimum, which is 0.01. */
const SMALL = 4_000n
const user = userAt(3)
let customers = 0

describe('refunds that an organization orders', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string
  let apiSql: Sql

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
    apiSql = connect(asProcessRole(w.databaseUrl, 'api'), { applicationName: 'test' })
  })
  afterAll(async () => {
    await apiSql?.end()
    await w?.stop()
  })

  /** Orders as the api does, with its role in the database. */
  function order(depositId: unknown, by = organizationId) {
    const permissions = ['smart-deposits:refund'] as const
    const caller = { organizationId: by, actor: `key:${by}`, permissions, changes: permissions }
    const context = { ...w.context, sql: apiSql, caller: caller as never }
    return refundSmartDeposit(context as never, depositId as Hex)
  }

  const setPaused = (isPaused: boolean) =>
    w.call(owner, dollar.current.teller, [`function ${isPaused ? 'pause' : 'unpause'}()`])

  async function newAddress(organizationIds = [organizationId]) {
    customers += 1
    return w.register({ user, vault: dollar.vault, customerId: `o${customers}`, organizationIds })
  }

  /** A payment that is retained, because the vault is paused. */
  async function retained(amount = AMOUNT, address?: Address) {
    const to = address ?? (await newAddress())
    await w.pay(USDC, to, amount)
    await settle(keeper, 2)
    const [first] = await w.events(to)
    return { address: to, depositId: first?.body.deposit_id }
  }

  const orders = async (depositId: unknown) =>
    (
      await w.context.sql`
        select from app.audit where action = 'smart_deposit.refund' and subject = ${String(depositId)}`
    ).length

  test('default: what is retained goes back to the user, under a new deposit', async () => {
    await setPaused(true)
    const { address, depositId } = await retained()
    const before = await w.balance(USDC, user.address)
    const ordered = await order(depositId)
    expect(ordered).toMatchObject({ depositId, remediation: 'retained' })
    expect(ordered.refundOrderedAt).toBeInstanceOf(Date)
    await settle(keeper, 3)
    const events = await w.events(address)
    expect(kinds(events)).toEqual(['pending', 'failed', 'pending', 'failed'])
    expect(events.at(-1)?.body).toMatchObject({
      retry_of: depositId,
      remediation: 'refunded',
      error: 'its organization ordered it',
    })
    expect(await w.balance(USDC, user.address)).toBe(before + AMOUNT)
    expect(await w.balance(USDC, address)).toBe(0n)
    // Once more: it is done already.
    expect(await order(depositId)).toMatchObject({ refundOrderedAt: ordered.refundOrderedAt })
    expect(await orders(depositId)).toBe(1)
    await setPaused(false)
  })

  test('behavior: ordered twice it is refunded once, also if a reorganisation takes the refund back', async () => {
    await setPaused(true)
    const { address, depositId } = await retained()
    const mark = await w.client.snapshot()
    await order(depositId)
    await order(depositId)
    expect(await orders(depositId)).toBe(1)
    await w.mine(3)
    await settle(keeper, 3)
    await w.client.revert({ id: mark })
    await settle(keeper, 1)
    await w.mine(10)
    await settle(keeper, 4)
    expect(kinds((await w.events(address)).slice(2))).toEqual([
      'pending',
      'failed',
      'reverted',
      'failed',
    ])
    expect((await w.events(address)).at(-1)?.body.remediation).toBe('refunded')
    expect(await w.balance(USDC, address)).toBe(0n)
    await setPaused(false)
  })

  test('behavior: an order that is worth less than its gas waits, and takes no other payment with it', async () => {
    const { address, depositId } = await retained(SMALL)
    expect((await w.events(address)).at(-1)?.body.error).toMatch('below the token')
    await order(depositId)
    await settle(keeper, 2)
    const [, second] = await w.deposits(address)
    const why = 'a refund would be worth less than its gas'
    expect(second?.error).toBe(why)
    // Together the other two are enough, and go into the vault.
    for (const _ of [1, 2, 3]) await w.pay(USDC, address, SMALL)
    await settle(keeper, 5)
    expect(await w.balance(USDC, address)).toBe(SMALL)
    const confirmed = (await w.events(address)).filter(({ type }) => type.endsWith('confirmed'))
    expect(confirmed).toHaveLength(3)
    await w.hurry()
    await settle(keeper, 2)
    expect((await w.deposits(address)).find(({ status }) => status === 'retrying')?.error).toBe(why)
    // As dear as a coin, it is worth its gas.
    const restore = withTokens(keeper, { usdFeed: keeper.chain.transitFill?.nativeUsdFeed })
    await w.hurry()
    await settle(keeper, 3)
    restore()
    expect((await w.events(address)).at(-1)?.body).toMatchObject({ remediation: 'refunded' })
    expect(await w.balance(USDC, address)).toBe(0n)
  })

  test('behavior: an order that comes while the keeper retains its payment is not put off', async () => {
    const { address, depositId } = await retained(SMALL)
    const open = w.context.sql`d.address = ${address} and d.status = 'retrying'`
    const [read] = await listDeposits(w.context.sql, open)
    if (!read) throw new Error('the payment is retained')
    await order(depositId)
    await keeper.lease.write((sql) =>
      retainDeposit(sql, keeper, { deposit: read, why: 'as read before the order', isSmall: true }),
    )
    const [row] = await w.context.sql`
      select is_small as "isSmall", retry_at <= now() as "isDue" from app.smart_deposit d
      where ${open}`
    expect(row).toEqual({ isSmall: false, isDue: true })
  })

  test('behavior: while a payment is settled with others, its order waits for that', async () => {
    const restore = withTokens(keeper, { smartDepositMinimum: String(AMOUNT * 3n) })
    const address = await newAddress()
    for (const _ of [1, 2]) await w.pay(USDC, address, AMOUNT)
    await settle(keeper, 2)
    await w.pay(USDC, address, AMOUNT)
    await w.client.setAutomine(false)
    await settle(keeper, 2)
    expect(await w.sentFor(address)).toHaveLength(1)
    const [, second] = await w.events(address)
    await order(second?.body.deposit_id)
    await settle(keeper, 2)
    // The node counts what is in its pool: it would refuse a refund.
    for (const { error } of await w.deposits(address)) expect(error).toMatch('below the token')
    expect(await w.sentFor(address)).toHaveLength(1)
    await w.client.setAutomine(true)
    await w.mine(1)
    await settle(keeper, 3)
    restore()
    const confirmed = (await w.events(address)).filter(({ type }) => type.endsWith('confirmed'))
    expect(confirmed).toHaveLength(3)
    expect(new Set(confirmed.map(({ body }) => body.forward_tx_hash)).size).toBe(1)
    expect(await w.sentFor(address)).toHaveLength(1)
    expect(await w.balance(USDC, address)).toBe(0n)
  })

  test('error: only what is retained, and only by the organization that registered it first', async () => {
    const second = await w.organization('second')
    const deposited = await retained()
    const refused = (state: string) => ({ reason: 'REFUND_NOT_POSSIBLE', metadata: { state } })
    await expect(order(deposited.depositId)).rejects.toMatchObject(refused('confirmed'))
    await setPaused(true)
    const address = await newAddress([organizationId, second])
    const shared = await retained(AMOUNT, address)
    await expect(order(shared.depositId, second)).rejects.toMatchObject(refused('retained'))
    const strange = { reason: 'SMART_DEPOSIT_NOT_FOUND' }
    const stranger = await w.organization('stranger')
    await expect(order(shared.depositId, stranger)).rejects.toMatchObject(strange)
    await order(shared.depositId)
    await setPaused(false)
    await settle(keeper, 3)
    expect((await w.events(address)).at(-1)?.body.remediation).toBe('refunded')
  })
})
