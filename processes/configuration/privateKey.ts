import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { z } from 'zod'
import { EnvironmentError } from './environmentError.ts'

/** The order of secp256k1 (SEC 2): a private key is a number from 1 to below it. */
const ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n

export const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, {
    error: 'expected a private key: 0x and 64 hex digits',
    abort: true,
  })
  .refine(
    (text) => BigInt(text) > 0n && BigInt(text) < ORDER,
    'is no private key: expected a number from 1 to below the order of secp256k1',
  )
  .transform((text) => text as Hex)

type KeyName = 'QUOTE_SIGNER_PRIVATE_KEY' | 'SMART_DEPOSIT_KEEPER_PRIVATE_KEY'

/**
 * The private key in the variable `name`, or in the file that `<name>_FILE` names; null if neither is set.
 * Throws `EnvironmentError`, which never repeats a key.
 */
export async function loadPrivateKey(
  name: KeyName,
  source: NodeJS.ProcessEnv,
): Promise<Hex | null> {
  const { [name]: given, [`${name}_FILE`]: file } = source
  if (given && file)
    throw new EnvironmentError([`${name}: is set, and so is ${name}_FILE. Set only one of them.`])
  if (file) return parseKey(`${name}_FILE`, await readKey(`${name}_FILE`, file), ` (${file})`)
  return given ? parseKey(name, given) : null
}

async function readKey(variable: string, file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new EnvironmentError([
      `${variable}: cannot be read (${code}): ${file}. Name a file that this user may read.`,
    ])
  })
  return text.trim()
}

function parseKey(variable: string, text: string, place = ''): Hex {
  const { data, error } = privateKey.safeParse(text)
  if (data) return data
  throw new EnvironmentError([`${variable}: ${error?.issues[0]?.message}${place}`])
}
