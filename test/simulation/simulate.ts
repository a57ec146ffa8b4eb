import { spawnSync } from 'node:child_process'
import { KILL_FAULTS } from '../chaos/killFaults.ts'
import { OUTER_FAULTS } from '../chaos/outerFaults.ts'
import { runChaosSeeds } from '../chaos/runChaosSeeds.ts'
import { createProductFolder } from '../start/startedProduct.ts'
import { createTestIndex } from '../support/createTestIndex.ts'
import { percentile } from '../support/percentile.ts'
import { systemPostgres } from '../support/systemPostgres.ts'
import { attackApi } from './attackApi.ts'
import { attackKeeper } from './attackKeeper.ts'
import { runCrashRounds } from './crashRounds.ts'
import { type DayReport, runDay } from './dayRounds.ts'
import { runExactOutput } from './exactOutputRounds.ts'
import { runKeeperCrashRounds } from './keeperCrashRounds.ts'
import { runPaymentRounds } from './paymentRounds.ts'
import { type ReorgReport, runReorgRounds } from './reorgRounds.ts'
import { runReplicaRounds } from './replicaRounds.ts'
import { runRestartRounds } from './restartRounds.ts'
import { runRestoreDrill } from './restoreDrill.ts'
import { runVaultSeeds } from './vaultSeeds.ts'
import { withDatabase, withProduct } from './withDatabase.ts'

/** After some 2,000 blocks anvil loses old blocks and the state of its contracts in a reorganisation. */
const ROUNDS_PER_WORLD = 50
const PAYMENTS_PER_WORLD = 200
const MOST_BACK_MS = { p90: 5_000, p100: 10_000 }
const LONGEST_FAULT_MS = 30_000
const DAY_LIMITS: [name: string, limit: number, of: (report: DayReport) => number][] = [
  ['memory of all nodes, MB', 1_500, ({ memoryMb }) => memoryMb],
  ['files of all chains, MB', 1_000, ({ diskMb }) => diskMb],
  ['written, MB/s', 1, ({ writtenMbPerSecond }) => writtenMbPerSecond],
  ['start from this age, s', 20, ({ startSeconds }) => startSeconds],
  ['reads that changed by a restart', 0, ({ changed }) => changed.length],
  ['orders lost by kill -9 after 30 s', 0, ({ lostOrders }) => lostOrders.length],
]

/** The first argument is how much is played. A simulation that draws takes a seed as its second. */
type Simulation = {
  args: string
  run(args: string[], numbers: { count: number | undefined; seed: number }): Promise<void>
}

const SIMULATIONS: Record<string, Simulation> = {
  attacks: { args: "[words of the attacks' names]", run: (words) => attackApi(words, print) },
  chaos: { args: '[seed] [options]', run: (args) => runChaosSeeds(args, print) },
  crashes: { args: '[kills] [seed]', run: (_, { count = 20, seed }) => playCrashes(count, seed) },
  day: {
    args: '[hours] [orders per hour]',
    run: ([hours = 24, ordersPerHour = 10]) => playDay(Number(hours), Number(ordersPerHour)),
  },
  drill: {
    args: '[seconds of traffic] [seed]',
    run: (_, { count = 60, seed }) => playDrill(count, seed),
  },
  'exact-output': {
    args: '[quotes] [seed]',
    run: (_, { count = 10_000, seed }) => playExactOutput(count, seed),
  },
  fuzz: {
    args: '[requests] [seed]',
    async run(_, { count = 20_000, seed }) {
      const { status } = spawnSync('vitest', ['run', 'test/simulation/fuzz.test.ts'], {
        stdio: 'inherit',
        env: { ...process.env, FUZZ_REQUESTS: String(count), FUZZ_SEED: String(seed) },
      })
      process.exitCode = status ?? 1
    },
  },
  keeper: {
    args: '[kills] [seed]',
    async run(_, { count: kills = 200, seed }) {
      print(`${kills} kills, seed ${seed}`)
      const play = (databaseUrl: string) =>
        runKeeperCrashRounds({ databaseUrl, kills, seed, print })
      print(JSON.stringify(await withDatabase(play)))
    },
  },
  'keeper-attacks': {
    args: "[words of the attacks' names]",
    run: (words) => attackKeeper(words, print),
  },
  payments: {
    args: '[payments] [seed] [words of the faults, such as kill]',
    run: ([, , ...words], { count = 100, seed }) => playPayments(count, seed, words),
  },
  reorgs: { args: '[rounds] [seed]', run: (_, { count = 200, seed }) => playReorgs(count, seed) },
  replicas: {
    args: '[minutes] [seed]',
    run: (_, { count = 30, seed }) => playReplicas(count, seed),
  },
  restarts: { args: '[restarts]', run: (_, { count = 20 }) => playRestarts(count) },
  vaults: {
    args: '[seeds] [seed]',
    run: (_, { count = 50, seed }) => runVaultSeeds(count, seed, print),
  },
}

