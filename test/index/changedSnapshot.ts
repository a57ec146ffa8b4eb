import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  digest,
  type Manifest,
  pathOfTable,
  type SnapshotTable,
} from '../../cli/snapshot/manifest.ts'

/** Copies a snapshot, beside it, and changes the copy. Returns its folder. */
export async function changedSnapshot(
  snapshot: string,
  change: (copy: string) => Promise<void>,
): Promise<string> {
  const copy = await mkdtemp(`${snapshot}-copy-`)
  await cp(snapshot, copy, { recursive: true })
  await change(copy)
  return copy
}

/** Changes the rows of a file, and the manifest with them, as somebody would who wants to deceive. */
export function forge(table: SnapshotTable, change: (rows: string[]) => string[]) {
  return async (copy: string) => {
    const path = pathOfTable(copy, table)
    const rows = gunzipSync(await readFile(path))
      .toString()
      .split('\n')
      .slice(0, -1)
    const changed = change(rows)
    await writeFile(path, gzipSync(changed.map((row) => `${row}\n`).join('')))
    await changeManifest(copy, async (of) => {
      of.files[table] = { rows: changed.length, ...(await digest(path)) }
    })
  }
}

export async function changeManifest(copy: string, change: (of: Manifest) => void | Promise<void>) {
  const path = join(copy, 'manifest.json')
  const of = JSON.parse(await readFile(path, 'utf8'))
  await change(of)
  await writeFile(path, JSON.stringify(of))
}
