import type { AppContext } from '../../domain/appContext.ts'
import { createReadsByHead } from '../../domain/chain/readsByHead.ts'

const MOST_ROWS = 1_000

/** The services of an api that has not read a list yet. */
export function withNothingKept(context: AppContext): AppContext {
  const { headReader } = context.orderReads
  const kept = { name: 'test_by_head', headReader, headsInRows: 1, mostRows: MOST_ROWS }
  return {
    ...context,
    rowsByHead: createReadsByHead({ ...kept, sizeOf: ({ rows }) => rows.length }),
    orderPagesByHead: createReadsByHead({ ...kept, sizeOf: ({ orders }) => orders.length }),
    withdrawalPagesByHead: createReadsByHead({
      ...kept,
      sizeOf: ({ withdrawalRequests }) => withdrawalRequests.length,
    }),
    positionsByHead: createReadsByHead({ ...kept, sizeOf: (rows) => rows.length }),
    activityByHead: createReadsByHead({ ...kept, sizeOf: ({ rows }) => rows.length }),
  }
}
