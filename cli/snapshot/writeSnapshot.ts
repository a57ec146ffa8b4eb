import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { Sql, TransactionSql } from 'postgres'
import { readCacheVersion } from '../../db/ponderCache.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { columnsOf, findForeignInterval, readNewest } from './cacheTables.ts'
import {
  digest,
  MANIFEST,
  type Manifest,
  pathOfTable,
  SNAPSHOT_TABLES,
  SnapshotError,
  type SnapshotTable,
} from './manifest.ts'

/**
 * Writes Ponder's cache of a chain up to its newest cached block, which is finalized, into a new folder. All
 * files are of one moment; the manifest is written last. Throws `SnapshotError`.
 */
export async function writeSnapshot(sql: Sql, chainId: number, folder: string): Promise<Manifest> {
  await makeFolder(folder)
  const written = await sql.begin(
    'isolation level repeatable read read only',
    async (transaction) => {
      const cacheVersion = await readCacheVersion(transaction)
      const block = cacheVersion === null ? null : await readNewest(transaction, chainId)
      if (cacheVersion === null || block === null)
        throw new SnapshotError(
          `the database has no finalized block of chain ${chainId}. An indexer caches them, unless the address book's environment is DEVELOPMENT.`,
        )
      await refuseUnknownParts(transaction, chainId)
      const [served] = await transaction<{ build: string }[]>`
      select postgres_schema as build from app.index_build
      where chain_id = ${chainId} and state = 'served'`
      const of = { transaction, folder, chainId, last: block.number }
      const result: Manifest = {
        format: 1,
        chainId,
        block,
        build: served?.build ?? null,
        version: packageFile.version,
        cacheVersion,
        createdAt: new Date().toISOString(),
        files: {
          blocks: await writeTable(of, 'blocks'),
          transactions: await writeTable(of, 'transactions'),
          logs: await writeTable(of, 'logs'),
          intervals: await writeTable(of, 'intervals'),
        },
      }
      return result
    },
  )
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(written, null, 2)}\n`)
  return written
}

async function makeFolder(folder: string) {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new SnapshotError(`the folder ${folder} cannot be made (${error.code}). Name a new one.`)
  })
}

/** The index is made from logs and blocks alone. A cache of more would be taken for complete without it. */
async function refuseUnknownParts(sql: TransactionSql, chainId: number) {
  const other = await findForeignInterval(sql, chainId)
  if (other)
    throw new SnapshotError(`the cache has something that a snapshot cannot hold: ${other}`)
}

type Source = { transaction: TransactionSql; folder: string; chainId: number; last: number }

async function writeTable(of: Source, table: SnapshotTable): Promise<Manifest['files']['logs']> {
  const { transaction, folder } = of
  const rows = rowsOf(of, table, await columnsOf(transaction, table))
  const path = pathOfTable(folder, table)
  let count = 0
  const copied = await transaction.unsafe(`copy (${rows}) to stdout`).readable()
  await pipeline(
    copied,
    async function* countRows(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        // COPY writes a line break in a value as two other characters.
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1
        yield chunk
        // The driver stops reading from Postgres when the stream is full, and does not always go on by itself.
        copied._read(0)
      }
    },
    createGzip({ level: constants.Z_BEST_SPEED }),
    createWriteStream(path),
  )
  return { rows: count, ...(await digest(path)) }
}

/** COPY takes no parameters; these are our own numbers and names. */
function rowsOf({ chainId, last }: Source, table: SnapshotTable, columns: string[]): string {
  const height = SNAPSHOT_TABLES[table]
  const from = `from ponder_sync.${table} where chain_id = ${chainId}`
  if (height !== null) return `select ${columns.join()} ${from} and ${height} <= ${last}`
  // Ponder writes the interval of blocks it has read as [from, to + 1], both ends included.
  const cut = `(select range_agg(numrange(lower(r), least(upper(r), ${last + 1}), '[]'))
    from unnest(blocks) r where lower(r) <= ${last})`
  const values = columns.map((column) => (column === 'blocks' ? `${cut} as blocks` : column))
  return `select * from (select ${values.join()} ${from}) cut where blocks is not null`
}
