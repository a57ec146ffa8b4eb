import { type GraphQLOutputType, getNamedType, isLeafType } from 'graphql'
import { MAX_PAGE_SIZE } from '../domain/page/pageParameters.ts'

/** The cost of GraphQL operations in points: the reads of their root fields, and the objects of the answer. */

/** The cost of a root field's reads, whatever is selected. */
const READS = {
  /** One statement that finds what it wants by an index. */
  index: 5,
  /** Calls to one or all chains that other requests share. */
  chains: 20,
  /** A statement over long histories. */
  history: 50,
  /** Calls to a chain that are this request's own. */
  calls: 50,
  /** Calls of its own for the conditions, the transaction and its preview. */
  preparation: 150,
} as const

type Reads = keyof typeof READS
type FieldCost = { field: number; multiplier: number }

/** The cost of a root field that answers one object. */
export function readCost(reads: Reads): FieldCost {
  return { field: READS[reads], multiplier: 1 }
}

type PageArguments = {
  pageSize: number
  filter?: string | null | undefined
  includeTotalCount?: boolean
}

/**
 * The cost of a root field that answers a page: the selection counts once per row of `pageSize`. With a filter, an index
 * only finds the rows that are then examined: hundreds of them, however few the page has. A total looks at thousands.
 */
export function pageCost(reads: Reads) {
  return ({ pageSize, filter, includeTotalCount }: PageArguments): FieldCost => ({
    field: READS[reads === 'index' && (filter || includeTotalCount) ? 'history' : reads],
    // The list itself refuses a page size outside of these bounds.
    multiplier: Math.min(Math.max(pageSize, 1), MAX_PAGE_SIZE),
  })
}

/** The cost of a list that no argument bounds; `rows` is about its usual length. */
export function listCost(rows: number): FieldCost {
  return { field: 1, multiplier: rows }
}

/** The cost of a field that leads to another resource: an object, and its part of the statements that find it. */
export const linkCost: FieldCost = { field: 3, multiplier: 1 }

/** The cost of all other fields: an object is one point, a scalar is free. */
export function defaultCost({ type }: { type: GraphQLOutputType }): number | FieldCost {
  return isLeafType(getNamedType(type)) ? 0 : { field: 1, multiplier: 1 }
}
