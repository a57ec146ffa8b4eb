import { join } from 'node:path'
import { AnvilError } from '../devnet/anvil.ts'
import { EmbeddedPostgresError } from '../devnet/embeddedPostgresError.ts'
import { AddressBookError } from '../domain/addressBook/addressBook.ts'
import { findDataDirectory } from './dataDirectory.ts'
import { EnvironmentError, loadStartEnvironment } from './environment.ts'
import { PortTakenError } from './start/ports.ts'
import { runProduct } from './start/product.ts'
import { AlreadyRunningError } from './start/startLock.ts'
import { NotUpError } from './start/untilUp.ts'

/** `npm start`: the whole product on this machine, each part replaced where the environment names a real one. */
const root = join(import.meta.dirname, '..')
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Failures that the user can mend: their message says how, a stack would only hide it. */
const plainErrors = [
  AddressBookError,
  AlreadyRunningError,
  AnvilError,
  EmbeddedPostgresError,
  EnvironmentError,
  NotUpError,
  PortTakenError,
]

// Whoever read the output may be gone, as in `npm start | head` or a closed terminal.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => stopping.abort())

try {
  const environment = loadStartEnvironment(process.env)
  const cause = await runProduct({
    root,
    dataDirectory: findDataDirectory(process.env),
    environment,
    source: process.env,
    print,
    signal: stopping.signal,
  })
  if (cause) print(`Stopped, since this ended: ${cause}`)
  process.exit(cause ? 1 : 0)
} catch (error) {
  const isPlain = plainErrors.some((kind) => error instanceof kind)
  process.stderr.write(`${isPlain ? (error as Error).message : (error as Error).stack}\n`)
  process.exit(1)
}
