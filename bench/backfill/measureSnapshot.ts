import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathOfTable, readManifest, TABLE_NAMES } from '../../cli/snapshot/manifest.ts'
import { restoreSnapshot } from '../../cli/snapshot/restoreSnapshot.ts'
import { writeSnapshot } from '../../cli/snapshot/writeSnapshot.ts'
import { migrate } from '../../db/migrate.ts'
import { createPonderCache } from '../../db/ponderCache.ts'
import { connect } from '../../db/sql.ts'
import { createChainNodes } from '../../domain/chain/chainNodes.ts'
import { createRpcNode } from '../../domain/chain/rpcNode.ts'

type Places = { from: string; to: string; folder: string; rpcUrl: string; chainId: number }

const LIMITS = { timeoutMs: 10_000, rangeTimeoutMs: 30_000, maxResponseBytes: 64 * 1024 * 1024 }
const SAMPLES = 20

/** Writes a snapshot of one database and restores it into an empty one. Resolves to a line with what it took. */
export async function measureSnapshot({ from, to, folder, rpcUrl, chainId }: Places) {
  await migrate(from)
  await migrate(to)
  const [source, target] = [from, to].map((url) =>
    connect(url, { applicationName: 'bench', max: 1 }),
  )
  if (!source || !target) throw new Error('two connections')
  const snapshot = join(folder, 'snapshot')
  const idleMb = residentMb()
  const manifest = await timed(() => writeSnapshot(source, chainId, snapshot))
  const restored = await timed(async () => {
    const read = await readManifest(snapshot)
    const nodes = createChainNodes(chainId, [
      createRpcNode({ chainId, url: rpcUrl, limits: LIMITS }),
    ])
    await createPonderCache(to)
    await target.begin((transaction) =>
      restoreSnapshot(transaction, { folder: snapshot, manifest: read, nodes, samples: SAMPLES }),
    )
  })
  await Promise.all([source.end(), target.end()])
  const sizes = await Promise.all(TABLE_NAMES.map((table) => stat(pathOfTable(snapshot, table))))
  const megabytes = sizes.reduce((sum, { size }) => sum + size, 0) / 1e6
  const rows = TABLE_NAMES.map((table) => `${manifest.result.files[table].rows} ${table}`).join(
    ', ',
  )
  return `snapshot of ${rows}: ${megabytes.toFixed(1)} MB in ${manifest.seconds} s; restored in ${restored.seconds} s; ${residentMb() - idleMb} MB of memory more`
}

function residentMb(): number {
  return Math.round(process.memoryUsage.rss() / 1e6)
}

async function timed<Result>(act: () => Promise<Result>) {
  const start = performance.now()
  const result = await act()
  return { result, seconds: ((performance.now() - start) / 1_000).toFixed(1) }
}
