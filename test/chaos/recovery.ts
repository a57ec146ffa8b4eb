import { setTimeout as sleep } from 'node:timers/promises'
import { worldClient } from '../../devnet/world.ts'
import { ask } from '../support/ask.ts'
import { CHAOS_CHAINS, type Installation } from './installation.ts'
import type { Receivers } from './receivers.ts'

/** A list names the blocks of every chain at which it was read. */
const LIST = `/v1/transit/orders?userAddress=0x${'11'.repeat(20)}`
const GIVEN_UP_MS = 120_000
const ANSWER_MS = 2_000

/**
 * Resolves when all answers are right again: the index has the nodes' own blocks up to the heads of now, each api
 * answers at these heads, and a ping that each api is asked for arrives at a receiver. Returns what was wrong last; throws
 * it after two minutes.
 */
export async function untilRight(
  installation: Installation,
  receivers: Receivers,
): Promise<string> {
  // An index that has lost its database still shows the last head: it must reach a block that is made after the fault.
  for (const id of CHAOS_CHAINS) await worldClient(installation.world, id).mine({ blocks: 1 })
  const heads = await readHeads(installation)
  const deadline = Date.now() + GIVEN_UP_MS
  let last = 'nothing'
  const until = async (wrong: () => Promise<string | null>) => {
    for (;;) {
      const found = await wrong().catch(String)
      if (found === null) return
      last = found
      if (Date.now() > deadline) {
        const sessions = await readSessions(installation).catch(String)
        throw new Error(`not right after two minutes: ${found}\n${sessions}`)
      }
      await sleep(50)
    }
  }
  await until(() => wrongIndex(installation, heads))
  await Promise.all(
    installation.apis.map(async (api) => {
      await until(() => wrongAnswer(api.current().url, heads))
      let eventId: string | null = null
      await until(async () => {
        eventId ??= await ping(api.current().url, receivers.good.endpointId)
        const isThere = receivers.good.receiver.received.some(({ event }) => event.id === eventId)
        return isThere ? null : `the ping of ${api.name} has not arrived`
      })
    }),
  )
  return last
}

/** The sessions that do something or wait, with the statement and who blocks it. */
async function readSessions({ sql }: Installation): Promise<string> {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', pid, application_name, state, 'since', now() - xact_start, wait_event,
      'blocked by', pg_blocking_pids(pid), left(query, 300)) as line
    from pg_stat_activity where datname = current_database() and state <> 'idle' order by xact_start`
  return rows.map(({ line }) => line).join('\n')
}

type Heads = Map<number, number>

/** The newest block of each node. */
export async function readHeads({ world }: Installation): Promise<Heads> {
  const read = CHAOS_CHAINS.map(
    async (id) => [id, Number(await worldClient(world, id).getBlockNumber())] as const,
  )
  return new Map(await Promise.all(read))
}

async function wrongIndex({ sql, world }: Installation, heads: Heads): Promise<string | null> {
  const rows = await sql<{ chain_id: number; block_number: bigint; block_hash: string }[]>`
    select chain_id, block_number, block_hash from read.chain_progress where is_ready`
  for (const [id, head] of heads) {
    const row = rows.find(({ chain_id }) => chain_id === id)
    if (!row || Number(row.block_number) < head)
      return `chain ${id} is indexed to ${row?.block_number ?? 'nothing'}, not ${head}`
    const { hash } = await worldClient(world, id).getBlock({ blockNumber: row.block_number })
    if (hash !== row.block_hash) return `chain ${id} is indexed to ${row.block_hash}, not ${hash}`
  }
  return null
}

async function wrongAnswer(url: string, heads: Heads): Promise<string | null> {
  const response = await ask(`${url}${LIST}`, { signal: AbortSignal.timeout(ANSWER_MS) })
  const named = response.headers.get('x-indexed-blocks') ?? ''
  if (!response.ok) return `${url} answers ${response.status} ${await response.text()}`
  const blocks = new Map(
    named.split(',').map((pair) => pair.split('=').map(Number) as [number, number]),
  )
  for (const [id, head] of heads)
    if ((blocks.get(id) ?? -1) < head) return `${url} answers at ${named}, not at ${id}=${head}`
  return null
}

async function ping(url: string, endpointId: string): Promise<string | null> {
  const response = await ask(`${url}/v2/webhooks/endpoints/${endpointId}/ping`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} does not ping: ${response.status} ${text}`)
  return (JSON.parse(text) as { eventId: string }).eventId
}
