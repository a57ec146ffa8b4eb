import { type Command, InvalidArgumentError } from 'commander'
import { grantRights } from '../../db/grantRights.ts'
import { createPonderCache } from '../../db/ponderCache.ts'
import { audited } from '../../domain/access/audit.ts'
import { createChainNodes } from '../../domain/chain/chainNodes.ts'
import { createRpcNode } from '../../domain/chain/rpcNode.ts'
import { loadChainUrls } from '../../processes/configuration/chainUrls.ts'
import { withSecretFiles } from '../../processes/configuration/secretFiles.ts'
import { parseChainId } from '../parseChainId.ts'
import { type Manifest, readManifest, TABLE_NAMES } from '../snapshot/manifest.ts'
import { restoreSnapshot } from '../snapshot/restoreSnapshot.ts'
import { writeSnapshot } from '../snapshot/writeSnapshot.ts'
import type { Run } from './command.ts'

const LIMITS = { timeoutMs: 10_000, rangeTimeoutMs: 30_000, maxResponseBytes: 64 * 1024 * 1024 }

type RestoreFlags = { rpc?: string; samples: number }

/** `index snapshot|restore` */
export function addSnapshotCommands(index: Command, run: Run, env: NodeJS.ProcessEnv): void {
  index
    .command('snapshot')
    .argument('<chainId>', 'the id of the chain', parseChainId)
    .requiredOption('--to <folder>', 'a new folder for its files')
    .description('write what the indexer has read of a chain, up to a finalized block')
    .action((chainId: number, { to }: { to: string }) =>
      run(async ({ sql }) => {
        const manifest = await writeSnapshot(sql, chainId, to)
        return { json: manifest, text: `${to} has ${summaryOf(manifest)}` }
      }),
    )
  index
    .command('restore')
    .argument('<folder>', 'the folder of a snapshot')
    .option('--rpc <url>', 'a node of its chain; default: RPC_URL_<chainId>')
    .option('--samples <n>', 'how many random places are compared with the node', parseSamples, 20)
    .description('load a snapshot after comparing it with a node; an indexer then starts from it')
    .action((folder: string, flags: RestoreFlags) =>
      run(async (administrator) => {
        const manifest = await readManifest(folder)
        const { chainId, block } = manifest
        const nodes = createChainNodes(
          chainId,
          (await urlsOf(chainId, flags, env)).map((url) =>
            createRpcNode({ chainId, url, limits: LIMITS }),
          ),
        )
        await createPonderCache(administrator.databaseUrl)
        await audited(administrator, async (transaction) => {
          await restoreSnapshot(transaction, { folder, manifest, nodes, samples: flags.samples })
          const subject = String(chainId)
          const details = { block: block.number, hash: block.hash }
          return {
            result: undefined,
            entry: { action: 'index.restore', subject, organizationId: null, details },
          }
        })
        await grantRights(administrator.sql)
        const text = `Restored ${summaryOf(manifest)}. Start the chain's indexer`
        return { json: manifest, text }
      }),
    )
}

function summaryOf({ chainId, block, files }: Manifest): string {
  const rows = TABLE_NAMES.map((table) => `${files[table].rows} ${table}`)
  return `chain ${chainId} up to block ${block.number} (${block.hash}): ${rows.join(', ')}`
}

/** Throws `EnvironmentError` for what is no URL. */
async function urlsOf(chainId: number, { rpc }: RestoreFlags, env: NodeJS.ProcessEnv) {
  const given = rpc === undefined ? env : { [`RPC_URL_${chainId}`]: rpc }
  const urls = await withSecretFiles(given, async (source) => loadChainUrls([chainId], source))
  return urls.get(chainId)?.rpcUrls ?? []
}

function parseSamples(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('expected a number')
  return Number(text)
}
