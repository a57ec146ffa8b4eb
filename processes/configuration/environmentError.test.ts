import { expect, test } from 'vitest'
import { EnvironmentError, together } from './environmentError.ts'

const failing = async (...problems: string[]): Promise<never> => {
  throw new EnvironmentError(problems)
}

test('default', async () => {
  expect(await together([Promise.resolve(1), null])).toEqual([1, null])
})

test('error: the problems of all parts, each once', async () => {
  const all = together([failing('A: is wrong'), 1, failing('B: is wrong', 'A: is wrong')])
  await expect(all).rejects.toThrow(/explains each\):\n {2}A: is wrong\n {2}B: is wrong$/)
})

test('error: another error comes first', async () => {
  const broken = Promise.reject(new TypeError('a bug'))
  await expect(together([failing('A: is wrong'), broken])).rejects.toThrow(TypeError)
})
