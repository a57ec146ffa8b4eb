import { expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { createTestDatabase } from '../support/postgres.ts'

test('default: no session holds tables for more than a minute while its process stands still', async () => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { applicationName: 'test', max: 1 })
  try {
    expect(await sql`show idle_in_transaction_session_timeout`).toEqual([
      { idle_in_transaction_session_timeout: '1min' },
    ])
  } finally {
    await sql.end()
    await database.drop()
  }
})
