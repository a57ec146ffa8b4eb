import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
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
  // Without opcodes that some chains lack: what is paid to an address is stuck where its factory cannot be created.
  evmVersion: 'paris',
  // The metadata hash would change the bytecode with every comment.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
}

const LIBRARY = '@openzeppelin/contracts/'
const libraryRoot = dirname(createRequire(import.meta.url).resolve(`${LIBRARY}package.json`))

/** In the folder of its sources, and committed: the compiler takes half a minute on a slow machine. */
export const COMPILED_FILE = 'compiled.json'
type Compiled = { key: string; artifacts: Artifacts }

/**
 * The contracts of a folder, from its `compiled.json` if that is of the same sources and settings. Else it
 * compiles them with their imports from OpenZeppelin, and writes the file. Throws `CompileError`.
 */
export async function compileContracts(folder: string): Promise<Artifacts> {
  const input = await compilerInput(folder)
  const file = join(folder, COMPILED_FILE)
  const present = await readCompiled(file)
  if (present?.key === input.key) return present.artifacts

  const text = await compiledText(input)
  // Renamed when complete: another process may compile or read at the same time.
  const whole = `${file}.${randomUUID()}`
  await writeFile(whole, text)
  await rename(whole, file)
  return (JSON.parse(text) as Compiled).artifacts
}

/** What `compiled.json` of a folder has to be, made by the compiler whatever the file is now. */
export async function compileAnew(folder: string): Promise<string> {
  return compiledText(await compilerInput(folder))
}

/** A contract of the compiled ones. Throws if there is none of this name. */
export function artifactOf(artifacts: Artifacts, name: string): Artifact {
  const found = artifacts[name]
  if (!found) throw new Error(`Invariant(artifactOf): no contract ${name} was compiled`)
  return found
}

type CompilerInput = { key: string; json: string }

async function compilerInput(folder: string): Promise<CompilerInput> {
  const sources = await readSources(folder)
  const json = JSON.stringify({ language: 'Solidity', sources, settings })
  const library = await readFile(join(libraryRoot, 'package.json'), 'utf8')
  const hash = createHash('sha256').update(SOLC_VERSION).update(library).update(json)
  return { key: hash.digest('hex').slice(0, 16), json }
}

/** A line per contract, so that a change shows which it is. */
async function compiledText({ key, json }: CompilerInput): Promise<string> {
  const artifacts = Object.entries(await compile(json)).map(
    ([name, artifact]) => `${JSON.stringify(name)}: ${JSON.stringify(artifact)}`,
  )
  return `{"key": "${key}", "artifacts": {\n${artifacts.join(',\n')}\n}}\n`
}

/** Null if there is no file, or a crash has damaged it. */
async function readCompiled(file: string): Promise<Compiled | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Compiled
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
