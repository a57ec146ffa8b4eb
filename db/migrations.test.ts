import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Used twice before this test. Installations have run these migrations, so they keep their names. */
const USED_TWICE = ['0013', '0014']

test('error: two migrations with one number, which an installation with a later one would refuse', async () => {
  const names = (await readdir(join(import.meta.dirname, 'migrations'))).sort()
  const numbers = names.map((name) => name.slice(0, 4))
  expect(numbers.filter((number) => !/^\d{4}$/.test(number))).toEqual([])
  const again = numbers.filter((number, index) => numbers.indexOf(number) !== index)
  expect(again).toEqual(USED_TWICE)
})