const [name = '', ...args] = process.argv.slice(2)
const simulation = SIMULATIONS[name]
if (simulation) {
  const [count, seed] = args.map(Number)
  await simulation.run(args, { count, seed: seed ?? Date.now() % 1_000_000 })
} else {
  print('npm run simulate -- <name> [arguments]\n')
  for (const [name, { args }] of Object.entries(SIMULATIONS)) print(`  ${name} ${args}`)
  process.exitCode = 1
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

async function playCrashes(kills: number, seed: number) {
  print(`${kills} kills, seed ${seed}`)
  const { backMs, ...report } = await withDatabase((databaseUrl) =>
    runCrashRounds({ databaseUrl, kills, seed, print }),
  )
  const at = (share: number) => Math.round(percentile(backMs, share))
  print(JSON.stringify(report))
  print(`back after p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, at most ${at(1)} ms`)
  if (at(0.9) > MOST_BACK_MS.p90 || at(1) > MOST_BACK_MS.p100) process.exitCode = 1
}

async function playReorgs(rounds: number, seed: number) {
  print(`${rounds} rounds, seed ${seed}`)
  const reports: ReorgReport[] = []
  for (let done = 0; done < rounds; done += ROUNDS_PER_WORLD) {
    const ofWorld = { rounds: Math.min(ROUNDS_PER_WORLD, rounds - done), seed: seed + done }
    const play = (product: Parameters<typeof runReorgRounds>[0]['product']) =>
      runReorgRounds({ product, ...ofWorld, print })
    reports.push(await withProduct({ withVaults: true }, play))
  }
  const healed = reports.flatMap(({ healedMs }) => healedMs)
  const at = (share: number) => Math.round(percentile(healed, share))
  const sum = (of: (report: ReorgReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0)
  print(
    `${healed.length} rounds: ${sum(({ orders }) => orders)} orders, ${sum(({ vaultRows }) => vaultRows)} rows of vaults, deepest ${Math.max(...reports.map(({ deepest }) => deepest))}, ` +
      `${sum(({ answers }) => answers)} answers, ${sum(({ catchingUp }) => catchingUp)} of them 503, ${sum(({ unchanged }) => unchanged)} of them 304`,
  )
  print(`synced again after p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, at most ${at(1)} ms`)
}

async function playPayments(payments: number, seed: number, words: string[]) {
  print(`${payments} payments, seed ${seed}`)
  const faults = [...KILL_FAULTS, ...OUTER_FAULTS].filter(
    ({ name, missing }) => missing === null && words.some((word) => name.includes(word)),
  )
  const most = faults.length > 0 ? PAYMENTS_PER_WORLD : payments
  for (let done = 0; done < payments; done += most) {
    const ofWorld = { payments: Math.min(most, payments - done), seed: seed + done }
    const report = await runPaymentRounds({ ...ofWorld, faults, print })
    const { differences, tally, endedMs } = report
    for (const difference of differences) print(`DIFFERENCE ${difference}`)
    print(
      `${JSON.stringify(tally)}; ${report.faults} faults; ended ${Math.round(endedMs / 1_000)} s after`,
    )
    if (differences.length > 0) process.exitCode = 1
  }
}

async function playRestarts(rounds: number) {
  const { answered, longPolls, failures } = await withDatabase(async (databaseUrl) => {
    await createTestIndex(databaseUrl)
    return runRestartRounds({ databaseUrl, rounds, print })
  })
  print(
    `${rounds} restarts: ${answered} answered, ${longPolls} long polls, ${failures.length} failed`,
  )
  for (const failure of failures.slice(0, 10)) print(failure)
  if (failures.length > 0) process.exitCode = 1
}

async function playReplicas(minutes: number, seed: number) {
  print(`${minutes} minutes, seed ${seed}`)
  const seconds = minutes * 60
  const report = await runReplicaRounds({ seconds, longestMs: LONGEST_FAULT_MS, seed, print })
  print(JSON.stringify(report))
}

async function playExactOutput(quotes: number, seed: number) {
  print(`${quotes} quotes, seed ${seed}`)
  const { paid, belowMinimum, mostPaidBeyond } = await withProduct({}, ({ world, url: apiUrl }) =>
    runExactOutput({ world, apiUrl, quotes, seed, print }),
  )
  print(
    `${paid} receivers got what was wanted, each for the least offer; at most ${mostPaidBeyond} base units beyond it; ` +
      `${belowMinimum} below the minimum were refused`,
  )
}

async function playDrill(seconds: number, seed: number) {
  const binaries = systemPostgres()
  if (!binaries) throw new Error("no pg_dump: install Debian's package postgresql")
  print(`three times ${seconds} s of traffic, seed ${seed}`)
  const report = await runRestoreDrill({ binaries, seconds, seed, print })
  print(JSON.stringify(report, null, 2))
}

async function playDay(hours: number, ordersPerHour: number) {
  const folder = await createProductFolder()
  try {
    const report = await runDay({ folder, hours, ordersPerHour, print })
    print(`${hours} hours, ${report.blocks} blocks on all chains, ${report.reads} reads compared`)
    print(`stop: ${report.stopSeconds} s`)
    for (const [name, limit, of] of DAY_LIMITS) {
      const value = of(report)
      print(`${name}: ${Math.round(value * 100) / 100} (limit ${limit})`)
      if (value > limit) process.exitCode = 1
    }
    for (const question of report.changed) print(`changed: ${question}`)
  } finally {
    await folder.remove()
  }
}
