import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunFacts } from './runFacts.ts'

const PAGE = join(import.meta.dirname, '../docs/performance.md')
/** Above this load the machine did other work. */
const QUIET_LOAD = 0.5

type MeasuredRun = RunFacts & { seconds: number }
/** `place` is the name in the page's comments; `program` is what was run, before its arguments. */
type Written = {
  place: 'figures' | 'sizes' | 'idle' | 'settlements'
  program: string
  tables: string
}

/** Replaces a part of docs/performance.md. */
export async function writePerformance(run: MeasuredRun, { place, program, tables }: Written) {
  const [begin, end] = [`<!-- ${place}: begin -->`, `<!-- ${place}: end -->`]
  const page = await readFile(PAGE, 'utf8')
  const [before, rest = ''] = page.split(begin)
  const after = rest.split(end)[1]
  if (after === undefined) throw new Error(`docs/performance.md has no ${begin} and ${end}`)
  const text = `${introduction(run, program)}\n\n${tables}`
  await writeFile(PAGE, `${before}${begin}\n\n${text}\n\n${end}${after}`)
}

function introduction(
  { startedAt, seconds, commit, isChanged, machine, versions, command }: MeasuredRun,
  program: string,
) {
  const { cpu, cores, memoryGb, load } = machine
  const state = load <= QUIET_LOAD ? 'quiet' : '**loaded**: other work ran on it'
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `Measured ${startedAt.slice(0, 10)} at commit ${commit}${isChanged ? ' with changes' : ''}, in ${seconds} s, with
\`${[program, ...command].join(' ')}\`. Machine: ${cores} cores (${cpu}), ${memoryGb} GB, ${state} (load ${load} before).
Versions: ${used.join(', ')}.`
}
