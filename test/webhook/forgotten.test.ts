import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { wakeForgottenQueues, wakeQueueAt } from '../../domain/webhook/deliveryJobs.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

let world: WebhookWorld
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.stop())

test('behavior: a delivery whose job was lost is sent all the same, in order', async () => {
  await world.endpoint(world.receiver.url)
  const recorded = await world.record('one', ['a', 'b'])
  await world.sql`
    select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
  await world.work({ staleMs: 800 })
  await world.receiver.until(2)
  expect(world.receiver.received.map(({ event }) => event.id)).toEqual(recorded)
})

test('behavior: a delivery behind one that fails is not forgotten: its job keeps its time', async () => {
  const { endpoint } = await world.endpoint(world.receiver.url)
  const queue = { endpointId: endpoint.id, resource: 'one' }
  await world.record(queue.resource, ['a', 'b'])
  await world.sql`
    select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
  const inAnHour = new Date(Date.now() + 3_600_000)
  const wake = () => wakeForgottenQueues(world.sql, { dueMs: 0, most: 10 })
  const times = async () => {
    const rows = await world.sql<{ runAt: Date }[]>`
      select run_at as "runAt" from graphile_worker.jobs`
    return rows.map(({ runAt }) => runAt.getTime())
  }
  await wakeQueueAt(world.sql, queue, inAnHour)
  await wake()
  expect(await times()).toEqual([inAnHour.getTime()])
  await world.sql`
    select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
  await wake()
  expect((await times()).map((time) => time <= Date.now())).toEqual([true])
})

test('behavior: jobs go on after one that could not be noted as done', async () => {
  await world.endpoint(world.receiver.url)
  await world.sql.unsafe(`
    create sequence app.refusals;
    create function app.refuse_once() returns trigger language plpgsql security definer as $$ begin
      if nextval('app.refusals') = 1 then raise exception using errcode = '40P01'; end if;
      return old;
    end $$;
    create trigger refuse_once before delete on graphile_worker._private_jobs
      for each row execute function app.refuse_once()`)
  await world.work({ staleMs: 800 })
  const recorded = await world.record('one', ['a'])
  await world.receiver.until(1)
  recorded.push(...(await world.record('one', ['b'])), ...(await world.record('two', ['c'])))
  await world.receiver.until(3)
  expect(world.receiver.received.map(({ event }) => event.id).toSorted()).toEqual(
    recorded.toSorted(),
  )
})

test('behavior: jobs go on after the runner of jobs has ended by itself', async () => {
  const exitCode = process.exitCode
  onTestFinished(() => {
    process.exitCode = exitCode
  })
  await world.endpoint(world.receiver.url)
  await world.work({ staleMs: 800 })
  await world.record('one', ['a'])
  await world.receiver.until(1)
  // On this notification, graphile-worker stops for a newer version of itself.
  const breaking = JSON.stringify({ breaking: true, migrationNumber: 1 })
  await world.sql`select pg_notify('worker:migrate', ${breaking})`
  await expect.poll(() => process.exitCode).toBe(57)
  await world.record('one', ['b'])
  await world.receiver.until(2)
})
