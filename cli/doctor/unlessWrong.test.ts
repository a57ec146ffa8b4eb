import { expect, test } from 'vitest'
import { EnvironmentError } from '../../processes/configuration/environmentError.ts'
import { unlessWrong } from './unlessWrong.ts'

test('default', async () => {
  expect(await unlessWrong(Promise.resolve(1))).toBe(1)
})

test('behavior: wrong variables leave nothing to check', async () => {
  expect(await unlessWrong(Promise.reject(new EnvironmentError(['A: is not set'])))).toBeUndefined()
})

test('error: any other error is not hidden', async () => {
  await expect(unlessWrong(Promise.reject(new TypeError('a bug')))).rejects.toThrow(TypeError)
})
