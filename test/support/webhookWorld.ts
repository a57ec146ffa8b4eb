import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { connect } from '../../db/sql.ts'
import type { CreatedEndpoint, WebhookAdministrator } from '../../domain/webhook/endpoint.ts'
import type { EventType } from '../../domain/webhook/eventTypes.ts'
import { listAttempts, type WebhookAttempt } from '../../domain/webhook/listAttempts.ts'
import { type CreateEndpointParams, createEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { type NewEvent, recordEvents } from '../../domain/webhook/recordEvents.ts'
import { createLogger } from '../../processes/logger.ts'
import { deliverWebhooks, type WebhookOptions } from '../../worker/webhook/deliverWebhooks.ts'
import { startWorker } from '../../worker/worker.ts'
import { asProcessRole } from './databaseRole.ts'
import { noteSecret } from './handedOut.ts'
import { passDeliveries } from './passDeliveries.ts'
import { createTestDatabase } from './postgres.ts'
import { until } from './until.ts'
import { type Receiver, startReceiver } from './webhookReceiver.ts'

export type Delivery = {
  eventId: string
  resource: string
  sequence: number
  status: string
  attempts: number
  nextAttemptAt: Date
  lastAttemptAt: Date | null
  lastStatus: number | null
  lastError: string | null
}

export type WebhookWorld = {
  sql: Sql
  databaseUrl: string
  organizationId: string
  /** With the role of an api. */
  administrator: WebhookAdministrator
  /** A test may start another one in its place. */
  receiver: Receiver
  /** All types of events by default. */
  endpoint(url: string, params?: Partial<CreateEndpointParams>): Promise<CreatedEndpoint>
  /** Records events of these names of a resource, in one transaction. */
  record(resource: string, names: string[], type?: EventType): Promise<string[]>
  /** A worker in this process, with its role. */
  work(options?: Partial<WebhookOptions>): Promise<void>
  rest(): Promise<void>
  deliveries(resource?: string): Promise<Delivery[]>
  /** The recorded attempts of an event, the newest first. */
  attempts(endpointId: string, eventId: string): Promise<WebhookAttempt[]>
  /** Waits until every due job is done. */
  idle(): Promise<void>
  /** Makes all waiting deliveries due this many seconds earlier. */
  pass(seconds: number): Promise<void>
  stop(): Promise<void>
}

/**
 * A Postgres of its own with an organization, to which endpoints and workers are added, and a receiver. `prepare` comes before all
 * other sessions.
 */
export async function createWebhookWorld(
  prepare: (databaseUrl: string) => Promise<void> = async () => {},
): Promise<WebhookWorld> {
  const database = await createTestDatabase()
  await prepare(database.url)
  const roleUrl = asProcessRole(database.url, 'worker')
  const sql = connect(database.url, { applicationName: 'test' })
  const workerSql = connect(roleUrl, { applicationName: 'test-worker' })
  const apiSql = connect(asProcessRole(database.url, 'api'), { applicationName: 'test-api' })
  const [organization] = await sql<{ id: string }[]>`
    insert into app.organization (name) values ('Acme') returning id`
  const organizationId = organization?.id ?? ''
  const secretsKey = randomBytes(32)
  const administrator = {
    sql: apiSql,
    actor: 'test',
    secretsKey,
    targets: { allowPrivate: true },
    vaults: null,
  }
  const workers: { stop(): Promise<void> }[] = []
  const rest = async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  }
  const world: WebhookWorld = {
    sql,
    databaseUrl: database.url,
    organizationId,
    administrator,
    receiver: await startReceiver(),
    async endpoint(url, params = {}) {
      const made = await createEndpoint(administrator, organizationId, {
        url,
        eventTypes: ['*'],
        ...params,
      })
      noteSecret(made.secret)
      return made
    },
    record: (resource, names, type = 'smart_deposit.deposit.pending') =>
      record(
        sql,
        names.map((name) => ({
          organizationId,
          resource,
          type,
          name,
          fields: { deposit_id: resource, name },
        })),
      ),
    async work(options = {}) {
      const logger = createLogger('test', 'silent')
      const part = deliverWebhooks({
        sql: workerSql,
        secretsKey,
        logger,
        allowPrivate: true,
        ...options,
      })
      workers.push(await startWorker({ databaseUrl: roleUrl, parts: [part], logger }))
    },
    rest,
    deliveries: (resource = '') => readDeliveries(sql, resource),
    attempts: (endpointId, eventId) => listAttempts(sql, { organizationId, endpointId, eventId }),
    idle: () => until(() => isIdle(sql)),
    async pass(seconds) {
      // A running job could add a job with the earlier time.
      await until(() => isIdle(sql))
      await passDeliveries(sql, seconds)
    },
    async stop() {
      await rest()
      await Promise.all([sql.end(), workerSql.end(), apiSql.end()])
      await database.drop()
      await world.receiver.stop()
    },
  }
  return world
}

async function isIdle(sql: Sql): Promise<boolean> {
  const busy = await sql`
    select 1 from graphile_worker.jobs
    where locked_at is not null or run_at <= now() limit 1`
  return busy.length === 0
}

async function record(sql: Sql, events: NewEvent[]): Promise<string[]> {
  const recorded = await sql.begin((transaction) => recordEvents(transaction, events))
  return recorded.map(({ id }) => id)
}

function readDeliveries(sql: Sql, resource: string): Promise<Delivery[]> {
  return sql<Delivery[]>`
    select event_id as "eventId", resource, resource_sequence as sequence, status, attempts,
      next_attempt_at as "nextAttemptAt", last_attempt_at as "lastAttemptAt",
      last_status as "lastStatus", last_error as "lastError"
    from app.webhook_delivery where starts_with(resource, ${resource})
    order by organization_sequence`
}
