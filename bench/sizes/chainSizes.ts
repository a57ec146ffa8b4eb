import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../db/migrate.ts'
import { connect } from '../../db/sql.ts'
import { devnetClient } from '../../devnet/world.ts'
import { startTestAnvils } from '../../test/support/anvils.ts'
import { freePorts } from '../../test/support/freePorts.ts'
import { startTestIndexer, untilIndexed } from '../../test/support/indexer.ts'
import { startWorkerProcess } from '../../test/support/workerProcess.ts'
import { benchBookWith, benchChains, idleChain } from '../benchChains.ts'
import type { SizeOptions } from './orderSizes.ts'
import { readCalls, readCost } from './processCosts.ts'
import { startSizedPostgres } from './sizedPostgres.ts'
import { between, type SizeGroup, type SizeRow } from './sizeTable.ts'

/** Blocks of each chain a second, under load. */
const LOAD = 5

/**
 * One indexer and one worker over real nodes: idle, with a block a second on each chain; under load, with five. The blocks are
 * empty.
 */
export async function measureChainSizes(
  chains: number[],
  options: SizeOptions,
): Promise<SizeGroup> {
  const rows: SizeRow[] = []
  for (const number of chains) rows.push(...(await measure(number, options)))
  const title = 'One indexer and one worker, a block a second on each chain'
  const note = `Under load each chain has ${LOAD} blocks a second, without logs of ours.`
  return { title, unit: 'a block', rows, note }
}

async function measure(number: number, { seconds, print }: SizeOptions): Promise<SizeRow[]> {
  await using started = new AsyncDisposableStack()
  const further = Array.from({ length: number - benchChains.length }, (_, i) => idleChain(i))
  const addressBook = benchBookWith(further)
  const chainIds = addressBook.chains.map(({ id }) => id)
  const postgres = await startSizedPostgres(started)
  await migrate(postgres.url)
  const { rpcUrls, wsUrls, stop } = await startTestAnvils(chainIds)
  started.defer(stop)
  const nodes = chainIds.map((id) => devnetClient(id, rpcUrls[id] ?? ''))
  const mineAll = () => Promise.all(nodes.map((node) => node.mine({ blocks: 1 })))
  await mineAll()
  const [indexerPort = 0, workerPort = 0] = await freePorts(2)
  const databaseUrl = postgres.url
  const indexer = await startTestIndexer({
    databaseUrl,
    addressBook,
    chainIds,
    rpcUrls,
    wsUrls,
    pollIntervalMs: 2_000,
    variables: { INDEXER_METRICS_PORT: String(indexerPort) },
  })
  started.defer(indexer.stop)
  const worker = startWorkerProcess({
    databaseUrl,
    addressBook: indexer.addressBook,
    rpcUrls,
    appSecret: randomBytes(32).toString('hex'),
    variables: { WORKER_METRICS_PORT: String(workerPort) },
  })
  started.defer(worker.stop)
  let everyMs = 1_000
  const mining = new AbortController()
  const done = (async () => {
    for (; !mining.signal.aborted; await sleep(everyMs)) await mineAll()
  })()
  started.defer(async () => {
    mining.abort()
    await done
  })
  const sql = connect(databaseUrl, { applicationName: 'bench', max: 1 })
  started.defer(() => sql.end())
  await untilIndexed(sql, Object.fromEntries(chainIds.map((id) => [id, 3])))
  const metrics = `http://127.0.0.1:${workerPort}/metrics`
  while (!(await fetch(metrics).catch(() => null))) await sleep(100) // The worker may still be starting.

  const read = async () => ({
    costs: await Promise.all([readCost(indexer.pid), readCost(worker.pid), readCost(postgres.pid)]),
    calls: await Promise.all([readCalls(indexerPort), readCalls(workerPort)]),
    blocks: (await Promise.all(nodes.map((node) => node.getBlockNumber()))).reduce(
      (sum, block) => sum + Number(block),
      0,
    ),
  })
  const before = await read()
  await sleep(seconds * 1_000)
  const idle = await read()
  everyMs = 1_000 / LOAD
  await sleep(seconds * 1_000)
  const loaded = await read()
  return ['indexer', 'worker', 'Postgres'].map((name, index) => {
    const [from, still, to] = [before, idle, loaded].map(({ costs }) => costs[index])
    if (!from || !still || !to) throw new Error('Invariant(chainSizes): three readings')
    const calls = [before, idle].map((reading) => reading.calls[index])
    const [callsFrom, callsTo] = calls
    print(`${number} chains, ${name}: ${still.memoryMb.toFixed(0)} MB`)
    return {
      size: `${number} chains`,
      process: name,
      idleMb: still.memoryMb,
      idleCpu: between(from, still).percentIn(seconds),
      loadMb: to.memoryMb,
      unitMicros: between(still, to).microsPer(loaded.blocks - idle.blocks),
      calls:
        callsFrom === undefined || callsTo === undefined
          ? null
          : ((callsTo - callsFrom) * 60) / seconds,
      databaseMb: null,
    }
  })
}
