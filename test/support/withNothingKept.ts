import type { AppContext } from '../../domain/appContext.ts'
import { createHeadReader } from '../../domain/chain/indexHeads.ts'
import { createKeptReads } from '../../domain/chain/keptReads.ts'

/** The services of an api that has not read anything yet. */
export function withNothingKept(context: AppContext): AppContext {
  const keptReads = createKeptReads(createHeadReader(context.sql), { kilobytes: 1_000 })
  return { ...context, keptReads }
}
