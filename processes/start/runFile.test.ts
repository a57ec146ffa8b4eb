import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunFile, readRunFile, removeRunFile, writeRunFile } from './runFile.ts'

const run: RunFile = {
  apiUrl: 'http://127.0.0.1:4000',
  consoleUrl: 'http://127.0.0.1:4000/console',
  graphqlUrl: 'http://127.0.0.1:4000/graphql',
  apiKey: 'key',
  rpcUrls: { 1: 'http://127.0.0.1:8545' },
  databaseUrl: 'postgres://127.0.0.1/postgres',
  addressBook: '/book.json',
  shield: null,
  accounts: [],
  devnetCommand: ['node', 'cli/devnet.ts'],
  pids: { start: 1 },
}

describe('writeRunFile', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-run-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('default', async () => {
    writeRunFile(folder, run)
    expect(await readRunFile(folder)).toEqual(run)
    expect((await stat(join(folder, 'run.json'))).mode & 0o777).toBe(0o600)
    await removeRunFile(folder)
    expect(await readRunFile(folder)).toBe(null)
  })

  test('behavior: replaces a file that was open to others', async () => {
    await writeFile(join(folder, 'run.json'), '{}', { mode: 0o644 })
    expect(await readRunFile(folder)).toBe(null)
    writeRunFile(folder, run)
    expect((await stat(join(folder, 'run.json'))).mode & 0o777).toBe(0o600)
  })
})
