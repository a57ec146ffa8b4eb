import { isDatabaseDown } from '../../db/isDatabaseDown.ts'
import { isNotIndexed } from '../../db/isNotIndexed.ts'
import { connect } from '../../db/sql.ts'
import { StandstillError, whileItMoves } from '../../devnet/whileItMoves.ts'
import { repeat } from '../../domain/loop/startLoop.ts'

/** The processes of a start are not ready, and nothing moved for a minute. */
export class NotReadyError extends Error {
  override name = 'NotReadyError'
}

type Wait = {
  /** Whether the processes have worked since the call before. */
  hasMoved: () => Promise<boolean>
  signal: AbortSignal
  quietMs?: number
}

const EVERY_MS = 100

/** Waits until the API is ready. Throws `NotReadyError`. */
export async function untilApiReady(apiUrl: string, { hasMoved, signal, quietMs }: Wait) {
  await untilTrue({
    // A request fails while the API does not listen yet.
    isDone: async () => (await fetch(`${apiUrl}/ready`).catch(() => null))?.ok === true,
    hasMoved,
    signal,
    why: () => 'The API is not ready. See logs/api.log in the data directory.',
    ...(quietMs ? { quietMs } : {}),
  })
}

/** Waits until each chain's index has reached the given head. Throws `NotReadyError`. */
export async function untilIndexed(
  databaseUrl: string,
  heads: Map<number, bigint>,
  { onLate, ...wait }: Wait & { onLate?: (late: string) => void },
) {
  const sql = connect(databaseUrl, { applicationName: 'causeway-start', max: 1 })
  let late = ''
  let seen = ''
  try {
    await untilTrue({
      ...wait,
      async isDone() {
        const rows = await sql<
          { chain_id: number; block_number: bigint | null; is_ready: boolean }[]
        >`
          select chain_id, block_number, is_ready from read.chain_progress`.catch(noneYet)
        late = [...heads]
          .flatMap(([chainId, head]) => {
            const row = rows.find(({ chain_id }) => chain_id === chainId)
            const block = row?.is_ready ? (row.block_number ?? -1n) : -1n
            return block >= head ? [] : [`chain ${chainId} at ${block < 0n ? 'no block' : block}`]
          })
          .join(', ')
        onLate?.(late)
        return late === ''
      },
      async hasMoved() {
        const before = seen
        seen = late
        return (await wait.hasMoved()) || before !== late
      },
      why: () => `The index is not synced: ${late}. See logs/indexer-*.log in the data directory.`,
    })
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** No rows while nothing is indexed, or the database does not answer. Throws any other error. */
function noneYet(error: unknown): [] {
  if (isNotIndexed(error) || isDatabaseDown(error)) return []
  throw error
}

type Condition = Wait & { isDone: () => Promise<boolean>; why: () => string }

async function untilTrue({ isDone, hasMoved, signal, quietMs, why }: Condition) {
  const done = new AbortController()
  const over = AbortSignal.any([signal, done.signal])
  try {
    await whileItMoves({
      work: repeat({ run: isDone, everyMs: EVERY_MS }, over),
      hasMoved,
      ...(quietMs ? { quietMs, lookMs: quietMs / 10 } : {}),
    })
  } catch (error) {
    throw error instanceof StandstillError ? new NotReadyError(`${error.message}. ${why()}`) : error
  } finally {
    done.abort()
  }
}

/** The id of an order for the examples, or null. */
export async function anyOrderId(databaseUrl: string): Promise<string | null> {
  const sql = connect(databaseUrl, { applicationName: 'causeway-start', max: 1 })
  const [row] = await sql<{ id: string }[]>`
    select order_id as id from read.transit_source order by block_timestamp, order_id limit 1`
    .catch(noneYet)
    .finally(() => sql.end({ timeout: 1 }))
  return row?.id ?? null
}
