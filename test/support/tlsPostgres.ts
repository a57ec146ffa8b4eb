import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unprivilegedAccount } from '../../devnet/postgresBinaries.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const run = promisify(execFile)
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

export type TlsPostgres = {
  /** At `localhost`, the name in the server's certificate. */
  url: string
  /** The file of the CA that signed the server's certificate. */
  rootFile: string
  /** The file of a CA that did not. */
  otherRootFile: string
  stop(): Promise<void>
}

/** A Postgres that offers TLS, with a certificate of its own CA. Needs the command `openssl`. */
export async function startTlsPostgres(): Promise<TlsPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-tls-'))
  await chmod(folder, 0o755)
  const [rootFile = '', otherRootFile = ''] = await Promise.all(
    ['root', 'other'].map((name) => createRoot(folder, name)),
  )
  const [certificate, key] = await createServerCertificate(folder, rootFile)
  const { url, stop } = await startTemporaryPostgres({
    settings: { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key },
  })
  return {
    url: url.replace('127.0.0.1', 'localhost'),
    rootFile,
    otherRootFile,
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function createRoot(folder: string, name: string): Promise<string> {
  const file = join(folder, `${name}.crt`)
  const subject = ['-subj', `/CN=${name}`, '-days', '2']
  const files = ['-keyout', join(folder, `${name}.key`), '-out', file]
  await run('openssl', ['req', '-x509', ...KEY, ...subject, ...files])
  return file
}

async function createServerCertificate(folder: string, rootFile: string) {
  const inFolder = (name: string) => join(folder, name)
  const key = inFolder('server.key')
  const request = ['-subj', '/CN=localhost', '-keyout', key, '-out', inFolder('server.csr')]
  await run('openssl', ['req', ...KEY, ...request])
  await writeFile(inFolder('names'), 'subjectAltName=DNS:localhost')
  const certificate = inFolder('server.crt')
  const signer = ['-CA', rootFile, '-CAkey', inFolder('root.key'), '-CAcreateserial', '-days', '2']
  const files = ['-in', inFolder('server.csr'), '-extfile', inFolder('names'), '-out', certificate]
  await run('openssl', ['x509', '-req', ...signer, ...files])
  // Postgres takes only a key that no other account can read.
  await chmod(key, 0o600)
  const { uid, gid } = await unprivilegedAccount()
  if (uid !== undefined) await chown(key, uid, gid)
  return [certificate, key] as const
}
