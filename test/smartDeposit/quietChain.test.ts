import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startIndexListener } from '../../db/indexListener.ts'
import { connect } from '../../db/sql.ts'
import { userAt } from '../../devnet/accounts.ts'
import { retryDeposits } from '../../domain/smartDeposit/retainedDeposits.ts'
import { hasWork } from '../../worker/smartDeposit/hasWork.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { runKeeper, runPass } from '../../worker/smartDeposit/runKeeper.ts'
import {
  CHAIN_ID,
  dollar,
  type KeeperWorld,
  owner,
  settle,
  startKeptWorld,
  USDC,
} from './keeperWorld.ts'

const AMOUNT = 250_000_000n
const NEVER_MS = 3_600_000

describe('a chain without new blocks', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string
  let sql: ReturnType<typeof connect>

  beforeAll(async () => {
    ;({ w, keeper, organizationId } = await startKeptWorld())
    sql = connect(w.databaseUrl, { applicationName: 'test', max: 1 })
  })
  afterAll(async () => {
    await sql?.end()
    await w?.stop()
  })

  const register = (customerId: string) =>
    w.register({ user: userAt(3), customerId, organizationIds: [organizationId] })
  /** The keeper reads the addresses of the last minute in each pass. */
  async function untilOld() {
    await runPass(keeper)
    await sql`update app.smart_deposit_address set created_at = now() - interval '1 hour'`
  }

  test('default: there is nothing to do after a pass, until an address is registered', async () => {
    expect(await hasWork(keeper)).toBe(false)
    await register('new')
    expect(await hasWork(keeper)).toBe(true)
    await untilOld()
    expect(await hasWork(keeper)).toBe(false)
  })

  test('behavior: an open transaction is looked after', async () => {
    const address = await register('pays')
    await untilOld()
    await w.pay(USDC, address, AMOUNT)
    await w.client.setAutomine(false)
    await runPass(keeper)
    expect(await w.sentFor(address)).toHaveLength(1)
    expect(await hasWork(keeper)).toBe(true)
    await w.client.setAutomine(true)
    await w.client.mine({ blocks: 1 })
    await settle(keeper, 2)
    expect(await hasWork(keeper)).toBe(false)
  })

  test('behavior: a retained deposit is due at its time, or when an operator wants it', async () => {
    keeper.settings.retryMs = NEVER_MS
    const address = await register('retained')
    await untilOld()
    await w.call(owner, dollar.current.teller, ['function pause()'])
    await w.pay(USDC, address, AMOUNT)
    await settle(keeper, 2)
    const attempts = await w.deposits(address)
    expect(attempts).toMatchObject([{ status: 'failed' }, { status: 'retrying' }])
    const [, deposit] = attempts
    expect(await hasWork(keeper)).toBe(false)
    await retryDeposits({ sql: w.context.sql, actor: 'test' }, deposit?.deposit_id as Hex)
    expect(await hasWork(keeper)).toBe(true)
    await w.call(owner, dollar.current.teller, ['function unpause()'])
    await settle(keeper, 3)
    expect(await hasWork(keeper)).toBe(false)
  })

  test('behavior: a foreign transfer that an operator wants settled is work', async () => {
    const address = await register('foreign')
    await untilOld()
    expect(await hasWork(keeper)).toBe(false)
    await sql`
      insert into app.foreign_transfer (payment_id, chain_id, address, token, amount, tx_hash,
        log_position, block_number, block_hash, wanted)
      values (${`0x${'11'.repeat(32)}`}, ${CHAIN_ID}, ${address}, ${address}, 1,
        ${`0x${'22'.repeat(32)}`}, 0, 1, ${`0x${'33'.repeat(32)}`}, 'recover')`
    expect(await hasWork(keeper)).toBe(true)
    await sql`delete from app.foreign_transfer`
  })

  test('behavior: passes go on', async () => {
    const listener = startIndexListener(w.databaseUrl, () => {})
    const over = new AbortController()
    const running = runKeeper(keeper, listener, over.signal)
    const passedAt = async () => {
      const [row] = await sql<{ at: Date }[]>`
        select passed_at as at from app.keeper_chain where chain_id = ${CHAIN_ID}`
      return row?.at.getTime() ?? 0
    }
    const before = await passedAt()
    await expect.poll(passedAt).toBeGreaterThan(before)
    const first = await passedAt()
    await expect.poll(passedAt).toBeGreaterThan(first)
    over.abort()
    await running
    await listener.stop()
  })
})
