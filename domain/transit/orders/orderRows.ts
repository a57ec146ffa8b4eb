import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import type { IndexHeads } from '../../chain/indexHeads.ts'
import { sharedStatements } from '../../watch/sharedStatements.ts'
import { createOrderPlaces } from './orderPlaces.ts'
import { orderStatement, type SelectedOrders, selectTransitOrders } from './selectTransitOrders.ts'
import type { TransitOrderRow } from './transitOrderRow.ts'

/** A row, with the heads of its chains at the same moment; of all chains where there is none. */
type ReadRow = { heads: IndexHeads; row: TransitOrderRow | undefined }

/** Reads rows of orders. Ids that are asked for while a statement runs share the next one. */
export type OrderRows = { read(id: Hex): Promise<ReadRow> }

type Select = (id: Hex) => Promise<SelectedOrders>

/** The start of a statement takes as long as the read of six orders, so all that wait share the next. */
const STATEMENTS_AT_ONCE = 1

export function createOrderRows(sql: Sql): OrderRows {
  const selectAnywhere = sharedStatements(
    (ids: Hex[]) => selectTransitOrders(sql, ids),
    STATEMENTS_AT_ONCE,
  )
  const places = createOrderPlaces<Select>(sql, (place) => {
    const statement = orderStatement(place)
    return sharedStatements(
      (ids: Hex[]) => selectTransitOrders(sql, ids, statement),
      STATEMENTS_AT_ONCE,
    )
  })

  return {
    async read(id) {
      const selectThere = await places.find(id)
      const there = selectThere && (await readRow(id, selectThere))
      if (there?.row) return there
      // A reorganisation took it back, or only its destination is indexed.
      places.forget(id)
      return readRow(id, selectAnywhere)
    },
  }
}

async function readRow(id: Hex, select: Select): Promise<ReadRow> {
  const { heads, rows } = await select(id)
  return { heads, row: rows.find((row) => row.id === id) }
}
