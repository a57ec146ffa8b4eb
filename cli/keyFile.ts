import { readFile } from 'node:fs/promises'
import { type Hex, isHex } from 'viem'

/** The file has no key, or cannot be read. */
export class KeyFileError extends Error {
  override name = 'KeyFileError'
}

const KEY_LENGTH = 66

/** The private key in a file. Throws `KeyFileError`. */
export async function readKeyFile(path: string): Promise<Hex> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new KeyFileError(`${path} cannot be read`)
  })
  const key = text.trim()
  if (isHex(key) && key.length === KEY_LENGTH) return key
  throw new KeyFileError(`${path} has no private key: expected 0x and 64 hex characters`)
}
