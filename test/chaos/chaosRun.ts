import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../support/seededRandom.ts'
import { type AnswerTally, startAnswerCheck } from './answerCheck.ts'
import { startCallers } from './callers.ts'
import { startChainTraffic } from './chainTraffic.ts'
import { DEPLOY_FAULT } from './deployFault.ts'
import { registerOverApi } from './depositPlaces.ts'
import type { ChaosScene, FaultKind } from './faultKind.ts'
import { fullDisk, mountSmall, unmount } from './fullDisk.ts'
import { type Installation, keepOutput, startInstallation } from './installation.ts'
import { KILL_FAULTS } from './killFaults.ts'
import { MACHINE_FAULTS } from './machineFaults.ts'
import { OUTER_FAULTS } from './outerFaults.ts'
import { nameRound, playRound } from './playRound.ts'
import { type ProcessStats, readProcessStats } from './processStats.ts'
import { compareQuiet, type QuietTally } from './quiescence.ts'
import { startReceivers } from './receivers.ts'
import { readHeads, untilRight } from './recovery.ts'
import { drawRounds } from './rounds.ts'

export type ChaosOptions = {
  seed: number
  minutes: number
  /** The least number of faults. */
  faults: number
  /** The least number of journeys; with some, the traffic consists of them. */
  journeys: number
  /** Only kinds whose names contain one of these; all if it is empty. */
  kinds: string[]
  print(line: string): void
}

export type FaultReport = { kind: string; detail: string; backMs: number }

export type ChaosReport = {
  seed: number
  faults: FaultReport[]
  /** Kinds that could not be tried, and why. */
  missing: string[]
  answers: AnswerTally
  orders: number
  statuses: Record<number, number>
  quiet: QuietTally
  /** Before the first fault, and at the end. */
  processes: { before: ProcessStats[]; after: ProcessStats[] }
  ownEnds: number
  differences: string[]
}

const MINUTE_MS = 60_000
const WARM_UP_MS = 5_000

/** One seed: traffic, calls and faults over a whole product, then the comparison when all is quiet. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed } = options
  const started = new AsyncDisposableStack()
  const interrupted = () => void started.disposeAsync().then(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted)
  try {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-chaos-'))
    // Started by root, Postgres runs as another user, who must be able to read the folder.
    await chmod(folder, 0o755)
    started.defer(() => rm(folder, { recursive: true, force: true }))
    const disk = join(folder, 'disk')
    await mkdir(disk, { mode: 0o755 })
    const noDisk = await mountSmall(disk)
    if (!noDisk) started.defer(() => unmount(disk))
    const kinds = [
      ...KILL_FAULTS,
      ...OUTER_FAULTS,
      ...MACHINE_FAULTS,
      DEPLOY_FAULT,
      fullDisk(disk, noDisk),
    ]
    const wanted = kinds.filter(
      ({ name }) => options.kinds.length === 0 || options.kinds.some((part) => name.includes(part)),
    )
    const installation = await startInstallation({
      folder,
      dataDirectory: join(disk, 'postgres'),
    })
    started.defer(installation.stop)
    started.defer(() => keepOutput(installation, String(seed)))
    return await play(installation, wanted, options, started)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted)
    await started.disposeAsync()
  }
}

async function play(
  installation: Installation,
  kinds: FaultKind[],
  { seed, minutes, faults: least, journeys, print }: ChaosOptions,
  started: AsyncDisposableStack,
): Promise<ChaosReport> {
  const random = seededRandom(seed)
  const receivers = await startReceivers(installation.url)
  started.defer(receivers.stop)
  const places = await registerOverApi(installation.url, installation.world)
  const since = await readHeads(installation)
  const traffic = startChainTraffic(installation, places, { seed, isOfJourneys: journeys > 0 })
  started.defer(() => traffic.stop().catch(() => {}))
  const callers = startCallers(installation.url, seed)
  started.defer(callers.stop)
  const answers = startAnswerCheck(installation, traffic.histories, traffic.orderIds)
  started.defer(answers.stop)
  const differences: string[] = []
  const note = (found: string[]) => {
    for (const one of found) print(`DIFFERENCE ${one}`)
    differences.push(...found)
  }

  await sleep(WARM_UP_MS)
  await untilRight(installation, receivers)
  answers.synced()
  note(await answers.check())
  const before = await readProcessStats(installation)
  const scene: ChaosScene = { installation, traffic, receivers, random }
  const faults: FaultReport[] = []
  const until = Date.now() + minutes * MINUTE_MS
  for (const round of drawRounds(kinds, random)) {
    const isEnough = faults.length >= least && traffic.journeys() >= journeys
    if (Date.now() > until && isEnough) break
    answers.forget(round.some(({ mayRefuse }) => mayRefuse))
    const { details, backMs, last } = await playRound(round, scene, () =>
      untilRight(installation, receivers),
    )
    const [{ mostBackMs = Infinity } = {}] = round
    if (round.length === 1 && backMs > mostBackMs)
      note([`${nameRound(round, details)}: right after ${Math.round(backMs)} ms`])
    for (const [index, { name: kind }] of round.entries())
      faults.push({ kind, detail: details[index] ?? '', backMs })
    answers.synced()
    note(await answers.check())
    print(
      `${faults.length}: ${nameRound(round, details)}: right after ${Math.round(backMs)} ms; last: ${last.slice(0, 200)}`,
    )
  }
  await traffic.stop()
  await callers.stop()
  note(callers.faults())
  const quiet = await compareQuiet(installation, { receivers, places, since, print })
  note(quiet.differences)
  await answers.stop()
  note(await answers.check())
  const own = [installation.indexer, ...installation.apis, ...installation.workers].flatMap(
    ({ ownEnds }) => ownEnds(),
  )
  for (const end of own) print(`ended by itself: ${end}`)
  return {
    seed,
    faults,
    missing: kinds.flatMap(({ name, missing }) => (missing ? [`${name}: ${missing}`] : [])),
    answers: answers.tally(),
    orders: traffic.orderIds().length,
    statuses: callers.statuses(),
    quiet: quiet.tally,
    processes: { before, after: await readProcessStats(installation) },
    ownEnds: own.length,
    differences,
  }
}
