import { type GraphQLOutputType, getNamedType, isLeafType } from 'graphql'
import { MAX_PAGE_SIZE } from '../domain/page/pageParameters.ts'

/** What GraphQL operations cost, in points: what their root fields read, and the objects they answer. */

/** What a root field reads at most, whatever is selected of it. */
const READS = {
  /** One statement that finds what it wants by an index. */
  index: 5,
  /** Calls to one or all chains that other requests share. */
  chains: 20,
  /** A statement over long histories. */
  history: 50,
  /** Calls to a chain that are this request's own. */
  calls: 50,
} as const

type Reads = keyof typeof READS
type FieldCost = { field: number; multiplier: number }

/** Of a root field that answers one thing. */
export function readCost(reads: Reads): FieldCost {
  return { field: READS[reads], multiplier: 1 }
}

/** Of a root field that answers a page: whatever is selected, once per row that the page can have. */
export function pageCost(reads: Reads) {
  return ({ pageSize }: { pageSize: number }): FieldCost => ({
    field: READS[reads],
    // What is outside of these bounds its list refuses, by the name of the argument.
    multiplier: Math.min(Math.max(pageSize, 1), MAX_PAGE_SIZE),
  })
}

/** Of a list that no argument bounds: about as many rows as it has where there are many. */
export function listCost(rows: number): FieldCost {
  return { field: 1, multiplier: rows }
}

/** Of all other fields: an object is a point, what it says of itself is free. */
export function defaultCost({ type }: { type: GraphQLOutputType }): number | FieldCost {
  return isLeafType(getNamedType(type)) ? 0 : { field: 1, multiplier: 1 }
}
