import { readFileSync } from 'node:fs'

/** The two chains of an order. */
export type OrderPlace = { sourceChainId: number; destinationChainId: number }

/** The SQL of the two chains of an order: constants, or columns of the query around the select. */
type PlaceSql = { [End in keyof OrderPlace]: number | string }

const text = readFileSync(new URL('transitOrder.sql', import.meta.url), 'utf8')

/**
 * The select of `read.transit_order`, over all chains or between two. A chain that is a constant lets Postgres leave out
 * the tables of all others when it plans, so the statement costs the same however many chains there are. A chain that is
 * a column keeps it from looking into the tables of the others.
 */
export function transitOrderSelect(place?: PlaceSql): string {
  const chainIds = { source: place?.sourceChainId, destination: place?.destinationChainId }
  return text.replaceAll(
    /@(source|destination)\.(\w+)/g,
    (_, side: keyof typeof chainIds, table) => {
      const chainId = chainIds[side]
      return chainId === undefined
        ? `read.${table}`
        : `(select * from read.${table} where chain_id = ${chainId})`
    },
  )
}
