import { listIndexBuilds } from '../../db/listIndexBuilds.ts'
import { indexedChains } from '../../domain/addressBook/indexedChains.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'
import { rowsOf } from './rowsOf.ts'

/** Whether each chain with contracts has a served build, and builds that do not start. */
export async function checkIndex({ book, sql }: DoctorContext): Promise<Line[]> {
  if (!book || !sql) return []
  const builds = await rowsOf({ sql }, listIndexBuilds)
  return indexedChains(book).flatMap(({ id: chainId }) => {
    const { ok, warning, error } = lines(`index of chain ${chainId}`)
    const own = builds.filter((build) => build.chainId === chainId)
    const failed = own.find(({ state }) => state === 'failed')
    if (failed)
      return error(
        `the build ${failed.postgresSchema} does not start: ${failed.error ?? 'without a message'}`,
        'Look at the log of its indexer: docs/operating/on-call.md.',
      )
    const served = own.find(({ state }) => state === 'served')
    if (served) return ok(`served, at block ${served.block ?? 'none'}`)
    return warning(
      own.length > 0 ? 'its first build is not complete' : 'no indexer has begun it',
      own.length > 0
        ? 'Wait: reads answer 503 INDEX_CATCHING_UP meanwhile.'
        : `Start an indexer with ${chainId} in INDEX_CHAINS.`,
    )
  })
}
