import { join } from 'node:path'

/** The entry of the image: its first argument names what runs in this container, all others are given to that. */
const FILES: Record<string, string> = {
  indexer: 'processes/indexer.ts',
  api: 'processes/api.ts',
  worker: 'processes/worker.ts',
  migrate: 'cli/migrate.ts',
  admin: 'cli/admin.ts',
  'address-book': 'cli/addressBook.ts',
  doctor: 'cli/doctor.ts',
}

const [role = '', ...rest] = process.argv.slice(2)
const file = FILES[role]
if (file) {
  const path = join(import.meta.dirname, '../..', file)
  process.argv = [process.execPath, path, ...rest]
  await import(path)
} else {
  process.stderr.write(`Name what to run: ${Object.keys(FILES).join(', ')}.\n`)
  process.exitCode = 2
}
