import { connect } from '../../db/sql.ts'
import type { AnsweredRequest } from './answeredRequest.ts'
import type { UsageSum } from './usageSums.ts'

/** The request log and the sums of requests, for writing. */
export type RequestStore = {
  writeRequests(requests: readonly AnsweredRequest[]): Promise<void>
  addSums(sums: readonly UsageSum[]): Promise<void>
  /** Deletes requests that are older than seven days, and sums that are older than ninety. */
  forgetOld(): Promise<void>
  stop(): Promise<void>
}

const STATEMENT_TIMEOUT_MS = 5_000
const DAY_MS = 86_400_000
/** These end a quoted element, or begin an escape. */
const MARKS = /["\\]/
/** The number of partitions of `app.request_log`. */
const SLOTS = 9
/** How long the sums of an hour are kept. */
export const USAGE_KEPT_DAYS = 90

/** Writes to `app.request_log` and `app.api_usage`, over connections of its own. */
export function createRequestStore(databaseUrl: string): RequestStore {
  const sql = connect(databaseUrl, {
    applicationName: 'causeway-request-log',
    max: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    // A crash of Postgres loses half a second of requests.
    synchronousCommit: false,
  })
  return {
    async writeRequests(requests) {
      const column = (name: keyof AnsweredRequest) =>
        arrayLiteral(requests.map((request) => request[name]))
      await sql`
        insert into app.request_log (slot, at, organization_id, public_id, request_id, method,
          route, operation, status, reason, latency_ms, points)
        select r.at / ${DAY_MS}::integer % ${SLOTS}::integer, to_timestamp(r.at::float8 / 1000),
          r.organization_id, r.public_id, r.request_id, r.method, r.route, r.operation, r.status,
          r.reason, r.latency_ms, r.points
        from unnest(${column('at')}::text::bigint[], ${column('organizationId')}::text::uuid[],
          ${column('publicId')}::text::text[], ${column('requestId')}::text::text[],
          ${column('method')}::text::text[], ${column('route')}::text::text[],
          ${column('operation')}::text::text[], ${column('status')}::text::smallint[],
          ${column('reason')}::text::text[], ${column('latencyMs')}::text::integer[],
          ${column('points')}::text::integer[]
        ) r (at, organization_id, public_id, request_id, method, route, operation, status, reason,
          latency_ms, points)`
    },
    async addSums(sums) {
      const column = (name: keyof UsageSum) => sums.map((sum) => sum[name])
      await sql`
        insert into app.api_usage as u
          (organization_id, hour, public_id, requests, points, refused, invalid, failed)
        select s.organization_id, to_timestamp(s.hour), s.public_id, s.requests, s.points,
          s.refused, s.invalid, s.failed
        from unnest(${column('organizationId')}::uuid[], ${column('hour')}::bigint[],
          ${column('publicId')}::text[], ${column('requests')}::bigint[],
          ${column('points')}::bigint[], ${column('refused')}::bigint[],
          ${column('invalid')}::bigint[], ${column('failed')}::bigint[]
        ) s (organization_id, hour, public_id, requests, points, refused, invalid, failed)
        on conflict (organization_id, hour, public_id) do update set
          requests = u.requests + excluded.requests, points = u.points + excluded.points,
          refused = u.refused + excluded.refused, invalid = u.invalid + excluded.invalid,
          failed = u.failed + excluded.failed`
    },
    async forgetOld() {
      await sql`
        delete from app.api_usage where hour < now() - make_interval(days => ${USAGE_KEPT_DAYS})`
      await sql`select app.forget_old_requests()`
    },
    stop: () => sql.end({ timeout: 1 }),
  }
}

/** An array as Postgres reads it from text: postgres.js takes seven times as long to make it of its elements. */
function arrayLiteral(values: (string | number | null)[]): string {
  return `{${values.map(element).join(',')}}`
}

function element(value: string | number | null): string | number {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return value
  return MARKS.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : `"${value}"`
}
