import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { DEVNET_USERS } from '../devnet/accounts.ts'
import { PLANNED_CHAINS } from '../devnet/plan.ts'
import { worldClient } from '../devnet/world.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { ask } from '../test/support/ask.ts'
import { startTestIndexer, untilIndexed } from '../test/support/indexer.ts'
import { startBenchApi } from './benchApi.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Measures how long it takes until every chain of the local world is answered from its old head again, after all of its
 * indexers were killed at once and started again: `node bench/killedIndexers.ts [rounds] [processes]`. By default each chain
 * has a process of its own. Blocks of one second. A client that asks for the orders of all chains counts the seconds in which it
 * got an error, and its slowest answer.
 */
const ROUNDS = Number(process.argv[2] ?? 5)
const PROCESSES = Number(process.argv[3] ?? PLANNED_CHAINS.length)
const BOUND_MS = 8_000
const OLD_BLOCKS = 150
/** `npm start` starts an indexer that ended again after as long. */
const RESTART_MS = 100
const PATIENCE_MS = 60_000
const ASK_MS = 50
const print = (line: string) => process.stdout.write(`${line}\n`)

type Indexer = Awaited<ReturnType<typeof startTestIndexer>>

const chainIds = PLANNED_CHAINS.map(({ id }) => id)
const groups = Array.from({ length: PROCESSES }, (_, group) =>
  chainIds.filter((_, index) => index % PROCESSES === group),
)

await using started = new AsyncDisposableStack()
const postgres = await startBenchPostgres()
started.defer(postgres.stop)
await migrate(postgres.url)
const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
started.defer(() => sql.end())
const nodes = await startTestWorld(chainIds, { blockTimeSeconds: 1, withVaults: true })
started.defer(nodes.stop)
const { world, addressBook, wsUrls } = nodes
const { rpcUrls } = world
const startAll = () =>
  Promise.all(
    groups.map((group) =>
      startTestIndexer({
        databaseUrl: postgres.url,
        addressBook,
        chainIds: group,
        rpcUrls,
        wsUrls,
      }),
    ),
  )
let indexers: Indexer[] = await startAll()
started.defer(async () => {
  await Promise.all(indexers.map((indexer) => indexer.stop()))
})
const api = await startBenchApi({ databaseUrl: postgres.url, addressBook, rpcUrls })
started.defer(api.stop)
await Promise.all(chainIds.map((id) => worldClient(world, id).mine({ blocks: OLD_BLOCKS })))
await untilIndexed(sql, Object.fromEntries(chainIds.map((id) => [id, OLD_BLOCKS])))

const all: number[] = []
for (let round = 1; round <= ROUNDS; round += 1) {
  await sleep(2_000)
  const killedAt = performance.now()
  await Promise.all(indexers.map((indexer) => indexer.kill()))
  const heads = await headsOf()
  await sleep(RESTART_MS)
  indexers = await startAll()
  const client = startClient()
  const back = await untilBack(heads, killedAt)
  const { errorMs, slowestMs } = await client.stop()
  all.push(Math.max(...back.values()))
  const each = [...back].map(([id, ms]) => `${id}: ${Math.round(ms)}`).join(', ')
  print(`round ${round}: ${Math.round(all.at(-1) ?? 0)} ms (${each})`)
  print(
    `  errors for ${Math.round(errorMs)} ms, the slowest answer after ${Math.round(slowestMs)} ms`,
  )
}
const worst = Math.max(...all)
print(`${PROCESSES} processes: at most ${Math.round(worst)} ms, bound ${BOUND_MS} ms`)
if (worst > BOUND_MS) process.exitCode = 1

/** Asks every 50 ms, whether or not the requests before are answered. */
function startClient() {
  const url = `${api.url}/v1/transit/orders?userAddress=${DEVNET_USERS[0]?.address}`
  const asked: Promise<unknown>[] = []
  let errors = 0
  let slowestMs = 0
  const timer = setInterval(() => {
    const since = performance.now()
    const answered = ask(url).then(async (response) => {
      await response.arrayBuffer()
      slowestMs = Math.max(slowestMs, performance.now() - since)
      return response.status === 200
    })
    const counted = answered
      // Without an answer it is an error too.
      .catch(() => false)
      .then((isGood) => {
        if (!isGood) errors += 1
      })
    asked.push(counted)
  }, ASK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(asked)
      return { errorMs: errors * ASK_MS, slowestMs }
    },
  }
}

type Head = { chainId: number; block: number; isReady: boolean }

function readHeads(): Promise<Head[]> {
  return sql<Head[]>`
    select chain_id as "chainId", block_number::float8 as block, is_ready as "isReady"
    from read.chain_progress`
}

async function headsOf(): Promise<Map<number, number>> {
  return new Map((await readHeads()).map(({ chainId, block }) => [chainId, block]))
}

/** By chain, the time from the kill until it is answered from its old head again, through the api at last. */
async function untilBack(heads: Map<number, number>, killedAt: number) {
  const gone = new Set<number>()
  const back = new Map<number, number>()
  while (back.size < heads.size) {
    if (performance.now() - killedAt > PATIENCE_MS) throw new Error('a chain does not come back')
    for (const { chainId, block, isReady } of await readHeads()) {
      const head = heads.get(chainId) ?? 0
      // Right after the kill the chain is still answered. One without logs to take back stays ready.
      if (!isReady || block < head) gone.add(chainId)
      const isBack = isReady && (block > head || (block === head && gone.has(chainId)))
      if (isBack && !back.has(chainId)) back.set(chainId, performance.now() - killedAt)
    }
    await sleep(20)
  }
  const { status } = await ask(
    `${api.url}/v1/transit/orders?userAddress=${DEVNET_USERS[0]?.address}`,
  )
  if (status !== 200) throw new Error(`the orders of all chains were answered ${status}`)
  return back
}
