import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import packageFile from '../../package.json' with { type: 'json' }
import { type DocumentedBlock, documentedBlocks } from '../support/documentedCommand.ts'
import { freePorts } from '../support/freePorts.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const scripts: Record<string, string> = packageFile.scripts
/** The ports that the pages name. */
const PORTS = ['4000', '9464', '9465', '9466', '9467', '9468']

export type StartedCommand = { output(): string; stop(): Promise<void> }

/** An operator who copies the commands of the pages into a shell, in the directory of an installation. */
export type OperatorShell = {
  /** By default the api's. */
  url: string
  /** Writes a file into the directory. */
  write(name: string, text: string): Promise<void>
  /** Runs the next block that begins so, to its end, and returns what it prints. What it exports stays. */
  run(beginning: string, variables?: Record<string, string>): Promise<string>
  /** Starts the process of a block that does not end. */
  start(beginning: string): Promise<StartedCommand>
  /** The blocks that were not run. */
  undone(): DocumentedBlock[]
  /** Stops what was started and deletes the directory. */
  close(): Promise<void>
}

/** The directory has the files of this project. `variables` are those of the machine, such as `PATH`. */
export async function openOperatorShell(variables: Record<string, string>): Promise<OperatorShell> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-operator-'))
  // .causeway and .git are no part of an installation.
  for (const name of await readdir(ROOT))
    if (!name.startsWith('.')) await symlink(join(ROOT, name), join(folder, name))
  const free = await freePorts(PORTS.length)
  const portOf = new Map(PORTS.map((port, index) => [port, String(free[index])]))
  const blocks = await documentedBlocks()
  const undone = new Set(blocks)
  const exported: string[] = []
  const children: ChildProcess[] = []
  const cache = `NODE_COMPILE_CACHE=${variables.NODE_COMPILE_CACHE ?? ''}`

  function take(beginning: string): string {
    const found = blocks.filter(({ text }) => text.startsWith(beginning))
    const block = found.find((candidate) => undone.has(candidate)) ?? found[0]
    if (!block) throw new Error(`no page for operators has a command that begins ${beginning}`)
    undone.delete(block)
    // npm itself takes longer than most of these commands; without the cache a start compiles everything anew.
    return block.text
      .replaceAll(/\b\d{4}\b/g, (number) => portOf.get(number) ?? number)
      .replaceAll('env -i ', `env -i ${cache} `)
      .replaceAll(/npm run ([\w-]+)(?: --)?/g, (_, name: string) => scriptOf(name))
  }

  function scriptOf(name: string): string {
    const script = scripts[name]
    if (!script) throw new Error(`package.json has no script ${name}`)
    return script
  }

  async function stop(child: ChildProcess) {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }

  return {
    url: `http://127.0.0.1:${portOf.get('4000')}`,
    write: (name, text) => writeFile(join(folder, name), text),
    async run(beginning, further = {}) {
      const text = take(beginning)
      if (text.startsWith('export ')) exported.push(text)
      const { stdout } = await promisify(execFile)(
        'bash',
        ['-eo', 'pipefail', '-c', [...exported, text].join('\n')],
        { cwd: folder, env: { ...variables, ...further } },
      ).catch((error: { stdout: string; stderr: string }) => {
        throw new Error(`${text}\n${error.stdout}\n${error.stderr}`)
      })
      return stdout
    },
    async start(beginning) {
      const child = spawn('bash', ['-ec', `exec ${take(beginning)}`], {
        cwd: folder,
        env: variables,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      children.push(child)
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => {
          output += String(data)
        })
      return { output: () => output, stop: () => stop(child) }
    },
    undone: () => [...undone],
    async close() {
      await Promise.all(children.map(stop))
      await rm(folder, { recursive: true })
    },
  }
}
