import { deepStrictEqual, ok } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import type { World } from '../../devnet/world.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhookReceiver.ts'
import {
  type DrillSurroundings,
  type Machine,
  startDrillSurroundings,
  withSql,
} from './drillProduct.ts'
import { checkDeliveries, checkEventLog, type RestoredEvent, readEventLog } from './drillTruth.ts'
import { payEvery, untilEnded } from './keeperCrashRounds.ts'
import { CHAIN_ID, createPayer, registerPlaces } from './keeperTraffic.ts'
import { checkKeeperTruth, type KeeperTally } from './keeperTruth.ts'

export type DrillOptions = {
  /** The folder of a Postgres with pg_dump. */
  binaries: string
  /** Traffic runs for so long before the backup, between backup and loss, and after the restore. */
  seconds: number
  seed: number
  print: (line: string) => void
}

export type DrillReport = {
  keeper: KeeperTally
  orders: number
  events: number
  /** Webhooks that came twice: those that were delivered between the backup and the loss. */
  repeated: number
  /** Seconds of each step. */
  took: Record<string, number>
}

const CODE: Hex = `0x${'cd'.repeat(32)}`
const ORDER_EVERY_MS = 1_500
const PAYMENT_EVERY_MS = 700

/**
 * Traffic, a backup, more traffic, the loss of every process and of the database, a restore by the commands of
 * docs/operating/backup.md, more traffic. In the end nothing is lost, doubled or out of sequence, but what that page names.
 */
export async function runRestoreDrill(options: DrillOptions): Promise<DrillReport> {
  const { binaries, seconds, seed, print } = options
  const took: Record<string, number> = {}
  async function timed<Result>(step: string, act: () => Promise<Result>): Promise<Result> {
    const start = performance.now()
    const result = await act()
    took[step] = Math.round((performance.now() - start) / 100) / 10
    print(`${step}: ${took[step]} s`)
    return result
  }
  await using started = new AsyncDisposableStack()
  const drill = await startDrillSurroundings(binaries, started)
  const receiver = await startReceiver()
  started.defer(receiver.stop)
  const first = await timed('start', async () => {
    const postgres = await drill.startPostgres()
    await drill.documented('npm run migrate', postgres.databaseUrl)
    return drill.startProcesses(postgres)
  })
  const places = await withSql(first.databaseUrl, (sql) => registerPlaces(sql, drill.world))
  const key = await subscribe(drill, first, receiver.url)
  const payer = createPayer(drill.world, places, seededRandom(seed))
  const orders: Hex[] = []
  const stopping = new AbortController()
  const traffic = Promise.all([
    payEvery(payer.pay, stopping.signal, PAYMENT_EVERY_MS),
    orderEvery(drill.world, orders, stopping.signal),
  ])
  started.defer(async () => {
    stopping.abort()
    await traffic
  })

  await sleep(seconds * 1_000)
  await timed('backup', () => drill.documented('pg_dump', first.databaseUrl))
  await timed('snapshot', () =>
    drill.documented('npm run admin -- index snapshot', first.databaseUrl),
  )
  const { key: late } = await createKey(drill, first)
  await sleep(seconds * 1_000)
  const lost = await readEventLog(first.api.url, key)
  const lostAt = performance.now()
  await first.lose()
  const arrived = receiver.received.length
  print(`lost: ${lost.length} events, ${arrived} webhooks, ${orders.length} orders`)

  const postgres = await timed('new database', () => drill.startPostgres())
  await timed('restore', async () => {
    await drill.documented('pg_restore', postgres.databaseUrl)
    await drill.documented('npm run migrate', postgres.databaseUrl)
  })
  await timed('restore of the snapshot', () =>
    drill.documented('npm run admin -- index restore', postgres.databaseUrl),
  )
  const restored = await withSql(postgres.databaseUrl, readRestored)
  const second = await timed('start until synced', async () => {
    const machine = await drill.startProcesses(postgres)
    await untilSynced(machine)
    return machine
  })
  took['loss until synced'] = Math.round((performance.now() - lostAt) / 100) / 10
  await sleep(seconds * 1_000)
  stopping.abort()
  await traffic

  try {
    const keeper = await withSql(second.databaseUrl, async (sql) => {
      await untilEnded(sql, payer.payments.length)
      await untilDelivered(sql, orders.length)
      return checkKeeperTruth(sql, drill.world, { ...payer, places, isRestored: true })
    })
    const log = await readEventLog(second.api.url, key)
    const loss = { restored, lost, arrived }
    checkEventLog(log, loss)
    const repeated = checkDeliveries(receiver.received, log, loss)
    ok(/ served /.test(await drill.documented('npm run admin -- index list', second.databaseUrl)))
    await checkAccess(second.api.url, { key, late, orders, newest: log.length })
    return { keeper, orders: orders.length, events: log.length, repeated, took }
  } catch (error) {
    throw new Error(`seed ${seed}: ${error}\n${second.output()}`, { cause: error })
  }
}

