import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { PLANNED_CHAINS } from '../../devnet/plan.ts'
import { worldClient } from '../../devnet/world.ts'
import type { ChaosScene, FaultKind } from '../chaos/faultKind.ts'
import { keepOutput, startInstallation } from '../chaos/installation.ts'
import { nameRound, playRound } from '../chaos/playRound.ts'
import { startReceivers } from '../chaos/receivers.ts'
import { drawRounds } from '../chaos/rounds.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { withHighCeilings } from './keeperBook.ts'
import { createUnlistedTokens, registerPaidPlaces } from './paymentPlaces.ts'
import { createPaymentTraffic, type PaymentTraffic } from './paymentTraffic.ts'
import {
  findPaymentDifferences,
  type PaymentTally,
  type PaymentWorld,
  readPaymentBalances,
} from './paymentTruth.ts'

export type PaymentOptions = {
  payments: number
  seed: number
  /** Played one after the other while payments come; may be none. */
  faults: FaultKind[]
  print(line: string): void
}

export type PaymentReport = {
  /** How many payments had each end; what orders paid is counted too. */
  tally: PaymentTally
  faults: number
  /** From the last payment until all had ended. */
  endedMs: number
  differences: string[]
}

const OPERATE_EVERY = 20
/** Without faults there is nothing to pay beside. */
const PAY_PAUSE_MS = 300
const FAULT_PAUSE_MS = 2_000
const LOOK_MS = 2_000
/** No wait of the keeper is longer, but for those that `hurry` ends. */
const STALLED_MS = 120_000
const FINAL_BLOCKS = 70

/** Random payments to addresses of generation B over all chains, with faults, until each has ended as the rules say. */
export async function runPaymentRounds(options: PaymentOptions): Promise<PaymentReport> {
  const { payments, seed, faults: kinds, print } = options
  const started = new AsyncDisposableStack()
  try {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-payments-'))
    // Started by root, Postgres runs as another user, who must be able to read the folder.
    await chmod(folder, 0o755)
    started.defer(() => rm(folder, { recursive: true, force: true }))
    const installation = await startInstallation({
      folder,
      dataDirectory: join(folder, 'postgres'),
      chainIds: PLANNED_CHAINS.map(({ id }) => id),
      bookOf: withHighCeilings,
    })
    started.defer(installation.stop)
    started.defer(() => keepOutput(installation, `payments-${seed}`))
    const { world, sql } = installation
    const places = await registerPaidPlaces(installation.url, world)
    const unlisted = await createUnlistedTokens(world)
    const balances = await readPaymentBalances({ world, places, unlisted })
    const of: PaymentWorld = {
      world,
      sql,
      places,
      unlisted,
      balances,
      since: await readHeads(world),
    }
    // The present state stays where no reorganisation reaches.
    await mine(of, FINAL_BLOCKS)
    const random = seededRandom(seed)
    const traffic = createPaymentTraffic({ world, places, unlisted, random })
    const receivers = await startReceivers(installation.url)
    started.defer(receivers.stop)
    const scene: ChaosScene = { installation, traffic, receivers, random: seededRandom(seed + 1) }
    const stopping = new AbortController()
    const striking = strike(kinds, scene, stopping.signal, print)
    // A failed fault ends the payments. Its error is thrown where the faults are awaited below.
    striking.catch(() => stopping.abort())
    for (let paid = 1; paid <= payments && !stopping.signal.aborted; paid += 1) {
      await traffic.pay()
      if (kinds.length > 0) await sleep(PAY_PAUSE_MS)
      if (paid % OPERATE_EVERY === 0) await traffic.operate()
      if (paid % 100 === 0) print(`${paid} payments`)
    }
    stopping.abort()
    const faults = await striking
    const since = performance.now()
    const ended = await untilEnded(of, traffic, print)
    return { ...ended, faults, endedMs: performance.now() - since }
  } finally {
    await started.disposeAsync()
  }
}

/** Faults until the signal. Returns how many there were. */
async function strike(
  kinds: FaultKind[],
  scene: ChaosScene,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<number> {
  if (kinds.length === 0) return 0
  let count = 0
  for (const round of drawRounds(kinds, scene.random)) {
    await sleep(FAULT_PAUSE_MS)
    if (signal.aborted) break
    const { details } = await playRound(round, scene, async () => '')
    count += round.length
    print(`${count}: ${nameRound(round, details)}`)
  }
  return count
}

/** Makes blocks until there is no difference. Returns those that stay. */
async function untilEnded(
  of: PaymentWorld,
  traffic: PaymentTraffic,
  print: (line: string) => void,
): Promise<Pick<PaymentReport, 'tally' | 'differences'>> {
  for (let last = { differences: [''], at: performance.now() }; ; ) {
    await traffic.operate()
    await mine(of, FINAL_BLOCKS)
    await hurry(of.sql)
    await sleep(LOOK_MS)
    const { differences, tally } = await findPaymentDifferences(of)
    if (differences.length === 0) return { differences, tally }
    const isSame = differences.join() === last.differences.join()
    if (!isSame) {
      last = { differences, at: performance.now() }
      print(`${differences.length} not yet the same, first: ${differences[0]?.slice(0, 300)}`)
    }
    if (performance.now() - last.at > STALLED_MS) return { differences, tally }
  }
}

/** All waiting payments are due. */
async function hurry(sql: Sql) {
  // The rows that a keeper has are left for the next time.
  await sql`
    update app.smart_deposit set retry_at = now()
    where deposit_id in (
      select deposit_id from app.smart_deposit
      where status = 'retrying' and retry_at > now() for update skip locked)`
}

async function readHeads(world: PaymentWorld['world']): Promise<Map<number, bigint>> {
  const read = world.addressBook.chains.map(
    async ({ id }) => [id, await worldClient(world, id).getBlockNumber()] as const,
  )
  return new Map(await Promise.all(read))
}

async function mine({ world, since }: PaymentWorld, blocks: number) {
  await Promise.all([...since.keys()].map((id) => worldClient(world, id).mine({ blocks })))
}
