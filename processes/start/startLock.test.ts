import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeStartLock } from './startLock.ts'

test('error: a lock that cannot be written is not a running start', async () => {
  const missing = join(import.meta.dirname, 'none')
  await expect(takeStartLock(missing)).rejects.toMatchObject({ code: 'ENOENT' })
})
