import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import type { Sql } from 'postgres'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { vaultDeployment } from '../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../devnet/world.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { keyOf, testOrganization } from '../test/support/ask.ts'
import { startBrowser } from '../test/support/browser.ts'
import { builtConsole } from '../test/support/builtConsole.ts'
import { enterKey } from '../test/support/consolePage.ts'
import { countEvents } from '../test/support/countEvents.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { insertOrder, orderRow } from '../test/support/insertOrder.ts'
import { longVaultLife } from '../test/support/longVaultLife.ts'
import { percentile } from '../test/support/percentile.ts'
import { BUILD, setHeadTime } from '../test/support/testIndex.ts'
import { insertLife } from '../test/support/vaultLives.ts'
import { startBenchApi, untilAnswered } from './benchApi.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Measures the console in a real Chromium: frames while 10,000 rows scroll, the drawing of 365 points, and the heap of a
 * page that updates by itself. `node bench/console.ts [--minutes 1] [--only rows|chart|heap]` ends with 1 if a bound is
 * broken.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, only: { type: 'string' } },
})
const minutes = Number(values.minutes)
const ROWS = 10_000
const SCROLL_MS = 5_000
/** At 60 frames a second 7,200 px: more than a wheel that is turned fast. */
const STEP_PX = 120
const LEAST_FRAMES = 55
const POINTS = 365
const DRAWINGS = 20
const MOST_DRAW_MS = 50
const MOST_GROWTH = 0.1
/** After a shorter time, the noise of one collection is more than the bound. */
const LEAST_MINUTES = 10
/** Until then the heap grows by compiled code and first answers. */
const WARM_UP_MS = 180_000
const SAMPLE_MS = 20_000
const DAY = 86_400
const VIEWPORT = { width: 1_440, height: 900 }
const { vault } = vaultDeployment('Harbor Dollar', 1)
const print = (line: string) => process.stdout.write(`${line}\n`)

await using started = new AsyncDisposableStack()
await builtConsole()
const postgres = await startBenchPostgres()
started.defer(postgres.stop)
const { world, addressBook, stop } = await startTestWorld([1, 4663], { withVaults: true })
started.defer(stop)
await migrate(postgres.url)
await createTestIndex(postgres.url)
const api = await startBenchApi({ databaseUrl: postgres.url, addressBook, rpcUrls: world.rpcUrls })
started.defer(api.stop)
const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
started.defer(() => sql.end())
await seed(sql)
await untilAnswered(`${api.url}/v2/earn/vaults`)
const browser = await startBrowser()
started.defer(() => browser.close())

const MEASUREMENTS = { rows: measureRows, chart: measureChart, heap: measureHeap }
for (const [name, measure] of Object.entries(MEASUREMENTS)) {
  if (values.only && values.only !== name) continue
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-US' })
  await measure(await context.newPage())
  await context.close()
}

function judge(holds: boolean, line: string) {
  print(`${holds ? 'holds ' : 'BROKEN'} ${line}`)
  if (!holds) process.exitCode = 1
}

async function open(page: Page, path: string) {
  await page.goto(`${api.url}${path}`)
  await enterKey(page, keyOf(api.url) ?? '')
}

type Frames = { requestAnimationFrame(seen: (time: number) => void): void }
type Scrolled = { scrollTop: number; clientHeight: number; scrollHeight: number }
type Figure = { querySelector(selector: string): { click(): void } | null }

/** A page's own list: it loads page by page, until it has all rows. */
async function measureRows(page: Page) {
  await open(page, '/console/events')
  const more = page.getByRole('button', { name: 'Load more' })
  for (let rows = 100; rows < ROWS; rows += 100) {
    await page.getByText(`${rows.toLocaleString('en-US')} events, more to load`).waitFor()
    await more.click()
  }
  await page.getByText(`${ROWS.toLocaleString('en-US')} events`).waitFor()
  const times = await page.locator('.table-frame').evaluate(
    async (element, { durationMs, stepPx }) => {
      const { requestAnimationFrame } = globalThis as unknown as Frames // Runs in the page: Node's types lack it.
      const frame = element as unknown as Scrolled // Node has no types of the DOM.
      const seen: number[] = []
      let step = stepPx
      const startedAt = performance.now()
      for (let now = startedAt; now - startedAt < durationMs; ) {
        now = await new Promise<number>((seenAt) => requestAnimationFrame(seenAt))
        seen.push(now)
        if (frame.scrollTop + frame.clientHeight >= frame.scrollHeight - 1) step = -stepPx
        frame.scrollTop += step
      }
      return seen
    },
    { durationMs: SCROLL_MS, stepPx: STEP_PX },
  )
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  const mean = (1_000 * gaps.length) / ((times.at(-1) ?? 0) - (times[0] ?? 0))
  const [p50 = 0, p99 = 0, max = 0] = [0.5, 0.99, 1].map((share) => percentile(gaps, share))
  judge(
    mean >= LEAST_FRAMES,
    `${ROWS} rows scroll by ${STEP_PX} px a frame: ${mean.toFixed(1)} frames/s (at least ${LEAST_FRAMES}); ms between frames: p50 ${p50.toFixed(1)}  p99 ${p99.toFixed(1)}  max ${max.toFixed(1)}`,
  )
}

