import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../db/sql.ts'

export class NotReadyError extends Error {
  override name = 'NotReadyError'
}

const EVERY_MS = 100

/** Waits until the API is ready. Throws `NotReadyError`. */
export async function untilApiReady(apiUrl: string, timeoutMs: number, signal: AbortSignal) {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline && !signal.aborted) {
    const response = await fetch(`${apiUrl}/ready`).catch(() => null)
    if (response?.ok) return
    await sleep(EVERY_MS)
  }
  if (!signal.aborted)
    throw new NotReadyError(
      `The API is not ready after ${timeoutMs / 1_000} s. See logs/api.log in the data directory.`,
    )
}

/** Waits until each chain's index has reached the given head. Throws `NotReadyError`. */
export async function untilIndexed(
  databaseUrl: string,
  heads: Map<number, bigint>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
) {
  const sql = connect(databaseUrl, { applicationName: 'causeway-start', max: 1 })
  const deadline = Date.now() + timeoutMs
  try {
    for (;;) {
      const rows = await sql<
        { chain_id: number; block_number: bigint | null; is_ready: boolean }[]
      >`
        select chain_id, block_number, is_ready from read.chain_progress`.catch(() => [])
      const late = [...heads].filter(
        ([chainId, head]) =>
          !rows.some(
            (row) => row.chain_id === chainId && row.is_ready && (row.block_number ?? -1n) >= head,
          ),
      )
      if (late.length === 0 || signal.aborted) return
      if (Date.now() > deadline)
        throw new NotReadyError(
          `The index of chain ${late.map(([id]) => id).join(', ')} is not synced after ${timeoutMs / 1_000} s. See logs/indexer-*.log in the data directory.`,
        )
      await sleep(EVERY_MS)
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The id of an order for the examples, or null. */
export async function anyOrderId(databaseUrl: string): Promise<string | null> {
  const sql = connect(databaseUrl, { applicationName: 'causeway-start', max: 1 })
  const [row] = await sql<{ id: string }[]>`
    select order_id as id from read.transit_submission order by block_timestamp, order_id limit 1`
    .catch(() => [])
    .finally(() => sql.end({ timeout: 1 }))
  return row?.id ?? null
}
