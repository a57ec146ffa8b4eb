import { readFileSync } from 'node:fs'

/** The two chains of an order. */
export type OrderEnds = { sourceChainId: number; destinationChainId: number }

const text = readFileSync(new URL('transitOrder.sql', import.meta.url), 'utf8')

/**
 * The select of `read.transit_order`, over all chains or between two. A chain that is a constant lets Postgres leave out
 * the tables of all others when it plans, so the statement costs the same however many chains there are.
 */
export function transitOrderSelect(ends?: OrderEnds): string {
  const chainIds = { source: ends?.sourceChainId, destination: ends?.destinationChainId }
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
