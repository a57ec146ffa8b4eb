import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CompileError, compileContracts } from './compileContracts.ts'

const HEAD = '// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.37;\n'
const COUNTER = `${HEAD}contract Counter { uint256 public count; }\n`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-contracts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('compileContracts', () => {
  test('default: every contract of the folder, the same from the cache', async () => {
    const { sources, cache } = await folders('default', {
      'Counter.sol': COUNTER,
      'Twice.sol': `${HEAD}import {Counter} from "./Counter.sol";\ncontract Twice is Counter {}\n`,
    })
    const compiled = await compileContracts(sources, cache)
    expect(Object.keys(compiled).sort()).toEqual(['Counter', 'Twice'])
    expect(compiled.Counter?.bytecode).toMatch(/^0x[0-9a-f]{40,}$/)
    expect(compiled.Counter?.abi).toMatchObject([{ type: 'function', name: 'count' }])
    expect(await readdir(cache)).toHaveLength(1)
    expect(await compileContracts(sources, cache)).toEqual(compiled)
  })

  test('behavior: from the cache, the compiler is not loaded', async () => {
    const { sources, cache } = await folders('cached', { 'Counter.sol': COUNTER })
    await compileContracts(sources, cache)
    expect(await loadsCompiler(sources, cache)).toBe(false)
    await writeFile(join(sources, 'Counter.sol'), COUNTER.replace('count;', 'total;'))
    expect(await loadsCompiler(sources, cache)).toBe(true)
  })

  test('behavior: a damaged cache file is compiled anew', async () => {
    const { sources, cache } = await folders('damaged', { 'Counter.sol': COUNTER })
    const compiled = await compileContracts(sources, cache)
    const [name] = await readdir(cache)
    await writeFile(join(cache, name ?? ''), '{"Counter":')
    expect(await compileContracts(sources, cache)).toEqual(compiled)
    expect(await readdir(cache)).toEqual([name])
  })

  test('behavior: several at once', async () => {
    const { sources, cache } = await folders('together', { 'Counter.sol': COUNTER })
    const [first, second] = await Promise.all([
      compileContracts(sources, cache),
      compileContracts(sources, cache),
    ])
    expect(first).toEqual(second)
    expect(await readdir(cache)).toHaveLength(1)
  })

  test('error: what the compiler refuses, by file and line; nothing is cached', async () => {
    const { sources, cache } = await folders('broken', {
      'Counter.sol': COUNTER.replace('count;', 'count'),
      'Other.sol': `${HEAD}contract Other { Missing public missing; }\n`,
    })
    const failure = compileContracts(sources, cache)
    await expect(failure).rejects.toThrow(CompileError)
    await expect(failure).rejects.toThrow(/Counter\.sol:3:/)
    await expect(readdir(cache)).rejects.toThrow('ENOENT')
  })
})

async function folders(name: string, files: Record<string, string>) {
  const sources = join(folder, name, 'sources')
  await mkdir(sources, { recursive: true })
  for (const [file, content] of Object.entries(files)) await writeFile(join(sources, file), content)
  return { sources, cache: join(folder, name, 'cache') }
}

/** Asked of a process of its own: in this one the compiler is loaded already. */
async function loadsCompiler(sources: string, cache: string): Promise<boolean> {
  const module = JSON.stringify(join(import.meta.dirname, 'compileContracts.ts'))
  const script = `
    import { createRequire } from 'node:module'
    const { compileContracts } = await import(${module})
    await compileContracts(${JSON.stringify(sources)}, ${JSON.stringify(cache)})
    const loaded = Object.keys(createRequire(${module}).cache)
    process.stdout.write(String(loaded.some((path) => path.includes('/solc/'))))
  `
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ])
  return stdout === 'true'
}
