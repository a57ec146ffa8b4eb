import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { createHeadReader, type HeadReader, type IndexHeads } from '../../chain/indexHeads.ts'
import { sharedStatements } from '../../watch/sharedStatements.ts'
import { createOrderPlaces } from './orderPlaces.ts'
import { createOrdersBetween } from './selectOrdersBetween.ts'
import { type SelectedOrders, selectTransitOrders } from './selectTransitOrders.ts'
import type { TransitOrderRow } from './transitOrderRow.ts'

/** A row, with the heads of all chains at the same moment. */
type ReadRow = { heads: IndexHeads; row: TransitOrderRow | undefined }

/** Reads rows of orders. Ids that are asked for while a statement runs share the next one. */
export type OrderRows = {
  read(id: Hex): Promise<ReadRow>
  /** The same for the orders of pages. They share statements of their own, so that a single order waits for no page. */
  readListed(id: Hex): Promise<ReadRow>
}

/** The parts that all reads of orders share. */
export type OrderReads = { sql: Sql; headReader: HeadReader; orderRows: OrderRows }

/** The start of a statement takes as long as the read of six orders, so all that wait share the next. */
const STATEMENTS_AT_ONCE = 1

export function createOrderReads(sql: Sql): OrderReads {
  const headReader = createHeadReader(sql)
  return { sql, headReader, orderRows: createOrderRows(sql, headReader) }
}

function createOrderRows(sql: Sql, headReader: HeadReader): OrderRows {
  const selectAnywhere = sharedStatements(async (ids: Hex[]) => {
    const selected = await selectTransitOrders(sql, ids)
    headReader.note(selected.heads)
    return selected
  }, STATEMENTS_AT_ONCE)
  const places = createOrderPlaces(sql, (place) => {
    const select = createOrdersBetween(sql, headReader, place)
    return {
      single: sharedStatements(select, STATEMENTS_AT_ONCE),
      listed: sharedStatements(select, STATEMENTS_AT_ONCE),
    }
  })

  async function read(id: Hex, by: 'single' | 'listed'): Promise<ReadRow> {
    const place = await places.find(id)
    const selected = await place?.[by](id)
    const there = selected && rowIn(selected, id)
    if (there?.row) return there
    // A reorganisation took it back, or only its destination is indexed.
    places.forget(id)
    return rowIn(await selectAnywhere(id), id)
  }

  return { read: (id) => read(id, 'single'), readListed: (id) => read(id, 'listed') }
}

function rowIn({ heads, rows }: SelectedOrders, id: Hex): ReadRow {
  return { heads, row: rows.get(id) }
}
