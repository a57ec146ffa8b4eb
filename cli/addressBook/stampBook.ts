import { rename, rm, writeFile } from 'node:fs/promises'
import { type AddressBook, readBookValue } from '../../domain/addressBook/addressBook.ts'
import {
  type BookStamp,
  type BookValue,
  digestOf,
  stamped,
  whyUnverified,
} from '../../domain/addressBook/bookStamp.ts'
import { type ChainEndpoint, createChainClients } from '../../domain/chain/chainClients.ts'

/** The stamp cannot be written, and the book has none that holds. */
export class StampError extends Error {
  override name = 'StampError'
}

/** As an output, it stands for standard output. */
export const STDOUT = '-'

type Stamping = {
  path: string
  /** The file as it was verified. */
  value: BookValue
  blocks: BookStamp['blocks']
  /** Where the stamped book goes; by default into the same file. */
  out: string | undefined
  print: (text: string) => void
}

/** The newest block of each chain of the book. Throws `RPC_UNAVAILABLE`. */
export async function readNewestBlocks(
  book: AddressBook,
  endpoints: ChainEndpoint[],
  readTimeoutMs: number,
): Promise<BookStamp['blocks']> {
  const chains = createChainClients(endpoints, book, { readTimeoutMs })
  return Promise.all(
    book.chains.map(async ({ id: chainId }) => {
      const { number, hash } = await chains.read(chainId, (client) => client.getBlock())
      return { chainId, number: Number(number), hash }
    }),
  )
}

/** Writes a verified book with its stamp. Returns what it did, for people. Throws `StampError`. */
export async function stampBook({ path, value, blocks, out, print }: Stamping): Promise<string> {
  const text = `${JSON.stringify(stamped(value, blocks), null, 2)}\n`
  if (out === STDOUT) {
    print(text)
    return 'The stamped book is on standard output.'
  }
  const target = out ?? path
  if (out === undefined && digestOf((await readBookValue(path)) as BookValue) !== digestOf(value))
    throw new StampError(`${path} was changed while it was verified. Verify it again.`)
  try {
    await replaceFile(target, text)
    return `${target} has its stamp.`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (out === undefined && whyUnverified(value) === null)
      return `${path} keeps its stamp of ${value.verified?.at}: it cannot be written (${code}).`
    throw new StampError(
      `${target} cannot be written (${code}), so its stamp is missing. Give --out with another file, or - for standard output.`,
    )
  }
}

/** At once, so that a process that starts meanwhile reads either file. */
async function replaceFile(path: string, text: string) {
  const next = `${path}.${process.pid}.new`
  try {
    await writeFile(next, text)
    await rename(next, path)
  } catch (error) {
    await rm(next, { force: true }).catch(() => {}) // On a read-only disk, which the error names.
    throw error
  }
}
