import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readIfPresent } from './readIfPresent.ts'

test('default: a file that is not there is null', async () => {
  expect(await readIfPresent(import.meta.filename)).toContain("test('default")
  expect(await readIfPresent(join(import.meta.dirname, 'none'))).toBeNull()
})

test('error: a file that cannot be read is not a missing one', async () => {
  await expect(readIfPresent(import.meta.dirname)).rejects.toMatchObject({ code: 'EISDIR' })
})
