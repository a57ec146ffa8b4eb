import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('error: two migrations with one number, which an installation with a later one would refuse', async () => {
  const names = await readdir(join(import.meta.dirname, 'migrations'))
  const numbers = names.map((name) => name.slice(0, 4))
  expect(numbers.filter((number) => !/^\d{4}$/.test(number))).toEqual([])
  expect(new Set(numbers).size).toBe(numbers.length)
})
