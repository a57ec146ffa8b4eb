import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import type { TransactionSql } from 'postgres'
import { BUILD_LOCK } from '../../db/indexBuilds.ts'
import { readCacheVersion } from '../../db/ponderCache.ts'
import type { ChainNodes } from '../../domain/chain/chainNodes.ts'
import { columnsOf, findForeignInterval, readNewest } from './cacheTables.ts'
import { assertLastBlock, assertPlace } from './compareWithNode.ts'
import {
  type Manifest,
  pathOfTable,
  SNAPSHOT_TABLES,
  SnapshotError,
  type SnapshotTable,
  TABLE_NAMES,
} from './manifest.ts'

export type RestoreOptions = {
  folder: string
  manifest: Manifest
  nodes: ChainNodes
  /** At how many random places the snapshot is compared with the nodes. */
  samples: number
}

/**
 * Loads a snapshot in the place of the older cache of its chain. The last block and random places are compared
 * with the chain's nodes. Throws `SnapshotError`, and then the transaction must be rolled back.
 */
export async function restoreSnapshot(sql: TransactionSql, options: RestoreOptions): Promise<void> {
  const { folder, manifest, nodes, samples } = options
  await assertLastBlock(nodes, manifest)
  await refuseOtherVersion(sql, manifest)
  await refuseRunningIndexer(sql, manifest)
  await refuseNewerCache(sql, manifest)
  for (const table of TABLE_NAMES) await loadTable(sql, { folder, manifest, table })
  await refuseContradictions(sql, manifest)
  for (let sample = 0; sample < samples; sample += 1)
    await assertPlace(nodes, sql, { manifest, near: sample % 2 === 0 ? 'block' : 'log' })
  // The indexer plans its reads before autovacuum comes by.
  for (const table of TABLE_NAMES) await sql`analyze ponder_sync.${sql(table)}`
}

async function refuseOtherVersion(sql: TransactionSql, { cacheVersion, version }: Manifest) {
  const own = await readCacheVersion(sql)
  if (own !== cacheVersion)
    throw new SnapshotError(
      `the snapshot is of another version of Ponder's cache (${cacheVersion}, here ${own}). Use version ${version} of Causeway, or a newer snapshot.`,
    )
}

/** It would take what it has read before for complete. No indexer can start on these builds until the end. */
async function refuseRunningIndexer(sql: TransactionSql, { chainId }: Manifest) {
  const builds = await sql<{ name: string; isFree: boolean }[]>`
    select postgres_schema as name,
      pg_try_advisory_xact_lock(hashtext(${BUILD_LOCK}), hashtext(postgres_schema)) as "isFree"
    from app.index_build where chain_id = ${chainId}`
  const held = builds.find(({ isFree }) => !isFree)
  if (held)
    throw new SnapshotError(
      `an indexer of chain ${chainId} is running (build ${held.name}). Stop it first.`,
    )
}

async function refuseNewerCache(sql: TransactionSql, { chainId, block }: Manifest) {
  const newest = await readNewest(sql, chainId)
  if (newest && newest.number >= block.number)
    throw new SnapshotError(
      `the database already has chain ${chainId} up to block ${newest.number}, the snapshot ends at ${block.number}. Nothing needs to be restored.`,
    )
}

type Load = { folder: string; manifest: Manifest; table: SnapshotTable }

/** Rows of other chains and above the last block are left out, so that the count shows them. */
async function loadTable(sql: TransactionSql, { folder, manifest, table }: Load) {
  const { chainId, block, files } = manifest
  const path = pathOfTable(folder, table)
  const columns = await columnsOf(sql, table)
  const height = SNAPSHOT_TABLES[table]
  const kept = height === null ? 'upper(blocks) - 1' : height
  await sql`delete from ponder_sync.${sql(table)} where chain_id = ${chainId}`
  const copy = `copy ponder_sync.${table} (${columns.join()}) from stdin
    where chain_id = ${chainId} and ${kept} <= ${block.number}`
  const loaded = await copyFile(sql, copy, path)
    .then(() => countRows(sql, manifest, table))
    .catch((error: Error) => {
      throw new SnapshotError(`${path} cannot be loaded: ${error.message}`)
    })
  if (loaded !== files[table].rows)
    throw new SnapshotError(
      `${path} has ${loaded} rows of chain ${chainId} up to block ${block.number}, the manifest names ${files[table].rows}`,
    )
}

/** The driver drops an error after the last row, and its stream then never ends. The next statement fails instead. */
async function copyFile(sql: TransactionSql, copy: string, path: string) {
  const target = await sql.unsafe(copy).writable()
  // Each write has its own error.
  target.on('error', () => {})
  const write = promisify((rows: Buffer, done: (error?: Error | null) => void) =>
    target.write(rows, done),
  )
  try {
    await pipeline(
      createReadStream(path),
      createGunzip(),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const rows of chunks) await write(rows)
      },
    )
  } catch (error) {
    target.destroy(error as Error) // Streams throw nothing else.
    throw error
  }
  target.end()
  // The end is sent after this turn.
  await setImmediate()
}

async function countRows(sql: TransactionSql, { chainId }: Manifest, table: SnapshotTable) {
  const [counted] = await sql<{ rows: string }[]>`
    select count(*)::text as rows from ponder_sync.${sql(table)} where chain_id = ${chainId}`
  return Number(counted?.rows)
}

async function refuseContradictions(sql: TransactionSql, { chainId, block }: Manifest) {
  const [last] = await sql<{ hash: string }[]>`
    select hash from ponder_sync.blocks where chain_id = ${chainId} and number = ${block.number}`
  if (last?.hash !== block.hash)
    throw new SnapshotError(
      `the snapshot has the block ${last?.hash ?? 'none'} at ${block.number}, its manifest names ${block.hash}`,
    )
  const other = await findForeignInterval(sql, chainId)
  if (other)
    throw new SnapshotError(`the snapshot has an interval that is not of its chain: ${other}`)
}
