import { expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { createReadStore } from '../../../domain/cache/keptReads.ts'
import { createChainClients } from '../../../domain/chain/chainClients.ts'
import { createRouteLatencies } from '../../../domain/transit/routes/routeLatencies.ts'
import { recordIndexEvents } from '../../../worker/feed/recordIndexEvents.ts'
import { testAddressBook as addressBook } from '../../support/addressBook.ts'
import { createTestDatabase } from '../../support/postgres.ts'

test('behavior: before there is an index, no event is recorded', async () => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { applicationName: 'test' })
  const chains = createChainClients([], { chains: [] })
  const routeLatencies = createRouteLatencies(sql, createReadStore('test', { max: 10 }))
  expect(await recordIndexEvents({ sql, chains, addressBook, routeLatencies })).toBe(0)
  await sql.end()
  await database.drop()
})
