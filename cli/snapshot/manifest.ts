import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

/** A snapshot cannot be made or used. The message names the reason. */
export class SnapshotError extends Error {
  override name = 'SnapshotError'
}

/** The tables of Ponder's cache that the index is made from, with the column of the block number. */
export const SNAPSHOT_TABLES = {
  blocks: 'number',
  transactions: 'block_number',
  logs: 'block_number',
  intervals: null,
} as const

export type SnapshotTable = keyof typeof SNAPSHOT_TABLES

export const TABLE_NAMES = Object.keys(SNAPSHOT_TABLES) as SnapshotTable[]

const count = z.number().int().nonnegative()
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)])
const file = z.object({ rows: count, bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) })

const manifest = z.object({
  format: z.literal(1),
  chainId: z.number().int().positive(),
  /** The last block of the snapshot, which the indexer took for finalized. */
  block: z.object({ number: count, hash, timestamp: count }),
  /** Which build was served when it was made; null without one. The cache does not depend on it. */
  build: z.string().nullable(),
  /** The version of Causeway. */
  version: z.string(),
  /** The newest migration of Ponder's cache. */
  cacheVersion: z.string(),
  createdAt: z.iso.datetime(),
  files: z.object({ blocks: file, transactions: file, logs: file, intervals: file }),
})

export type Manifest = z.infer<typeof manifest>

export const MANIFEST = 'manifest.json'

export function pathOfTable(folder: string, table: SnapshotTable): string {
  return join(folder, `${table}.copy.gz`)
}

/** Reads a snapshot's manifest, and compares every file with it. Throws `SnapshotError`. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SnapshotError(
      `${path} cannot be read (${error.code}). A snapshot that was not completed has none.`,
    )
  })
  const parsed = manifest.safeParse(parseJson(text))
  if (!parsed.success)
    throw new SnapshotError(
      `${path} is no manifest of a snapshot: ${z.prettifyError(parsed.error)}`,
    )
  for (const table of TABLE_NAMES) {
    const found = await digest(pathOfTable(folder, table))
    const { sha256, bytes } = parsed.data.files[table]
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new SnapshotError(
        `${pathOfTable(folder, table)} is damaged: it has ${found.bytes} bytes with the SHA-256 ${found.sha256}, the manifest names ${bytes} with ${sha256}. Copy it again.`,
      )
  }
  return parsed.data
}

/** The size and the SHA-256 of a file. Throws `SnapshotError` if it cannot be read. */
export async function digest(path: string): Promise<{ bytes: number; sha256: string }> {
  const sum = createHash('sha256')
  let bytes = 0
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      sum.update(chunk)
      bytes += chunk.length
    }
  }).catch((error: NodeJS.ErrnoException) => {
    throw new SnapshotError(`${path} cannot be read (${error.code}). Copy it again.`)
  })
  return { bytes, sha256: sum.digest('hex') }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
