import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMPILED_FILE, CompileError, compileAnew, compileContracts } from './compileContracts.ts'

const HEAD = '// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.37;\n'
const COUNTER = `${HEAD}contract Counter { uint256 public count; }\n`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-contracts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('compileContracts', () => {
  test('default: every contract of the folder, the same from the file', async () => {
    const sources = await folderWith('default', {
      'Counter.sol': COUNTER,
      'Twice.sol': `${HEAD}import {Counter} from "./Counter.sol";\ncontract Twice is Counter {}\n`,
    })
    const compiled = await compileContracts(sources)
    expect(Object.keys(compiled).sort()).toEqual(['Counter', 'Twice'])
    expect(compiled.Counter?.bytecode).toMatch(/^0x[0-9a-f]{40,}$/)
    expect(compiled.Counter?.abi).toMatchObject([{ type: 'function', name: 'count' }])
    expect(await compileAnew(sources)).toBe(await readFile(join(sources, COMPILED_FILE), 'utf8'))
    expect(await compileContracts(sources)).toEqual(compiled)
  })

  test('behavior: from the file, the compiler is not loaded', async () => {
    const sources = await folderWith('cached', { 'Counter.sol': COUNTER })
    await compileContracts(sources)
    expect(await loadsCompiler(sources)).toBe(false)
    await writeFile(join(sources, 'Counter.sol'), COUNTER.replace('count;', 'total;'))
    expect(await loadsCompiler(sources)).toBe(true)
  })

  test('behavior: a damaged file is compiled anew', async () => {
    const sources = await folderWith('damaged', { 'Counter.sol': COUNTER })
    const compiled = await compileContracts(sources)
    await writeFile(join(sources, COMPILED_FILE), '{"key": "')
    expect(await compileContracts(sources)).toEqual(compiled)
    expect(await loadsCompiler(sources)).toBe(false)
  })

  test('behavior: several at once', async () => {
    const sources = await folderWith('together', { 'Counter.sol': COUNTER })
    const [first, second] = await Promise.all([
      compileContracts(sources),
      compileContracts(sources),
    ])
    expect(first).toEqual(second)
    expect((await readdir(sources)).sort()).toEqual(['Counter.sol', COMPILED_FILE])
  })

  test('error: what the compiler refuses, by file and line; nothing is written', async () => {
    const sources = await folderWith('broken', {
      'Counter.sol': COUNTER.replace('count;', 'count'),
      'Other.sol': `${HEAD}contract Other { Missing public missing; }\n`,
    })
    const failure = compileContracts(sources)
    await expect(failure).rejects.toThrow(CompileError)
    await expect(failure).rejects.toThrow(/Counter\.sol:3:/)
    expect((await readdir(sources)).sort()).toEqual(['Counter.sol', 'Other.sol'])
  })
})

async function folderWith(name: string, files: Record<string, string>): Promise<string> {
  const sources = join(folder, name)
  await mkdir(sources, { recursive: true })
  for (const [file, content] of Object.entries(files)) await writeFile(join(sources, file), content)
  return sources
}

/** Asked of a process of its own: in this one the compiler is loaded already. */
async function loadsCompiler(sources: string): Promise<boolean> {
  const module = JSON.stringify(join(import.meta.dirname, 'compileContracts.ts'))
  const script = `
    import { createRequire } from 'node:module'
    const { compileContracts } = await import(${module})
    await compileContracts(${JSON.stringify(sources)})
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