function readRestored(sql: Sql): Promise<RestoredEvent[]> {
  return sql<RestoredEvent[]>`
    select e.id, e.organization_sequence::text as "organizationSequence",
      coalesce(d.status = 'delivered', false) as "isDelivered"
    from app.event e join app.organization o on o.id = e.organization_id and o.name = 'one'
    left join app.webhook_delivery d on d.event_id = e.id
    order by e.organization_sequence`
}

async function untilSynced({ api, output }: Machine) {
  await until(
    async () => {
      const response = await fetch(`${api.url}/health`)
      const { details } = (await response.json()) as Health
      return response.ok && details.indexer.chains[CHAIN_ID]?.isSynced === true
    },
    () => `not synced:\n${output()}`,
  )
}

type Health = { details: { indexer: { chains: Record<number, { isSynced?: boolean }> } } }

/** Every order has its last event, and nothing waits to be sent. */
async function untilDelivered(sql: Sql, orders: number) {
  let last: unknown
  await until(
    async () => {
      const [row] = await sql<{ processed: number; waiting: number }[]>`
        select (select count(*)::integer from app.event where type = 'transit.order.processed') as processed,
          (select count(*)::integer from app.webhook_delivery where status = 'waiting') as waiting`
      last = row
      return row?.processed === orders && row.waiting === 0
    },
    () => `of ${orders} orders: ${JSON.stringify(last)}`,
  )
}

type Access = { key: string; late: string; orders: Hex[]; newest: number }

async function checkAccess(url: string, { key, late, orders, newest }: Access) {
  const statusOf = async (path: string, sent: string) =>
    (await fetch(`${url}${path}`, { headers: { 'x-api-key': sent } })).status
  deepStrictEqual(
    {
      old: await statusOf('/v2/events', key),
      sinceBackup: await statusOf('/v2/events', late),
      aboveNewest: await statusOf(`/v2/events?after=${newest + 1}`, key),
    },
    { old: 200, sinceBackup: 401, aboveNewest: 400 },
  )
  for (const orderId of orders) {
    const response = await fetch(`${url}/v1/transit/orders/${orderId}`)
    const { order } = (await response.json()) as { order?: { status: string } }
    deepStrictEqual({ orderId, status: order?.status }, { orderId, status: 'PROCESSED' })
  }
}

async function admin(drill: DrillSurroundings, { databaseUrl }: Machine, words: string) {
  return JSON.parse(await drill.shell(`npm run admin -- --json ${words}`, databaseUrl))
}

/** The organization gets all events of its smart deposits, and of the orders with its code. */
async function subscribe(drill: DrillSurroundings, machine: Machine, url: string) {
  await admin(drill, machine, `organizations set one --distributor-code ${CODE}`)
  const { key } = await createKey(drill, machine)
  await admin(
    drill,
    machine,
    `webhooks create --organization one --url ${url} --event 'smart_deposit.*' --event 'transit.order.*'`,
  )
  return key
}

async function createKey(drill: DrillSurroundings, machine: Machine): Promise<{ key: string }> {
  return admin(
    drill,
    machine,
    'keys create --organization one --permission webhooks,smart-deposits',
  )
}

async function orderEvery(world: World, orders: Hex[], signal: AbortSignal) {
  for (let index = 0; !signal.aborted; index += 1) {
    const { orderId } = await placeOrder(world, {
      user: DEVNET_USERS[1] as (typeof DEVNET_USERS)[number],
      sourceChainId: CHAIN_ID,
      destinationChainId: CHAIN_ID,
      offerAsset: DEPLOYMENT.tokens.USDC,
      wantAsset: DEPLOYMENT.tokens.USDG,
      offerAmount: 10_000_000n + BigInt(index),
      distributorCode: CODE,
    })
    orders.push(orderId)
    await ORDER_STEPS.execute(world, { orderId, from: CHAIN_ID, to: CHAIN_ID, want: 'USDG' })
    await sleep(ORDER_EVERY_MS)
  }
}
