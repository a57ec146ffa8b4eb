import { migrate } from '../db/migrate.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { ask } from '../test/support/ask.ts'
import { withManyVaults } from '../test/support/manyVaults.ts'
import { percentile } from '../test/support/percentile.ts'
import { startBenchApi, untilAnswered } from './benchApi.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/** Measures the list of 200 deployments, by the real api over real nodes: `node bench/vaults.ts`. */
const NAMES = 100
const ROUNDS = 300
const BOUND_MS = 50
const print = (line: string) => process.stdout.write(`${line}\n`)
const MODELS = [
  { name: 'Harbor Dollar', chainId: 1 },
  { name: 'Harbor Dollar', chainId: 8453 },
]

await using started = new AsyncDisposableStack()
const postgres = await startBenchPostgres()
started.defer(postgres.stop)
const { world, stop } = await startTestWorld([1, 4663, 8453], { withVaults: true })
started.defer(stop)
await migrate(postgres.url)
// The copies come first by name, so the page has only copies.
const addressBook = await withManyVaults(world, { models: MODELS, count: NAMES })
const { rpcUrls } = world
const api = await startBenchApi({ databaseUrl: postgres.url, addressBook, rpcUrls })
started.defer(api.stop)
await untilAnswered(`${api.url}/v2/earn/vaults`)
const cold: number[] = []
const warm: number[] = []
const made: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  const { ms, deployments } = await list(api.url)
  if (deployments !== NAMES * MODELS.length) throw new Error(`${deployments} were listed`)
  // A request after the cache has expired waits for the chains.
  const isCold = round === 0 || (round === ROUNDS / 2 && (await pause(21_000)))
  if (isCold && round > 0) cold.push((await list(api.url)).ms)
  else if (round > 20) warm.push(ms)
}
// Each page is another, so none is answered from an answer that is kept.
for (let pageSize = NAMES; pageSize > NAMES / 2; pageSize -= 1)
  made.push((await list(api.url, pageSize)).ms)
const [p50, p90, p99, max] = [0.5, 0.9, 0.99, 1].map((share) => percentile(warm, share))
print(
  `warm  p50 ${format(p50)}  p90 ${format(p90)}  p99 ${format(p99)}  max ${format(max)} ms, bound ${BOUND_MS}`,
)
print(`made  p50 ${format(percentile(made, 0.5))} ms: from what is kept of the chains`)
print(`cold  ${cold.map(format).join(', ')} ms: when both chains are read anew`)
if ((p99 ?? Number.POSITIVE_INFINITY) > BOUND_MS) process.exitCode = 1

async function list(url: string, pageSize = NAMES) {
  const startedAt = performance.now()
  const response = await ask(`${url}/v2/earn/vaults?pageSize=${pageSize}`)
  const text = await response.text()
  const ms = performance.now() - startedAt
  const body = JSON.parse(text) as { vaults: { deployments: unknown[] }[] }
  return { ms, deployments: body.vaults.flatMap(({ deployments }) => deployments).length }
}

async function pause(ms: number): Promise<true> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  return true
}

function format(ms = 0): string {
  return ms.toFixed(1)
}