/** From the click that shows the chart to the end of its drawing, with the data there. */
async function measureChart(page: Page) {
  await open(page, `/console/earn/1/${vault}`)
  await page.getByRole('radio', { name: '1 y' }).click()
  // The value of now is one more.
  const chart = page.getByRole('figure', { name: `TVL, ${POINTS + 1} points` })
  await chart.waitFor()
  const times = await chart.evaluate(async (element, count) => {
    const { requestAnimationFrame } = globalThis as unknown as Frames // Runs in the page: Node's types lack it.
    const figure = element as unknown as Figure // Node has no types of the DOM.
    const button = figure.querySelector('button')
    const painted = () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => {
          // After the frame is painted.
          setTimeout(() => resolve(performance.now()), 0)
        }),
      )
    const drawn: number[] = []
    for (let drawing = 0; drawing < count; drawing += 1) {
      button?.click()
      await painted()
      // A click at the begin of a frame: the wait for the next one is no time of the drawing.
      await new Promise((begun) => requestAnimationFrame(begun))
      const startedAt = performance.now()
      button?.click()
      while (!figure.querySelector('canvas')) await null
      const endedAt = await painted()
      drawn.push(endedAt - startedAt)
    }
    return drawn
  }, DRAWINGS)
  const [p50 = 0, max = 0] = [0.5, 1].map((share) => percentile(times, share))
  judge(
    p50 <= MOST_DRAW_MS,
    `a chart of ${POINTS + 1} points is drawn and painted within ms: p50 ${p50.toFixed(1)} (at most ${MOST_DRAW_MS})  max ${max.toFixed(1)}`,
  )
}

/** The overview, of which every reading is another: a block and an order a second. */
async function measureHeap(page: Page) {
  await open(page, '/console')
  await page.getByText('Value under way').first().waitFor()
  let orders = 0
  let isOver = false
  const living = (async () => {
    while (!isOver) {
      orders += 1
      await live(sql, world, orders)
      await page.waitForTimeout(1_000)
    }
  })()
  const session = await page.context().newCDPSession(page)
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize
  }
  await page.waitForTimeout(WARM_UP_MS)
  const samples: [hours: number, bytes: number][] = []
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  do {
    samples.push([elapsed() / 3_600_000, await heap()])
    await page.waitForTimeout(SAMPLE_MS)
  } while (elapsed() < minutes * 60_000)
  samples.push([elapsed() / 3_600_000, await heap()])
  isOver = true
  await living
  const { start, perHour } = line(samples)
  const growth = perHour / start
  const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(2)
  const text = `heap of the overview, ${minutes} minutes with ${orders} orders: ${megabytes(start)} MB, ${(100 * growth).toFixed(1)} % an hour (at most ${100 * MOST_GROWTH} %); ${samples.map(([, bytes]) => megabytes(bytes)).join(' ')}`
  if (minutes < LEAST_MINUTES) print(`no verdict before ${LEAST_MINUTES} minutes: ${text}`)
  else judge(growth <= MOST_GROWTH, text)
}

/** The line of least squares through the samples. */
function line(samples: [number, number][]) {
  const mean = (of: (sample: [number, number]) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const hour = mean(([hours]) => hours)
  const bytes = mean(([, used]) => used)
  const perHour =
    mean(([hours, used]) => (hours - hour) * (used - bytes)) /
    mean(([hours]) => (hours - hour) ** 2)
  return { start: bytes - perHour * hour, perHour }
}

/** A block at the node and in the index, and an order in it. */
async function live(own: Sql, { rpcUrls, ...rest }: World, number: number) {
  const client = worldClient({ rpcUrls, ...rest }, 1)
  await client.mine({ blocks: 1 })
  const block = await client.getBlock()
  await own`
    update ${own(`${BUILD}.chain_head`)} set block_number = ${Number(block.number)},
      block_timestamp = ${Number(block.timestamp)} where chain_id = 1`
  await insertOrder(own, orderRow({ id: `0x${number.toString(16).padStart(64, '0')}` }))
}

/** A vault with a history of two years, and the events of an organization. */
async function seed(own: Sql) {
  const now = Math.floor(Date.now() / (DAY * 1_000)) * DAY + 1_800
  await setHeadTime(own, 1, now)
  await insertLife(own, longVaultLife({ chainId: 1, vault, days: 2 * POINTS, now }))
  const { id } = await testOrganization(own)
  await own`
    insert into app.event (id, organization_id, organization_sequence, resource, resource_sequence,
      type, created_at, body)
    select 'evt_' || n, ${id}, n, 'smart_deposit:0x' || lpad(to_hex(n), 64, '0'), 1,
      'smart_deposit.deposit.pending', now() - make_interval(secs => ${ROWS} - n),
      json_build_object('id', 'evt_' || n, 'type', 'smart_deposit.deposit.pending', 'sequence', n,
        'timestamp', now(), 'deposit_id', '0x' || lpad(to_hex(n), 64, '0'))
    from generate_series(1, ${ROWS}::integer) n`
  await own`insert into app.event_sequence (organization_id, last) values (${id}, ${ROWS})`
  await countEvents(own)
}
