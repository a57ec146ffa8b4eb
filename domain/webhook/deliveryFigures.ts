import type { ISql, Sql } from 'postgres'
import { type EndpointPlace, getEndpoint } from './endpoint.ts'

/** The attempts of an endpoint in the last day, of those that are kept, and what waits. */
export type DeliveryFigures = {
  windowSeconds: number
  attempts: number
  delivered: number
  failed: number
  /** By cause in words, the most frequent first. */
  failures: { cause: string; count: number }[]
  /** Milliseconds until the end of an answer; null without answers. */
  p50Ms: number | null
  p95Ms: number | null
  waiting: number
  dead: number
  /** When the oldest waiting event was recorded. */
  oldestWaitingAt: Date | null
}

const WINDOW_SECONDS = 86_400
const MOST_CAUSES = 10

/** Throws `WEBHOOK_ENDPOINT_NOT_FOUND`. */
export async function readDeliveryFigures(
  sql: Sql,
  place: EndpointPlace,
): Promise<DeliveryFigures> {
  const { id } = await getEndpoint(sql, place)
  const since = sql`a.started_at > now() - make_interval(secs => ${WINDOW_SECONDS})`
  const [figures] = await sql<Omit<DeliveryFigures, 'windowSeconds' | 'failures'>[]>`
    select a.*, d.* from (
      select count(*)::integer as attempts, ${outcomes(sql)} from app.webhook_attempt a
      where a.endpoint_id = ${id} and ${since}
    ) a cross join (
      select (count(*) filter (where d.status = 'waiting'))::integer as waiting,
        (count(*) filter (where d.status = 'dead'))::integer as dead,
        min(d.created_at) filter (where d.status = 'waiting') as "oldestWaitingAt"
      from app.webhook_delivery d
      where d.endpoint_id = ${id} and d.status in ('waiting', 'dead')
    ) d`
  if (!figures) throw new Error('Invariant(deliveryFigures): an aggregate without a row')
  const failures = await sql<DeliveryFigures['failures']>`
    select a.error as cause, count(*)::integer as count from app.webhook_attempt a
    where a.endpoint_id = ${id} and ${since} and a.error is not null
    group by a.error order by count(*) desc, a.error limit ${MOST_CAUSES}`
  return { windowSeconds: WINDOW_SECONDS, failures: [...failures], ...figures }
}

/** How attempts ended, and how long answers took. */
const outcomes = (sql: ISql) => sql`
  (count(*) filter (where a.error is null))::integer as delivered,
  (count(*) filter (where a.error is not null))::integer as failed,
  round(percentile_cont(0.5) within group (order by a.duration_ms)
    filter (where a.response_status is not null))::integer as "p50Ms",
  round(percentile_cont(0.95) within group (order by a.duration_ms)
    filter (where a.response_status is not null))::integer as "p95Ms"`

export type EndpointLoad = Pick<DeliveryFigures, 'delivered' | 'failed' | 'p50Ms' | 'p95Ms'> & {
  endpointId: string
}

const SCRAPED_SECONDS = 300
/** A series for each endpoint of everybody would be too many. */
const MOST_SCRAPED = 200

/** The figures of the last five minutes of the endpoints with the most attempts, for metrics. */
export function endpointLoads(sql: Sql): Promise<EndpointLoad[]> {
  return sql<EndpointLoad[]>`
    select a.endpoint_id as "endpointId", ${outcomes(sql)} from app.webhook_attempt a
    where a.started_at > now() - make_interval(secs => ${SCRAPED_SECONDS})
    group by a.endpoint_id order by count(*) desc limit ${MOST_SCRAPED}`
}
