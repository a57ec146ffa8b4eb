import { deepStrictEqual, ok } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import { worldClient } from '../../devnet/world.ts'
import type { RunFile } from '../../processes/start/runFile.ts'
import { compareOrders } from '../simulation/crashRounds.ts'
import { type Question, readEverything } from '../simulation/everyRead.ts'
import { untilEnded } from '../simulation/keeperCrashRounds.ts'
import type { Place } from '../simulation/keeperTraffic.ts'
import { checkKeeperTruth } from '../simulation/keeperTruth.ts'
import { compareVaultTables } from '../simulation/vaultTruth.ts'
import { passDeliveries } from '../support/passDeliveries.ts'
import { readPayments } from './depositPlaces.ts'
import { checkChainEvents, foldLedger } from './eventTruth.ts'
import { CHAOS_CHAINS, type Installation } from './installation.ts'
import { checkJourneys, type JourneyTally } from './journeyTruth.ts'
import type { Receivers } from './receivers.ts'

export type QuietTally = {
  vaultRows: number
  deposits: number
  journeys: JourneyTally
  events: number
  reads: number
}

type Quieting = {
  receivers: Receivers
  places: Place[]
  /** The chains' heads before the traffic. */
  since: Map<number, number>
  print(line: string): void
}

const QUIET_MS = 60_000
/** More than the finality of each chain. */
const FINAL_BLOCKS = 70
const DAY_SECONDS = 86_400
const MOST_CHARACTERS = 2_000

/**
 * Lets everything come to its end, without faults and traffic, and compares it with the chains' logs and the receivers'
 * ledgers. Returns the differences.
 */
export async function compareQuiet(
  installation: Installation,
  { receivers, places, since, print }: Quieting,
): Promise<{ tally: QuietTally; differences: string[] }> {
  const { sql, world } = installation
  const tally: QuietTally = {
    vaultRows: 0,
    deposits: 0,
    journeys: { journeys: 0, endings: {} },
    events: 0,
    reads: 0,
  }
  const differences: string[] = []
  const compare = async (what: string, check: () => Promise<void>) => {
    let before = ''
    for (const deadline = Date.now() + QUIET_MS; ; await sleep(1_000))
      try {
        await check()
        return print(`the same: ${what}`)
      } catch (error) {
        const found = `${what}: ${error instanceof Error ? error.message : error}`
        if (Date.now() > deadline) return void differences.push(found)
        if (found !== before) print(`not yet the same: ${found.slice(0, MOST_CHARACTERS)}`)
        before = found
      }
  }

  await untilFinal(installation, places).catch((error) => differences.push(`deposits: ${error}`))
  await compare('orders', () => compareOrders(sql, world))
  await compare('smart deposits', async () => {
    const payments = await readPayments(world, places)
    tally.deposits = (await checkKeeperTruth(sql, world, { payments, places })).deposits
  })
  await compare('journeys', async () => {
    tally.journeys = await checkJourneys(installation.url, world, places)
  })
  await compare('events', async () => {
    await passDeliveries(sql, DAY_SECONDS)
    const vaults = await compareVaultTables(sql, world)
    tally.vaultRows = Object.values(vaults).reduce((sum, { size }) => sum + size, 0)
    const recorded = await sql<{ id: string }[]>`
      select id from app.event where type <> 'ping' order by organization_sequence`
    for (const { name, receiver } of receivers.all) {
      const events = foldLedger(name, receiver.received).filter(({ type }) => type !== 'ping')
      deepStrictEqual(events.map(({ id }) => id).sort(), recorded.map(({ id }) => id).sort())
      await checkChainEvents(events, { world, vaults, since })
    }
    tally.events = recorded.length
  })
  await compare('answers of both apis', async () => {
    const until = Math.floor(Date.now() / 1_000)
    const read = ({ current }: Installation['apis'][number]) => {
      const at = { apiUrl: current().url, apiKey: installation.apiKey } satisfies Partial<RunFile>
      // The world of chaos has two of the chains.
      return readEverything(at, until, isOfChaos)
    }
    const [one, other] = await Promise.all(installation.apis.map(read))
    ok(one && other)
    deepStrictEqual(one, other)
    tally.reads = Object.keys(one).length
  })
  return { tally, differences }
}

/** Makes blocks until every payment has ended for good. */
async function untilFinal({ sql, world }: Installation, places: Place[]) {
  const mine = (blocks: number) =>
    Promise.all(CHAOS_CHAINS.map((id) => worldClient(world, id).mine({ blocks })))
  await mine(FINAL_BLOCKS)
  let isEnded = false
  const mining = (async () => {
    for (; !isEnded; await sleep(500)) await mine(5)
  })()
  try {
    await untilEnded(sql, (await readPayments(world, places)).length)
  } finally {
    isEnded = true
    await mining
  }
  await mine(FINAL_BLOCKS)
}

/** The world of chaos has two of the local world's chains. */
function isOfChaos({ path, variables }: Question): boolean {
  const { chainId } = variables
  const isHere = chainId === undefined || CHAOS_CHAINS.some((id) => id === chainId)
  return isHere && !path.startsWith('/v2/earn/withdrawalRequests/')
}
