import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunFacts } from './runFacts.ts'

const PAGE = join(import.meta.dirname, '../docs/performance.md')
const [BEGIN, END] = ['<!-- figures: begin -->', '<!-- figures: end -->']
/** Above this load the machine did other work. */
const QUIET_LOAD = 0.5

/** Replaces the figures of docs/performance.md. */
export async function writePerformance(run: RunFacts & { seconds: number }, tables: string) {
  const page = await readFile(PAGE, 'utf8')
  const [before, rest = ''] = page.split(BEGIN)
  const after = rest.split(END)[1]
  if (after === undefined) throw new Error(`docs/performance.md has no ${BEGIN} and ${END}`)
  await writeFile(PAGE, `${before}${BEGIN}\n\n${introduction(run)}\n\n${tables}\n\n${END}${after}`)
}

function introduction({
  startedAt,
  seconds,
  commit,
  isChanged,
  machine,
  versions,
  command,
}: RunFacts & { seconds: number }) {
  const { cpu, cores, memoryGb, load } = machine
  const state = load <= QUIET_LOAD ? 'quiet' : '**loaded**: other work ran on it'
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `Measured ${startedAt.slice(0, 10)} at commit ${commit}${isChanged ? ' with changes' : ''}, in ${seconds} s, with
\`${['npm run bench --', ...command].join(' ')}\`. Machine: ${cores} cores (${cpu}), ${memoryGb} GB, ${state} (load ${load} before).
Versions: ${used.join(', ')}.`
}
