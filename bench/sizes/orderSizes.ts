import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../db/migrate.ts'
import { connect } from '../../db/sql.ts'
import type { ApiProcess } from '../../test/support/apiProcess.ts'
import { freePorts } from '../../test/support/freePorts.ts'
import { startBenchApi } from '../benchApi.ts'
import { serveIdleChains } from '../idleChains.ts'
import { gets, measureAtRate, measureMaximum } from '../measure.ts'
import { userPages } from '../measureTransitLists.ts'
import { pathOf, startStatement } from '../orderTargets.ts'
import { type AskedOrder, readAskedOrders } from '../orderWorld.ts'
import { seedOrders } from '../seedOrders.ts'
import { readCalls, readCost } from './processCosts.ts'
import { type SizedPostgres, startSizedPostgres } from './sizedPostgres.ts'
import { between, type SizeGroup, type SizeRow } from './sizeTable.ts'

/** `seconds` is how long each state is measured, `rate` the requests a second of the load. */
export type SizeOptions = { seconds: number; rate: number; print: (line: string) => void }

export type OrderSizes = { orders: number[]; chains: number[]; apis: number[] }

const CHAINS = 6
const MOST_ASKED = 20_000
/** Single orders per user's page: every tenth request is a page. */
const ORDERS_PER_PAGE = 9
const UNIT = 'a request'

/** Sizes of the tables of orders; at the middle one also numbers of chains, of apis, and a second Postgres. */
export async function measureOrderSizes(
  { orders, chains, apis }: OrderSizes,
  options: SizeOptions,
): Promise<SizeGroup[]> {
  const ofOrders: SizeRow[] = []
  const groups: SizeGroup[] = [{ title: 'Orders, six chains, one api', unit: UNIT, rows: ofOrders }]
  const middle = orders[Math.floor(orders.length / 2)]
  for (const count of orders) {
    await using started = new AsyncDisposableStack()
    const postgres = await startSizedPostgres(started)
    await migrate(postgres.url)
    await seedOrders(postgres.url, count)
    const asked = await readAskedOrders(postgres.url, MOST_ASKED)
    const world = { postgres, paths: pathsOf(asked, count) }
    const size = `${count.toLocaleString('en-US')} orders`
    if (count !== middle) {
      ofOrders.push(...(await measureApis({ ...world, size, chains: CHAINS, apis: 1 }, options)))
      continue
    }
    const ofChains: SizeRow[] = []
    // Each adds chains to those before it.
    for (const number of chains.toSorted((a, b) => a - b)) {
      const rows = await measureApis(
        { ...world, size: `${number} chains`, chains: number, apis: 1 },
        options,
      )
      ofChains.push(...rows)
      if (number === CHAINS) ofOrders.push(...rows.map((row) => ({ ...row, size })))
    }
    groups.push({ title: `Chains, ${size}, one api`, unit: UNIT, rows: ofChains })
    const most = Math.max(...chains, CHAINS)
    const ofApis: SizeRow[] = []
    const rates: string[] = []
    for (const number of apis) {
      const point = {
        ...world,
        size: number === 1 ? '1 api' : `${number} apis`,
        chains: most,
        apis: number,
      }
      ofApis.push(...(await measureApis(point, options, (line) => rates.push(line))))
    }
    const title = `Apis on one Postgres, ${size}, ${most} chains`
    groups.push({ title, unit: UNIT, rows: ofApis, note: rates.join(' ') })
    groups.push(await measureStandby(postgres, asked, options))
  }
  return groups
}

type World = { postgres: SizedPostgres; paths: string[] }
type Point = World & { size: string; chains: number; apis: number }

function pathsOf(asked: AskedOrder[], count: number): string[] {
  const pages = userPages(count)
  return asked.flatMap((order, index) => {
    const page = pages[index % pages.length]
    return page && index % ORDERS_PER_PAGE === 0 ? [pathOf(order), page] : [pathOf(order)]
  })
}

