import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { startAnvil } from '../devnet/anvil.ts'
import { startFaultyNode } from '../test/support/faultyNode.ts'
import { freePorts } from '../test/support/freePorts.ts'
import { startTestIndexer, untilIndexed } from '../test/support/indexer.ts'
import { benchAddressBook } from './benchChains.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Measures what a chain of ten blocks a second on which nothing happens costs at its node: calls and bytes per block, by the
 * indexer's own metrics, and the calls as a proxy before the node counts them. A head message of a websocket counts as
 * a call. With a websocket, then with polling alone: `node bench/rpcCalls.ts [seconds]`.
 */
const SECONDS = Number(process.argv[2] ?? 20)
const BLOCK_SECONDS = 0.1
const MOST_CALLS = 1.2
const CHAIN_ID = 1
const DAY_SECONDS = 86_400
/** The default of INDEX_POLL_MS. */
const POLL_MS = 500
const print = (line: string) => process.stdout.write(`${line}\n`)

for (const hasSocket of [true, false]) await measure(hasSocket)

async function measure(hasSocket: boolean) {
  await using started = new AsyncDisposableStack()
  const postgres = await startBenchPostgres()
  started.defer(postgres.stop)
  await migrate(postgres.url)
  const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
  started.defer(() => sql.end())
  const [port = 0, metricsPort = 0] = await freePorts(2)
  const node = await startAnvil({ chainId: CHAIN_ID, port, blockTimeSeconds: BLOCK_SECONDS })
  started.defer(() => node.stop())
  const proxy = await startFaultyNode({ ...node, other: node })
  started.defer(proxy.stop)
  const indexer = await startTestIndexer({
    databaseUrl: postgres.url,
    addressBook: benchAddressBook,
    chainIds: [CHAIN_ID],
    rpcUrls: { [CHAIN_ID]: proxy.rpcUrl },
    wsUrls: hasSocket ? { [CHAIN_ID]: proxy.wsUrl } : {},
    pollIntervalMs: POLL_MS,
    variables: { INDEXER_METRICS_PORT: String(metricsPort) },
  })
  started.defer(indexer.stop)
  await untilIndexed(sql, { [CHAIN_ID]: 30 })
  const before = await readMetrics(metricsPort)
  proxy.takeCalls()
  await sleep(SECONDS * 1_000)
  const after = await readMetrics(metricsPort)
  const proxied = proxy.takeCalls().length

  const moved = (name: string) =>
    new Map(
      [...after]
        .filter(([key]) => key.startsWith(name))
        .map(([key, value]) => [key, value - (before.get(key) ?? 0)]),
    )
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0)
  const blocks = sum(moved('causeway_indexer_blocks_total'))
  const calls = moved('causeway_rpc_calls_total')
  const bytes = moved('causeway_rpc_bytes_total')
  const perBlock = sum(calls) / blocks
  const holds = perBlock <= MOST_CALLS
  if (!holds) process.exitCode = 1
  print(`${hasSocket ? 'websocket' : `polling, ${POLL_MS} ms`}: ${blocks} blocks in ${SECONDS} s`)
  for (const [key, count] of [...calls, ...bytes])
    if (count > 0)
      print(`  ${labelsOf(key).padEnd(50)} ${(count / blocks).toFixed(2).padStart(9)} per block`)
  print(`  over HTTP, counted before the node: ${(proxied / blocks).toFixed(2)} calls per block`)
  const day = DAY_SECONDS / BLOCK_SECONDS / 1_000_000
  print(
    `${holds ? 'holds' : 'FAILS'}  ${perBlock.toFixed(2)} calls and ${(sum(bytes) / blocks / 1_024).toFixed(2)} KB per block; ` +
      `a day: ${(perBlock * day).toFixed(2)} million calls, ${(((sum(bytes) / blocks) * day) / 1_000).toFixed(1)} GB`,
  )
}

/** The counters about nodes and blocks, by name and labels. */
async function readMetrics(port: number): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return new Map(
    text
      .split('\n')
      .filter((line) => /^causeway_(rpc_calls|rpc_bytes|indexer_blocks)_total\{/.test(line))
      .map((line) => {
        const end = line.lastIndexOf(' ')
        return [line.slice(0, end), Number(line.slice(end + 1))]
      }),
  )
}

function labelsOf(key: string): string {
  return (
    [...key.matchAll(/(method|direction)="(\w+)"/g)].map(([, , value]) => value).join(', ') || key
  )
}
