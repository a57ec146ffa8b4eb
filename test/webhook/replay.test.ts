import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { changeEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { cancelReplay, getReplay, startReplay } from '../../domain/webhook/replay.ts'
import { until } from '../support/until.ts'
import { accept, answer, startReceiver } from '../support/webhookReceiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

/** `REPLAY_EVENTS=50000 REPLAY_KILLS=10 npx vitest run --project services test/webhook/replay.test.ts` takes the large sizes. */
const { REPLAY_EVENTS = 1_200, REPLAY_KILLS = 5 } = process.env
const DAYS = 30
const KILLS = Number(REPLAY_KILLS)
const PER_DAY = 5
const RESOURCES = Array.from(
  { length: Math.ceil(Number(REPLAY_EVENTS) / DAYS / PER_DAY) },
  (_, index) => `resource ${index}`,
)
const COUNT = DAYS * RESOURCES.length * PER_DAY
/** So many arrive between two kills: the killed ones have most of the replay. */
const PER_KILL = Math.floor(COUNT / (KILLS + 1) / 2)
/** An hour for 50,000. */
const LONGEST_MS = 120_000 + COUNT * 70

let world: WebhookWorld
const processes: ChildProcess[] = []
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map(kill))
  await world.stop()
})

function startWorkerProcess(): ChildProcess {
  const child = spawn(process.execPath, ['test/support/webhookWorkerProcess.ts'], {
    env: {
      ...process.env,
      DATABASE_URL: world.databaseUrl,
      SECRETS_KEY: Buffer.from(world.administrator.secretsKey).toString('hex'),
      TIMEOUT_MS: '400',
      STALE_MS: '800',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  processes.push(child)
  return child
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function endpointPlace() {
  const { endpoint } = await world.endpoint(world.receiver.url)
  return { organizationId: world.organizationId, endpointId: endpoint.id }
}

const status = async (place: { organizationId: string; endpointId: string }) =>
  (await getReplay(world.sql, place)).status

/** Waits as long as a large replay takes. */
async function within(holds: () => boolean | Promise<boolean>) {
  await vi.waitFor(async () => expect(await holds()).toBe(true), {
    timeout: LONGEST_MS,
    interval: 500,
  })
}

/** The events in the order in which the receiver got each for the first time, by resource. */
function ledger() {
  const byId = new Map(world.receiver.received.map(({ event }) => [event.id, event]))
  return Object.groupBy(byId.values(), (event) => String(event.deposit_id))
}

async function jobs(condition: string): Promise<number> {
  const [row] = await world.sql.unsafe<{ count: number }[]>(
    `select count(*)::int as count from graphile_worker.jobs where ${condition}`,
  )
  return row?.count ?? 0
}

async function log() {
  const rows = await world.sql<{ body: { id: string; deposit_id: string } }[]>`
    select body from app.event order by organization_sequence`
  return Object.groupBy(rows, ({ body }) => body.deposit_id)
}

test(
  'behavior: disabled for 30 days, then replayed by workers that are killed: the ledger equals the log',
  async () => {
    const place = await endpointPlace()
    world.receiver.behave((response) => void setTimeout(() => response.writeHead(200).end(), 2))
    await changeEndpoint(world.administrator, place, { status: 'disabled' })
    const startTime = Math.floor(Date.now() / 1_000) - DAYS * 86_400
    const clock = vi.spyOn(Date, 'now')
    for (let day = 0; day < DAYS; day += 1) {
      clock.mockReturnValue((startTime + day * 86_400) * 1_000)
      for (const resource of RESOURCES)
        await world.record(
          resource,
          Array.from({ length: PER_DAY }, (_, index) => `${day}.${index}`),
        )
    }
    clock.mockRestore()
    await changeEndpoint(world.administrator, place, { status: 'enabled' })
    const { endSequence } = await startReplay(world.administrator, place, { startTime })
    expect(endSequence).toBe(BigInt(COUNT))
    await expect(startReplay(world.administrator, place, { startTime })).rejects.toMatchObject({
      reason: 'WEBHOOK_REPLAY_RUNNING',
    })
    let locked = 0
    for (let round = 0; round < KILLS; round += 1) {
      const child = startWorkerProcess()
      const enough = world.receiver.received.length + PER_KILL
      await within(() => world.receiver.received.length >= enough)
      // New events come after the older ones of their resource.
      for (const resource of RESOURCES) await world.record(resource, [`live ${round}`])
      await kill(child)
      locked += await jobs('locked_at is not null')
    }
    // Workers were killed while they delivered.
    expect(locked).toBeGreaterThan(0)
    startWorkerProcess()
    await within(async () => (await status(place)) === 'completed')
    await within(async () => (await world.deliveries()).every((one) => one.status === 'delivered'))
    await until(async () => (await jobs('true')) === 0)
    expect(await getReplay(world.sql, place)).toMatchObject({
      eventCount: COUNT,
      sentCount: COUNT,
      failedCount: 0,
      position: endSequence,
    })
    const recorded = await log()
    const received = ledger()
    for (const resource of RESOURCES)
      expect(received[resource]?.map(({ id }) => id)).toEqual(
        recorded[resource]?.map(({ body }) => body.id),
      )
  },
  LONGEST_MS,
)

test('behavior: of what failed, of some types, and of a range', async () => {
  const place = await endpointPlace()
  world.receiver.behave(answer(500))
  await world.work()
  const [failed] = await world.record('one', ['a'])
  await until(async () => (await world.deliveries())[0]?.attempts === 1)
  await world.sql`update app.webhook_delivery set status = 'dead'`
  world.receiver.behave(accept)
  await world.record('one', ['b'])
  await world.record('two', ['c'], 'smart_deposit.deposit.confirmed')
  await until(async () => (await world.deliveries()).every((one) => one.status !== 'waiting'))
  const replayed = async (params: Parameters<typeof startReplay>[2]) => {
    const before = world.receiver.received.length
    await startReplay(world.administrator, place, params)
    await until(async () => (await status(place)) === 'completed')
    return world.receiver.received.slice(before).map(({ event }) => event.name ?? event.type)
  }
  expect(await replayed({ after: '0', onlyFailed: true })).toEqual(['a'])
  expect(world.receiver.received.at(-1)?.event.id).toBe(failed)
  expect(await replayed({ after: '0', onlyFailed: true })).toEqual([])
  const types = ['smart_deposit.deposit.confirmed']
  expect(await replayed({ after: '0', eventTypes: types })).toEqual(['c'])
  expect((await replayed({ after: '1' })).toSorted()).toEqual(['b', 'c'])
  const now = Math.floor(Date.now() / 1_000)
  expect(await replayed({ startTime: now - 100, endTime: now - 50 })).toEqual([])
})

test('behavior: it pauses with its endpoint, and a canceled one sends no more', async () => {
  const place = await endpointPlace()
  await changeEndpoint(world.administrator, place, { status: 'disabled' })
  await world.record(
    'one',
    Array.from({ length: 1_200 }, (_, index) => String(index)),
  )
  await changeEndpoint(world.administrator, place, { status: 'enabled' })
  await startReplay(world.administrator, place, { after: '0' })
  await changeEndpoint(world.administrator, place, { status: 'disabled' })
  expect(await status(place)).toBe('paused')
  await changeEndpoint(world.administrator, place, { status: 'enabled' })
  world.receiver.behave(answer(500))
  await world.work()
  // The first one fails: no more than a few hundred wait behind it.
  await until(async () => (await getReplay(world.sql, place)).eventCount > 0)
  expect((await world.deliveries()).length).toBeLessThanOrEqual(1_000)
  const [live] = await world.record('two', ['live'])
  await until(() => world.receiver.received.some(({ event }) => event.id === live))
  expect((await cancelReplay(world.administrator, place)).status).toBe('canceled')
  world.receiver.behave(accept)
  await world.pass(10)
  await until(async () =>
    (await world.deliveries('one')).every((one) => one.status === 'delivered'),
  )
  expect((await world.deliveries('one')).length).toBeLessThanOrEqual(1_000)
  await startReplay(world.administrator, place, { after: '0' })
})

test('behavior: a new event waits for the older ones of its resource to which the replay has not come', async () => {
  const place = await endpointPlace()
  await world.record('one', ['a', 'b'])
  await world.work()
  await world.receiver.until(2)
  await startReplay(world.administrator, place, { after: '0' })
  // The walk stands still, as while another worker does it.
  await world.sql.begin(async (transaction) => {
    await transaction`select 1 from app.webhook_replay for update`
    await world.record('one', ['new'])
    await world.record('two', ['new too'])
    await world.receiver.until(3)
    await world.idle()
    expect(world.receiver.received.at(-1)?.event.name).toBe('new too')
  })
  await world.receiver.until(6)
  expect(world.receiver.received.slice(3).map(({ event }) => event.name)).toEqual(['a', 'b', 'new'])
})

test('error: neither after nor startTime, both, an unknown type, a place that is not there yet', async () => {
  const place = await endpointPlace()
  const start = (params: Parameters<typeof startReplay>[2]) =>
    startReplay(world.administrator, place, params)
  const refused = { reason: 'INVALID_FIELD' }
  await expect(start({})).rejects.toMatchObject(refused)
  await expect(start({ after: '0', startTime: 1 })).rejects.toMatchObject(refused)
  await expect(start({ after: '0', eventTypes: ['nothing'] })).rejects.toMatchObject(refused)
  await expect(start({ after: '7' })).rejects.toMatchObject(refused)
  await expect(start({ startTime: 9, endTime: 9 })).rejects.toMatchObject(refused)
  await expect(getReplay(world.sql, place)).rejects.toMatchObject({
    reason: 'WEBHOOK_REPLAY_NOT_FOUND',
  })
})

test('behavior: a new event of somebody else is sent before what a replay still has', async () => {
  const replayed = 400
  const live = await startReceiver()
  onTestFinished(live.stop)
  await world.endpoint(live.url, { eventTypes: ['withdrawal.*'], filter: '' })
  for (let index = 0; index < replayed; index += 1) await world.record(`resource ${index}`, ['a'])
  const { endpoint } = await world.endpoint(world.receiver.url, { eventTypes: ['smart_deposit.*'] })
  const place = { organizationId: world.organizationId, endpointId: endpoint.id }
  world.receiver.behave((response) => void setTimeout(() => response.writeHead(200).end(), 50))
  await startReplay(world.administrator, place, { after: '0' })
  await world.work()
  await world.receiver.until(20)
  await world.record('request', ['a'], 'withdrawal.request.created')
  await live.until(1)
  expect(world.receiver.received.length).toBeLessThan(replayed / 2)
  await world.receiver.until(replayed)
})