/** `report` gets a line with the maximum rate of all apis together. */
async function measureApis(
  { postgres, paths, size, chains, apis }: Point,
  { seconds, rate, print }: SizeOptions,
  report?: (line: string) => void,
): Promise<SizeRow[]> {
  await using started = new AsyncDisposableStack()
  const databaseUrl = postgres.url
  const addressBook = await serveIdleChains(databaseUrl, chains)
  const ports = await freePorts(apis)
  const running: (ApiProcess & { port: number })[] = []
  for (const port of ports) {
    const variables = { LOG_LEVEL: 'info', METRICS_PORT: String(port) }
    const api = await startBenchApi({ databaseUrl, addressBook, variables })
    started.defer(api.stop)
    running.push(api)
  }
  const read = () =>
    Promise.all([readCost(...running.map(({ pid }) => pid)), readCost(postgres.pid)])
  const load = (perApi: number) =>
    Promise.all(
      running.map(({ port }) =>
        measureAtRate({ name: size, port, requests: gets(paths) }, perApi, seconds),
      ),
    )
  const maxima = () =>
    Promise.all(
      running.map(({ port }) =>
        measureMaximum({ name: size, port, requests: gets(paths) }, seconds),
      ),
    )
  // An api that has just started takes several times as long for a request.
  await maxima()
  const calls = async () =>
    (await Promise.all(ports.map(readCalls))).reduce((sum, count) => sum + count, 0)
  const [idleBefore, callsBefore] = [await read(), await calls()]
  await sleep(seconds * 1_000)
  const [idle, callsAfter] = [await read(), await calls()]
  await load(rate / apis)
  const loaded = await read()
  if (report) {
    const sum = Math.round((await maxima()).reduce((total, one) => total + one, 0))
    report(`${size}: at most ${sum.toLocaleString('en-US')} requests a second together.`)
  }
  const rows = [apis === 1 ? 'api' : 'apis together', 'Postgres'].map((name, index): SizeRow => {
    const [from, still, to] = [idleBefore[index], idle[index], loaded[index]]
    if (!from || !still || !to) throw new Error('Invariant(orderSizes): two readings')
    return {
      size,
      process: name,
      idleMb: still.memoryMb,
      idleCpu: between(from, still).percentIn(seconds),
      loadMb: to.memoryMb,
      unitMicros: between(still, to).microsPer(rate * seconds),
      calls: index === 0 ? ((callsAfter - callsBefore) * 60) / seconds : null,
      databaseMb: null,
    }
  })
  const [, ofPostgres] = rows
  if (ofPostgres) ofPostgres.databaseMb = await databaseMb(databaseUrl)
  for (const { process: name, idleMb, unitMicros } of rows)
    print(`${size}, ${name}: ${idleMb.toFixed(0)} MB, ${unitMicros?.toFixed(0)} µs of ${UNIT}`)
  return rows
}

async function databaseMb(databaseUrl: string): Promise<number> {
  const sql = connect(databaseUrl, { applicationName: 'bench', max: 1 })
  const [row] = await sql<{ mb: number }[]>`
    select (pg_database_size(current_database()) / 1e6)::float8 as mb`
  await sql.end()
  return row?.mb ?? 0
}

/** The statement of one order, by bare clients: on the primary alone, then on the primary and a standby at once. */
async function measureStandby(
  postgres: SizedPostgres,
  asked: AskedOrder[],
  { seconds, print }: SizeOptions,
): Promise<SizeGroup> {
  const { primary, standby } = await postgres.addStandby()
  const rows: SizeRow[] = []
  const rates: string[] = []
  for (const servers of [[primary], [primary, standby]]) {
    const read = () => Promise.all(servers.map(({ pid }) => readCost(pid)))
    const idleBefore = await read()
    await sleep(seconds * 1_000)
    const idle = await read()
    const perServer = await Promise.all(
      servers.map(async ({ url }) => {
        const statement = startStatement({ databaseUrl: url, asked })
        return (await statement.maximum(seconds)).perSecond
      }),
    )
    const loaded = await read()
    const sum = Math.round(perServer.reduce((total, one) => total + one, 0))
    rates.push(
      `${servers.length === 1 ? 'One server' : 'Two servers'}: ${sum.toLocaleString('en-US')} statements a second.`,
    )
    servers.forEach((_, index) => {
      const [from, still, to] = [idleBefore[index], idle[index], loaded[index]]
      if (!from || !still || !to) throw new Error('Invariant(orderSizes): a reading per server')
      rows.push({
        size: servers.length === 1 ? 'one server' : 'two servers',
        process: index === 0 ? 'primary' : 'standby',
        idleMb: still.memoryMb,
        idleCpu: between(from, still).percentIn(seconds),
        // The clients of the load are gone.
        loadMb: null,
        unitMicros: between(still, to).microsPer((perServer[index] ?? 0) * seconds),
        calls: null,
        databaseMb: null,
      })
    })
  }
  for (const line of rates) print(line)
  const title = 'Two Postgres with streaming replication: the statement of one order, bare clients'
  return { title, unit: 'a statement', rows, note: rates.join(' ') }
}
