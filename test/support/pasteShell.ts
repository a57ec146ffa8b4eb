import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { devnetUserKeys } from '../../devnet/accounts.ts'
import { keyOf } from './ask.ts'
import type { TestProduct } from './product.ts'

const root = join(import.meta.dirname, '../..')

/** The `sh` blocks of a page of docs/, in its order. */
export async function shellBlocks(page: string): Promise<string[]> {
  return shellBlocksOf(await readFile(join(root, 'docs', page), 'utf8'))
}

/** The `sh` blocks of a text. */
export function shellBlocksOf(text: string): string[] {
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block?.trimEnd() ?? '')
}

/**
 * Runs commands in a shell, as if `npm start` had started this product; returns what they print. A stream
 * ends after two seconds. Rejects if a command fails or an answer is an error.
 */
export async function pasteShell(
  { url, world }: Pick<TestProduct, 'url' | 'world'>,
  commands: string,
): Promise<string> {
  // Below the repository's root, so that packages are found.
  const parent = join(root, '.causeway')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'pasted-'))
  await mkdir(join(folder, '.causeway'))
  await writeFile(
    join(folder, '.causeway/run.json'),
    JSON.stringify({
      apiUrl: url,
      apiKey: keyOf(url),
      rpcUrls: world.rpcUrls,
      accounts: devnetUserKeys(),
    }),
  )
  const script = commands
    .replaceAll('http://127.0.0.1:4000', url)
    .replaceAll('localhost:4000', new URL(url).host)
    .replaceAll(/curl -s -N (.+?\}'$)/gms, 'curl -s -N -m 2 $1 || [ $? = 28 ]')
    .replaceAll(/curl -s(?= )/g, 'curl -s --fail-with-body')
  try {
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: folder,
    })
    return stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}
