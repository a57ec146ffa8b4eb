import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import type { Administrator } from '../../../domain/access/audit.ts'
import {
  createOrganization,
  getOrganization,
  listOrganizations,
  setOrganization,
} from '../../../domain/access/organizations.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts'

let database: TestDatabase
let sql: Sql
let administrator: Administrator

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { applicationName: 'test', max: 1 })
  administrator = { sql, actor: 'test' }
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

describe('organizations', () => {
  test('default', async () => {
    const zeta = await createOrganization(administrator, 'Zeta')
    const acme = await createOrganization(administrator, 'Acme')
    expect(await listOrganizations(sql)).toEqual([acme, zeta])
    expect(await getOrganization(sql, 'Acme')).toEqual(acme)
    expect(await getOrganization(sql, zeta.id.toUpperCase())).toEqual(zeta)
  })

  test('behavior: a name comes before an id', async () => {
    const named = await createOrganization(administrator, (await getOrganization(sql, 'Zeta')).id)
    expect(await getOrganization(sql, named.name)).toEqual(named)
  })

  test('behavior: settings that are not given stay', async () => {
    const { id } = await createOrganization(administrator, 'Settled')
    const code = `0x${'ab'.repeat(32)}` as const
    const read = async () => {
      const [row] = await sql`
        select default_distributor_code as code, slippage_bps as bps, settle_on_submit as settles
        from app.organization where id = ${id}`
      return { ...row }
    }
    await setOrganization(administrator, id, { defaultDistributorCode: code, slippageBps: 7 })
    expect(await read()).toEqual({ code, bps: 7, settles: false })
    await setOrganization(administrator, id, { settleOnSubmit: true })
    expect(await read()).toEqual({ code, bps: 7, settles: true })
    await setOrganization(administrator, id, { defaultDistributorCode: '0x61' })
    expect(await read()).toEqual({ code: '0x61', bps: 7, settles: true })
    await setOrganization(administrator, id, { defaultDistributorCode: null, slippageBps: 0 })
    expect(await read()).toEqual({ code: null, bps: 0, settles: true })
  })

  test('error: invalid settings, and an unknown name', async () => {
    const { id } = await getOrganization(sql, 'Settled')
    const set = (settings: object) => setOrganization(administrator, id, settings)
    for (const code of ['0x', '0x1', '0xAB', '0xzz', `0x${'ab'.repeat(33)}`])
      await expect(set({ defaultDistributorCode: code })).rejects.toThrow('1 to 32 bytes')
    await expect(set({ slippageBps: 10_001 })).rejects.toThrow('0 to 10000')
    await expect(setOrganization(administrator, 'Nobody', {})).rejects.toThrow('no organization')
    await expect(set({ name: 'Acme' })).rejects.toThrow('already')
    await expect(set({ name: 'a\0b' })).rejects.toThrow('1 to 100')
    expect(await set({ name: 'Settled anew' })).toMatchObject({ id, name: 'Settled anew' })
  })

  test('error: a name that is taken, empty or too long', async () => {
    await expect(createOrganization(administrator, 'Acme')).rejects.toThrow('already')
    await expect(createOrganization(administrator, '')).rejects.toThrow('1 to 100')
    await expect(createOrganization(administrator, 'x'.repeat(101))).rejects.toThrow('1 to 100')
  })

  test('error: an unknown name', async () => {
    await expect(getOrganization(sql, 'Nobody')).rejects.toThrow('no organization')
  })
})
