import { beforeAll, describe, expect, test } from 'vitest'
import { EXAMPLE_REPORT } from '../../cli/rehearse/exampleReport.ts'
import { writeReport } from '../../cli/rehearse/writeReport.ts'
import type { Role } from '../../domain/access/role.ts'
import type { ConsoleClient } from '../support/consoleClient.ts'
import { emailOf, reasonOf } from '../support/consoleMembers.ts'
import { type Entry, only } from '../support/onlyMember.ts'

const ORGANIZATIONS = '/v1/admin/organizations'

type Tools = {
  call(
    client: ConsoleClient,
    path: string,
    sent?: { method?: string; body?: object; of?: string },
  ): ReturnType<ConsoleClient['send']>
  member(name: string, role: Role | null, options?: { of?: string }): Promise<ConsoleClient>
  userIdOf(name: string): Promise<string>
  /** The file of the report of a rehearsal. */
  reportFile(): string
}

/** The operator's matters over the API. */
export function testOperatorMatters(
  people: () => { operator: ConsoleClient; acme: string },
  { call, member, userIdOf, reportFile }: Tools,
) {
  describe('operators', () => {
    let operator: ConsoleClient
    let acme: string
    beforeAll(() => {
      ;({ operator, acme } = people())
    })

    test('default: all quotes are stopped and go on; error: half a route, and an unknown one', async () => {
      const post = (what: string, body: object) =>
        call(operator, `/v1/admin/transitRoutes/${what}`, { body })
      const stopped = await post('stop', { reason: ' a test ' })
      const actor = `member:${await userIdOf('operator')}`
      const stop = { sourceChainId: null, wantAsset: null, reason: 'a test', actor }
      expect(only(stopped)).toMatchObject(stop)
      expect(only(await call(operator, '/v1/admin/transitStops'))).toMatchObject([stop])
      const asset = `0x${'11'.repeat(20)}`
      const ends = {
        sourceChainId: 1,
        offerAsset: asset,
        destinationChainId: 4663,
        wantAsset: asset,
      }
      const reason = 'a test'
      // While all routes are stopped: 0 is the id of no chain, and does not mean all.
      for (const route of [
        ends,
        { ...ends, sourceChainId: 0 },
        { ...ends, destinationChainId: 0 },
      ]) {
        expect(reasonOf(await post('stop', { ...route, reason }))).toEqual([404, 'ROUTE_NOT_FOUND'])
        expect(reasonOf(await post('open', route))).toEqual([404, 'TRANSIT_STOP_NOT_FOUND'])
      }
      expect(only(await call(operator, '/v1/admin/transitStops'))).toMatchObject([stop])
      expect(only(await post('open', {}))).toMatchObject(stop)
      expect(reasonOf(await post('open', {}))).toEqual([404, 'TRANSIT_STOP_NOT_FOUND'])
      for (const [what, body] of [
        ['stop', { reason: '' }],
        ['stop', { reason: 'two\nlines' }],
        ['stop', { ...ends, wantAsset: null, reason }],
        ['open', { sourceChainId: 1 }],
      ] as const)
        expect([what, ...reasonOf(await post(what, body))]).toEqual([what, 400, 'INVALID_FIELD'])
    })

    test('default: the report of a rehearsal is read, and again once there is a new one', async () => {
      const path = '/v1/admin/rehearsal'
      const read = () => call(operator, path)
      expect(reasonOf(await read())).toEqual([404, 'REHEARSAL_NOT_FOUND'])
      await writeReport(reportFile(), EXAMPLE_REPORT)
      const { lines, usdPerDay } = only(await read())
      expect(lines).toEqual(
        EXAMPLE_REPORT.lines.map((line) => ({ ...line, level: line.level.toUpperCase() })),
      )
      expect(usdPerDay).toBe(EXAMPLE_REPORT.usdPerDay)
      await writeReport(reportFile(), { ...EXAMPLE_REPORT, seconds: 1 })
      expect(only(await read())).toMatchObject({ seconds: 1 })
    })

    test('default: an organization is created, changed and found, with the name of who did it', async () => {
      const made = only<{ id: string }>(
        await call(operator, ORGANIZATIONS, { body: { name: 'Bold' } }),
      )
      const changes = {
        name: 'Bolder',
        rateLimitTier: 'HIGH',
        slippageBps: 7,
        settleOnSubmit: true,
        requiresSecondFactor: false,
        defaultDistributorCode: '0xAB',
      }
      const path = `${ORGANIZATIONS}/${made.id}`
      await call(operator, path, { method: 'PATCH', body: changes })
      await member('boss', 'owner', { of: made.id })
      const filter = encodeURIComponent('name = Bolder AND rateLimitTier = HIGH')
      expect(only(await call(operator, `${ORGANIZATIONS}?filter=${filter}`))).toMatchObject([
        { ...changes, id: made.id, defaultDistributorCode: '0xab', memberCount: 1, keyCount: 0 },
      ])
      expect(only(await call(operator, `${path}/members`))).toMatchObject([
        { email: emailOf('boss'), role: 'OWNER' },
      ])
      await call(operator, path, { method: 'PATCH', body: { defaultDistributorCode: '' } })
      const own = only<Entry[]>(await call(operator, '/v1/access/auditLog', { of: made.id }))
      const actor = `member:${await userIdOf('operator')}`
      expect(own.at(-1)).toMatchObject({
        action: 'organization.create',
        actor,
        actorName: 'operator',
      })
      const ofBoth = encodeURIComponent(`organizationId = "${made.id}"`)
      const all = await call(operator, `/v1/admin/auditLog?filter=${ofBoth}`)
      expect(only<Entry[]>(all).map(({ action }) => action)).toEqual([
        'organization.set',
        'member.join',
        'member.invite',
        'organization.set',
        'organization.create',
      ])
      // The command line's user is for operators only.
      const invitation = ({ action }: Entry) => action === 'member.invite'
      expect(own.find(invitation)?.actor).toBe('operator')
      expect(only<Entry[]>(all).find(invitation)?.actor).toBe('test')
    })

    test('error: a name that is taken or none, and an organization that does not exist', async () => {
      const create = (name: string) => call(operator, ORGANIZATIONS, { body: { name } })
      expect(reasonOf(await create('Acme'))).toEqual([400, 'ORGANIZATION_NAME_TAKEN'])
      for (const name of ['', ' ', 'a\0b', 'x'.repeat(101)])
        expect(reasonOf(await create(name))).toEqual([400, 'INVALID_FIELD'])
      const change = (id: string, body: object) =>
        call(operator, `${ORGANIZATIONS}/${id}`, { method: 'PATCH', body })
      expect(reasonOf(await change(acme, { name: 'Other' }))).toEqual([
        400,
        'ORGANIZATION_NAME_TAKEN',
      ])
      for (const id of ['Acme', acme.replace(/./g, '0')])
        expect(reasonOf(await change(id, {}))).toEqual([404, 'ORGANIZATION_NOT_FOUND'])
      const wrong = { slippageBps: 10_001, defaultDistributorCode: 'x' }
      expect(reasonOf(await change(acme, wrong))).toEqual([400, 'INVALID_FIELD'])
    })

    test('default: the operators, and the builds of the index', async () => {
      expect(only(await call(operator, '/v1/admin/operators'))).toMatchObject([
        { email: emailOf('operator'), role: null, isOperator: true },
      ])
      const filter = encodeURIComponent('state = SERVED AND chainId = 1')
      expect(only(await call(operator, `/v1/admin/indexBuilds?filter=${filter}`))).toMatchObject([
        { chainId: 1, state: 'SERVED', isReady: true, block: expect.any(Number), head: null },
      ])
    })

    test('default: the log of a time', async () => {
      const at = async (query: string) =>
        only<Entry[]>(await call(operator, `/v1/admin/auditLog?pageSize=100&${query}`)).length
      const now = Math.floor(Date.now() / 1_000)
      expect(await at(`startTime=${now - 600}`)).toBeGreaterThan(10)
      expect(await at(`endTime=${now - 600}`)).toBe(0)
      const backwards = await call(operator, `/v1/admin/auditLog?startTime=9&endTime=8`)
      expect(reasonOf(backwards)).toEqual([400, 'INVALID_FIELD'])
    })
  })
}
