import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import type { IndexProgress } from '../../chain/indexProgress.ts'
import { sharedStatements } from '../../watch/sharedStatements.ts'
import { createOrderPlaces } from './orderPlaces.ts'
import { orderStatement, type SelectedOrder, selectTransitOrders } from './selectTransitOrders.ts'
import { isPresent, type TransitOrderRow } from './transitOrderRow.ts'

/** A row, with the progress of its chains at the same moment; of all chains where there is none. */
type ReadRow = { progress: IndexProgress[]; row: TransitOrderRow | undefined }

/** Reads rows of orders. Ids that are asked for while a statement runs share the next one. */
export type OrderRows = { read(id: Hex): Promise<ReadRow> }

type Select = (id: Hex) => Promise<SelectedOrder[]>

export function createOrderRows(sql: Sql): OrderRows {
  const selectAnywhere = sharedStatements((ids: Hex[]) => selectTransitOrders(sql, ids))
  const places = createOrderPlaces<Select>(sql, (place) => {
    const statement = orderStatement(place)
    return sharedStatements((ids: Hex[]) => selectTransitOrders(sql, ids, statement))
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
  const rows = await select(id)
  const found = rows.filter(isPresent).find((row) => row.id === id)
  if (!found) return { progress: rows[0]?.progress ?? [], row: undefined }
  const { progress, ...row } = found
  return { progress, row }
}
