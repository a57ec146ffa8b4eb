import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPrivateKey } from './privateKey.ts'

const NAME = 'QUOTE_SIGNER_PRIVATE_KEY'
const key = `0x${'a1'.repeat(32)}`
const load = (variables: Record<string, string>) => loadPrivateKey(NAME, variables)

describe('loadPrivateKey', () => {
  test('default: from the variable, from a file, or none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-key-'))
    const file = join(folder, 'key')
    await writeFile(file, `${key}\n`)
    expect(await load({ [NAME]: key })).toBe(key)
    expect(await load({ [`${NAME}_FILE`]: file })).toBe(key)
    expect(await load({})).toBeNull()
    await writeFile(file, key.slice(2))
    await expect(load({ [`${NAME}_FILE`]: file })).rejects.toThrow(
      `${NAME}_FILE: expected a private key: 0x and 64 hex digits (${file})`,
    )
    await rm(folder, { recursive: true })
    await expect(load({ [`${NAME}_FILE`]: file })).rejects.toThrow('cannot be read (ENOENT)')
  })

  test('error: both the variable and the file', async () => {
    await expect(load({ [NAME]: key, [`${NAME}_FILE`]: 'key' })).rejects.toThrow('Set only one')
  })

  test.each([
    ['a digit too few', key.slice(0, -1)],
    ['zero', `0x${'0'.repeat(64)}`],
    [
      'the order of the curve',
      '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
    ],
  ])('error: %s, which the message does not repeat', async (_, wrong) => {
    const failure = await load({ [NAME]: wrong }).catch((error: Error) => error.message)
    expect(failure).toMatch(/QUOTE_SIGNER_PRIVATE_KEY: (expected|is no) /)
    expect(failure).not.toContain(wrong)
  })
})
