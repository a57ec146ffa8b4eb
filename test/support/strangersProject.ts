import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** A folder like the project of somebody who has only what the server serves. */
export type StrangersProject = {
  folder: string
  write(name: string, text: string): Promise<void>
  /** The complaints of the strictest type check of these files; empty if there is none. */
  check(...names: string[]): Promise<string>
  /** Runs a file, and resolves to what it prints. */
  run(name: string, variables?: Record<string, string>): Promise<string>
  /** Starts a file that runs until it is stopped. */
  start(name: string, variables?: Record<string, string>): StrangersProcess
  [Symbol.asyncDispose](): Promise<void>
}

export type StrangersProcess = {
  /** The text that it has printed until now. */
  output(): string
  /** Asks it to stop. Resolves to its exit code, which is null if the signal itself ended it. */
  end(): Promise<number | null>
}

/** Below the repository's root, so that packages are found. */
export async function createStrangersProject(): Promise<StrangersProject> {
  const parent = join(root, '.causeway')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'stranger-'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    // More checkers would each make the types of viem again.
    '--checkers',
    '1',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
  ]
  const exact = ['--erasableSyntaxOnly', '--allowImportingTsExtensions', '--types', 'node']
  return {
    folder,
    write: (name, text) => writeFile(join(folder, name), text),
    check: (...names) =>
      run(join(root, 'node_modules/.bin/tsc'), [...options, ...exact, ...names], {
        cwd: folder,
      }).then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      ),
    run: async (name, variables = {}) => {
      const env = { ...process.env, ...variables }
      return (await run(process.execPath, [name], { cwd: folder, env })).stdout
    },
    start(name, variables = {}) {
      const env = { ...process.env, ...variables }
      const child = spawn(process.execPath, [name], { cwd: folder, env })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => {
          output += String(data)
        })
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      return {
        output: () => output,
        end() {
          child.kill()
          return ended
        },
      }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
