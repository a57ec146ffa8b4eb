import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import type { Sql } from 'postgres'
import { within } from '../loop/within.ts'
import { observe } from '../observation/observe.ts'
import { gather } from './gather.ts'

type PublishedAnswer<Value> = {
  value: Value
  /** Since its read began. */
  ageMs: number
  /** From 0 to 1, drawn by the process that read: all that have the answer read it again at the same time. */
  spread: number
}

/** A read of nodes. `key` names the read and what it is of. */
export type PublishedRead<Value> = {
  name: string
  key: string
  maxAgeMs: number
  /** Whether nobody waits for the answer yet, so that it may wait longer for another process. */
  isEarly?: boolean
  read: () => Promise<Value>
}

/** Reads of nodes that the apis of an installation make once for all of them. */
export type PublishedReads = {
  /** The answer of any process, at most so old; else that of `read`, which then is published. Throws the read's error. */
  get<Value>(read: PublishedRead<Value>): Promise<PublishedAnswer<Value>>
}

/** No read takes longer over all nodes of a chain. After so long, the process that reads is taken for dead. */
const LEASE_SECONDS = 3
/** So long a process waits for another one that reads, or for Postgres, before it asks the nodes itself. Random from half of it. */
const MOST_WAIT_MS = 1_000
const MOST_EARLY_WAIT_MS = LEASE_SECONDS * 1_000
/** From the first to the second look. It doubles with each. */
const FIRST_PAUSE_MS = 10
/** No answer is used for longer. */
const KEPT_MINUTES = 30

type Asked = { key: string; maxAgeMs: number }
type Published<Value> = Pick<PublishedAnswer<Value>, 'value' | 'spread'>
type Row = { key: string; answer: Uint8Array | null; ageMs: number; isBeingRead: boolean }
/** The right of one process to read. */
type Lease = { key: string; reader: string }
type Found = { answer: PublishedAnswer<unknown> } | { lease: Lease }

/**
 * Answers are in `app.published_read`. A process that finds none takes the lease of the key, asks the nodes and publishes. The others
 * look again until the answer is there. Whatever fails or takes long, a process asks the nodes itself. `namespace`
 * names all that an answer depends on besides its key.
 */
export function createPublishedReads(sql: Sql, namespace: string): PublishedReads {
  const findRows = gather((asked: Asked[]) => selectRows(sql, asked))
  const takeLeases = gather((asked: Asked[]) => insertLeases(sql, asked))

  /** Null: another process has the lease, and has not answered in time. */
  async function find(asked: Asked, mostWaitMs: number): Promise<Found | null> {
    const until = performance.now() + mostWaitMs * (0.5 + Math.random() / 2)
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      const row = (await findRows(asked)).get(asked.key)
      if (row?.answer) {
        // Only `publish` writes it, in a process of the same version.
        const published = deserialize(row.answer) as Published<unknown>
        return { answer: { ...published, ageMs: row.ageMs } }
      }
      const lease = row?.isBeingRead ? undefined : (await takeLeases(asked)).get(asked.key)
      if (lease) return { lease }
      if (performance.now() + pauseMs > until) return null
      await sleep(pauseMs)
    }
  }

  return {
    async get<Value>({ name, key, maxAgeMs, isEarly = false, read }: PublishedRead<Value>) {
      const mostWaitMs = isEarly ? MOST_EARLY_WAIT_MS : MOST_WAIT_MS
      // Without Postgres the nodes are asked all the same.
      const finding = find({ key: `${namespace}:${key}`, maxAgeMs }, mostWaitMs).catch(() => null)
      const found = await within(mostWaitMs, finding)
      const isPublished = found !== null && 'answer' in found
      observe({ kind: 'nodeRead', of: name, by: isPublished ? 'another' : 'itself' })
      if (isPublished) return found.answer as PublishedAnswer<Value>
      if (found === null) void finding.then((late) => giveUp(sql, late))
      const since = performance.now()
      try {
        const published = { value: await read(), spread: Math.random() }
        // Nobody waits for it: this process has its answer.
        if (found) void publish(sql, found.lease, published).catch(() => {})
        return { ...published, ageMs: performance.now() - since }
      } catch (error) {
        // A lease that is not released ends by itself.
        if (found) void release(sql, found.lease).catch(() => {})
        throw error
      }
    },
  }
}

const keysOf = (asked: Asked[]) => asked.map(({ key }) => key)
const agesOf = (asked: Asked[]) => asked.map(({ maxAgeMs }) => maxAgeMs)

async function selectRows(sql: Sql, asked: Asked[]): Promise<Map<string, Row>> {
  const rows = await sql<Row[]>`
    select known.key,
      case when read_at > clock_timestamp() - max_age * interval '1 ms' then answer end as answer,
      (extract(epoch from clock_timestamp() - read_at) * 1000)::float8 as "ageMs",
      reader is not null and leased_at > clock_timestamp() - ${LEASE_SECONDS} * interval '1 s'
        as "isBeingRead"
    from unnest(${keysOf(asked)}::text[], ${agesOf(asked)}::float8[]) asked (key, max_age)
    join app.published_read known on known.key = asked.key`
  return new Map(rows.map((row) => [row.key, row]))
}

/** In the order of the keys, so that two processes do not wait for each other. */
async function insertLeases(sql: Sql, asked: Asked[]): Promise<Map<string, Lease>> {
  const reader = randomUUID()
  const rows = await sql<{ key: string }[]>`
    insert into app.published_read as known (key, reader, leased_at)
    select distinct on (key) key, ${reader}::uuid, clock_timestamp()
    from unnest(${keysOf(asked)}::text[], ${agesOf(asked)}::float8[]) asked (key, max_age)
    -- Another process may have published since it was looked for.
    where not exists (select from app.published_read fresh
      where fresh.key = asked.key and read_at > clock_timestamp() - max_age * interval '1 ms')
    order by key
    on conflict (key) do update set reader = excluded.reader, leased_at = excluded.leased_at
    where known.reader is null
      or known.leased_at <= clock_timestamp() - ${LEASE_SECONDS} * interval '1 s'
    returning key`
  return new Map(rows.map(({ key }) => [key, { key, reader }]))
}

/** Nothing, if the lease has ended and another process has one now. */
async function publish(sql: Sql, { key, reader }: Lease, published: Published<unknown>) {
  await sql`
    update app.published_read set answer = ${serialize(published)}, read_at = leased_at, reader = null
    where key = ${key} and reader = ${reader}`
}

/** Releases a lease that came after this process had begun to read by itself: others would wait for its answer. */
async function giveUp(sql: Sql, late: Found | null) {
  // One that is not released ends by itself.
  if (late !== null && 'lease' in late) await release(sql, late.lease).catch(() => {})
}

async function release(sql: Sql, { key, reader }: Lease) {
  await sql`update app.published_read set reader = null where key = ${key} and reader = ${reader}`
}

/** Deletes what no process uses any more, such as the answers for another address book. */
export async function forgetPublishedReads(sql: Sql): Promise<void> {
  await sql`
    delete from app.published_read where leased_at < now() - ${KEPT_MINUTES} * interval '1 min'`
}
