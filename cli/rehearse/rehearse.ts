import { createHash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RehearsalReport } from '../../domain/rehearsal/rehearsalReport.ts'
import { lines } from '../doctor/line.ts'
import { reasonOf } from '../doctor/reasonOf.ts'
import type { RehearsalOptions, Stage, StageResult } from './rehearsal.ts'
import { STAGES } from './stages.ts'

type Kept = { inputs: string; stages: Record<string, StageResult> }

type Running = {
  statePath?: string
  /** Whether what an earlier run has kept is forgotten. */
  isRestarted?: boolean
  onProgress?: (done: number, all: number, name: string) => void
  stages?: Stage[]
}

/** Runs every stage, and keeps each in `statePath` when it is done, so that the next run goes on after it. */
export async function rehearse(
  options: RehearsalOptions,
  { statePath, isRestarted = false, onProgress = () => {}, stages = STAGES }: Running = {},
): Promise<RehearsalReport> {
  const start = performance.now()
  const ranAt = new Date().toISOString()
  const counted = countCalls()
  const inputs = inputsOf(options)
  // Deleted and not only ignored: if this run keeps nothing, the next one would go on after the old run.
  if (statePath && isRestarted) await rm(statePath, { force: true })
  const known = statePath ? await readKept(statePath) : null
  const kept = known?.inputs === inputs ? known : { inputs, stages: {} }
  for (const [index, { name, run }] of stages.entries()) {
    onProgress(index, stages.length, name)
    if (kept.stages[name]) continue
    const result = await run(options).catch(
      (cause: unknown): StageResult => ({
        lines: lines(name).error(`could not be tried: ${reasonOf(cause)}`, 'Mend it, and go on.'),
      }),
    )
    kept.stages[name] = result
    // The next run tries a stage with errors again.
    const hasErrors = result.lines.some(({ level }) => level === 'error')
    if (statePath && !hasErrors) await writeKept(statePath, kept)
    if (hasErrors && name === 'nodes' && !hasAnswer(result)) break
  }
  onProgress(stages.length, stages.length, '')
  const results = stages.flatMap(({ name }) => kept.stages[name] ?? [])
  const use = results.flatMap((result) => result.use ?? [])
  const callsPerDay = use.reduce((sum, one) => sum + one.callsPerDay, 0)
  return {
    ranAt,
    chainIds: options.book.chains.map(({ id }) => id),
    blocks: options.blocks,
    lines: results.flatMap((result) => result.lines),
    calls: counted(),
    seconds: Math.round((performance.now() - start) / 1_000),
    use,
    callsPerDay,
    usdPerDay: (callsPerDay * options.callPrice) / 1e6,
  }
}

function hasAnswer({ lines: found }: StageResult): boolean {
  return found.some(({ check, level }) => level !== 'error' && check.startsWith('node of chain'))
}

const REQUESTS = 'undici:request:create'

/** Counts the HTTP requests of this process by host, until the returned function is called. */
function countCalls(): () => Record<string, number> {
  const calls: Record<string, number> = {}
  const count = (message: unknown) => {
    const { origin, method } = (message as { request: { origin: string; method: string } }).request
    if (method !== 'POST') return // Nodes are asked by POST.
    const { host } = new URL(origin)
    calls[host] = (calls[host] ?? 0) + 1
  }
  subscribe(REQUESTS, count)
  return () => {
    unsubscribe(REQUESTS, count)
    return calls
  }
}

/** Whatever changes the result. */
function inputsOf({ book, chainUrls, blocks, sample }: RehearsalOptions): string {
  const text = JSON.stringify([book, [...chainUrls], blocks, sample])
  return createHash('sha256').update(text).digest('hex')
}

/** The results of an earlier run. Null if there is none, or if the run ended while it wrote them. */
async function readKept(path: string): Promise<Kept | null> {
  if (!existsSync(path)) return null
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function writeKept(path: string, { inputs, stages }: Kept) {
  await mkdir(dirname(path), { recursive: true })
  const sound = Object.entries(stages).filter(([, { lines: found }]) =>
    found.every(({ level }) => level !== 'error'),
  )
  await writeFile(path, JSON.stringify({ inputs, stages: Object.fromEntries(sound) }))
}
