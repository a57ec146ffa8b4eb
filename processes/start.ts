import { join } from 'node:path'
import { AnvilError } from '../devnet/anvil.ts'
import { EmbeddedPostgresError } from '../devnet/embeddedPostgresError.ts'
import { AddressBookError } from '../domain/addressBook/addressBook.ts'
import { EnvironmentError } from './configuration/environmentError.ts'
import { findDataDirectory } from './dataDirectory.ts'
import { readForks, withForks } from './start/forks.ts'
import { runProduct } from './start/product.ts'
import { loadStartConfiguration } from './start/startConfiguration.ts'
import { AlreadyRunningError } from './start/startLock.ts'
import { NotReadyError } from './start/untilReady.ts'

/** `npm start`: runs the whole product on this machine. Variables replace local parts by real ones. */
const root = join(import.meta.dirname, '..')
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Failures that the user can correct. Their message is enough, so no stack is printed. */
const userErrors = [
  AddressBookError,
  AlreadyRunningError,
  AnvilError,
  EmbeddedPostgresError,
  EnvironmentError,
  NotReadyError,
]

// The reader of the output may have ended, as in `npm start | head` or a closed terminal.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => stopping.abort())

try {
  const forks = readForks(process.argv.slice(2), process.env)
  const source = withForks(process.env, forks)
  const configuration = await loadStartConfiguration(source)
  const cause = await runProduct({
    root,
    dataDirectory: findDataDirectory(source),
    ...configuration,
    forks,
    print,
    signal: stopping.signal,
  })
  if (cause) print(`Stopped, because a required part ended: ${cause}`)
  process.exit(cause ? 1 : 0)
} catch (error) {
  const isUserError = userErrors.some((kind) => error instanceof kind)
  process.stderr.write(`${isUserError ? (error as Error).message : (error as Error).stack}\n`)
  process.exit(1)
}
