import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { type NewEvent, recordEvents } from '../../../domain/webhook/recordEvents.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts'

let database: TestDatabase
let sql: ReturnType<typeof connect>
let organizations: string[]

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { applicationName: 'test' })
  const rows = await sql<{ id: string }[]>`
    insert into app.organization (name) values ('one'), ('two') returning id`
  organizations = rows.map(({ id }) => id)
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

function event(name: string, resource: string, organization = 0): NewEvent {
  const organizationId = organizations[organization] ?? ''
  return { organizationId, resource, type: 'ping', name, fields: { said: 'a "b"\\ {c},é' } }
}

const record = (events: NewEvent[]) => sql.begin((transaction) => recordEvents(transaction, events))

async function listed(resource: string) {
  return sql<{ organization: bigint; sequence: number; body: Record<string, unknown> }[]>`
    select organization_sequence as organization, resource_sequence as sequence, body
    from app.event where resource like ${`${resource}%`} order by organization_sequence`
}

describe('recordEvents', () => {
  test('default: what is sent, numbered by organization and resource', async () => {
    await record([event('a', 'default:1'), event('b', 'default:2'), event('c', 'default:1')])
    const rows = await listed('default')
    expect(rows.map(({ sequence }) => sequence)).toEqual([1, 1, 2])
    expect(rows.map(({ organization }) => organization)).toEqual([1n, 2n, 3n])
    expect(rows[2]?.body).toMatchObject({
      type: 'ping',
      version: 'v2',
      sequence: 2,
      said: 'a "b"\\ {c},é',
    })
    expect(rows[0]?.body.id).toMatch(/^evt_[0-9a-f]{40}$/)
  })

  test('behavior: an event is recorded once, its twin of another organization too', async () => {
    const [first] = await record([event('same', 'once'), event('same', 'once')])
    expect(await record([event('same', 'once'), event('same', 'once', 1)])).toHaveLength(1)
    expect(first?.resourceSequence).toBe(1)
    expect(await listed('once')).toHaveLength(2)
  })

  test('behavior: a transaction that fails leaves neither event nor gap', async () => {
    const [before] = await record([event('before', 'gap')])
    const failing = sql.begin(async (transaction) => {
      await recordEvents(transaction, [event('lost', 'gap')])
      throw new Error('fails')
    })
    await expect(failing).rejects.toThrow('fails')
    const [after] = await record([event('after', 'gap')])
    expect(after?.organizationSequence).toBe((before?.organizationSequence ?? 0n) + 1n)
  })

  test('behavior: times ascend with the sequence, also after a worker whose clock is ahead', async () => {
    const [before] = await record([event('before', 'clock')])
    const ahead = new Date(Date.now() + 60_000)
    await sql`
      update app.event_sequence set last_at = ${ahead} where organization_id = ${organizations[0] ?? ''}`
    const [after, next] = await record([event('after', 'clock'), event('next', 'clock')])
    expect(before?.createdAt.getTime()).toBeLessThan(ahead.getTime())
    expect([after?.createdAt, next?.createdAt]).toEqual([ahead, ahead])
  })

  test('behavior: many at once, in every order, leave one sequence without gaps', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const both = [event(`n${index}`, 'race:1'), event(`n${index}`, 'race:1', 1)]
        return record(index % 2 ? both : both.reverse())
      }),
    )
    for (const organizationId of organizations) {
      const rows = await sql<{ number: bigint }[]>`
        select organization_sequence as number from app.event
        where organization_id = ${organizationId} order by 1`
      expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => BigInt(index + 1)))
    }
  })
})
