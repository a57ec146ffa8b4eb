import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

let world: WebhookWorld
const workers: ChildProcess[] = []
beforeAll(async () => {
  world = await createWebhookWorld()
})
afterAll(async () => {
  await Promise.all(workers.map(kill))
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
  workers.push(child)
  return child
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('behavior: workers that are killed mid-delivery lose nothing and mix up no order', async () => {
  await world.endpoint(world.receiver.url)
  world.receiver.behave((response) => void setTimeout(() => response.writeHead(200).end(), 20))
  const resources = ['one', 'two', 'three', 'four']
  let recorded = 0
  for (let round = 0; round < 3; round += 1) {
    const child = startWorkerProcess()
    for (const resource of resources)
      await world.record(resource, [`${round}a`, `${round}b`, `${round}c`, `${round}d`])
    recorded += resources.length * 4
    // While it delivers: it has answered at least one of this round and not all.
    await world.receiver.until(world.receiver.received.length + 3)
    await kill(child)
  }
  const locked = await world.sql`
    select 1 from graphile_worker.jobs where locked_at is not null`
  expect(locked.length).toBeGreaterThan(0)
  startWorkerProcess()
  await until(async () => (await world.deliveries()).every(({ status }) => status === 'delivered'))
  const ids = new Set(world.receiver.received.map(({ event }) => event.id))
  expect(ids.size).toBe(recorded)
  for (const resource of resources) {
    const first = new Map<string, number>()
    for (const { event } of world.receiver.received)
      if (event.deposit_id === resource && !first.has(event.id)) first.set(event.id, event.sequence)
    expect([...first.values()]).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
  }
  // No job is left either.
  await until(async () => (await world.sql`select 1 from graphile_worker.jobs`).length === 0)
})
