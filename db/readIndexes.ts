import type { Sql } from 'postgres'
import { ACTIVITY_INDEXES } from './readViews/activityFunctions.ts'
import { WITHDRAWAL_INDEXES } from './readViews/withdrawalListFunctions.ts'

/** For the feed, which reads each chain's facts from a block on. */
const NEWEST = '(chain_id, block_number)'

/** The indexes that reads need besides the primary keys, by fact table. Ponder does not know them. */
const READ_INDEXES: Record<string, string[]> = {
  transit_source: [
    '(chain_id, destination_eid, offer_asset, want_asset, block_timestamp desc)',
    NEWEST,
  ],
  transit_destination: ['(chain_id, last_block_number)', '(chain_id) where amount_due is null'],
  withdrawal_request_event: [NEWEST],
  withdrawal_request: WITHDRAWAL_INDEXES,
  withdrawal: ['(chain_id, vault, block_timestamp)'],
  withdrawal_period: ['(chain_id, vault, seconds, until)'],
  ...ACTIVITY_INDEXES,
  exchange_rate: ['(chain_id, vault, block_timestamp)', NEWEST],
  vault_pause: [NEWEST],
  supply_cap: [NEWEST],
}

/** Creates the read indexes on one build's tables and refreshes the planner's statistics. */
export async function createReadIndexes(sql: Sql, postgresSchema: string) {
  for (const [table, indexes] of Object.entries(READ_INDEXES)) {
    for (const [position, definition] of indexes.entries())
      await sql.unsafe(
        `create index if not exists ${table}_read_${position} on ${postgresSchema}.${table} ${definition}`,
      )
    await sql.unsafe(`analyze ${postgresSchema}.${table}`)
  }
}
