import type { AppContext } from '../../domain/appContext.ts'
import { createHeadReader } from '../../domain/index/indexHeads.ts'
import { createIndexReads } from '../../domain/index/indexReads.ts'

/** The services of an api that has not read anything yet. */
export function withNothingKept(context: AppContext): AppContext {
  const indexReads = createIndexReads(createHeadReader(context.sql), { kilobytes: 1_000 })
  return { ...context, indexReads }
}
