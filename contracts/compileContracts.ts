import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Abi, Hex } from 'viem'

type Artifact = { abi: Abi; bytecode: Hex; deployedBytecode: Hex }
export type Artifacts = Record<string, Artifact>

/** The message has every error of the Solidity compiler, unchanged. */
export class CompileError extends Error {
  override name = 'CompileError'
}

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<
    string,
    Record<
      string,
      { abi: Abi; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }
    >
  >
}
type Import = { contents: string } | { error: string }
type Solc = {
  compile(input: string, callbacks: { import(path: string): Import }): string
  version(): string
}

const SOLC_VERSION = '0.8.37'
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  // The metadata hash would change the bytecode with every comment.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
}

const LIBRARY = '@openzeppelin/contracts/'
const libraryRoot = dirname(createRequire(import.meta.url).resolve(`${LIBRARY}package.json`))

/**
 * Compiles every contract of a folder and its imports from OpenZeppelin, or returns the cached result for
 * the same sources and settings. Loads the compiler only if needed. Throws `CompileError`.
 */
export async function compileContracts(folder: string, cacheFolder: string): Promise<Artifacts> {
  const sources = await readSources(folder)
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const library = await readFile(join(libraryRoot, 'package.json'), 'utf8')
  const hash = createHash('sha256').update(SOLC_VERSION).update(library).update(input)
  const key = hash.digest('hex').slice(0, 16)
  const file = join(cacheFolder, `${key}.json`)
  const cached = await readCached(file)
  if (cached) return cached

  const artifacts = await compile(input)
  await mkdir(cacheFolder, { recursive: true })
  // Renamed when complete: another process may compile or read at the same time.
  const whole = `${file}.${randomUUID()}`
  await writeFile(whole, JSON.stringify(artifacts))
  await rename(whole, file)
  return artifacts
}

/** Null if there is no cached file, or a crash has damaged it. */
async function readCached(file: string): Promise<Artifacts | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Artifacts
  } catch {
    return null
  }
}

async function readSources(folder: string): Promise<Record<string, { content: string }>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sol')).sort()
  const entries = names.map(
    async (name): Promise<[string, { content: string }]> => [
      name,
      { content: await readFile(join(folder, name), 'utf8') },
    ],
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** The compiler has the folder's sources; other imports must be from OpenZeppelin. */
function readImport(path: string): Import {
  if (!path.startsWith(LIBRARY))
    return { error: `${path} is neither in the folder nor from OpenZeppelin` }
  return { contents: readFileSync(join(libraryRoot, path.slice(LIBRARY.length)), 'utf8') }
}

async function compile(input: string): Promise<Artifacts> {
  const { default: solc } = (await import('solc')) as { default: Solc }
  const output = JSON.parse(solc.compile(input, { import: readImport })) as SolcOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    throw new CompileError(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const compiled = Object.values(output.contracts ?? {}).flatMap((file) => Object.entries(file))
  return Object.fromEntries(
    compiled.map(([name, { abi, evm }]) => [
      name,
      {
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
      } satisfies Artifact,
    ]),
  )
}
