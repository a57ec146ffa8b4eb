import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { connect } from '../../db/sql.ts'
import { DEVNET_KEEPER_KEY } from '../../devnet/accounts.ts'
import { startAttestationServer } from '../../devnet/attestations.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { addKeeper, keeperKey } from '../support/addKeeper.ts'
import { startTestWorld } from '../support/anvils.ts'
import { freePorts } from '../support/freePorts.ts'
import { type LossyNode, startLossyNode } from '../support/lossyNode.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'
import { until } from '../support/until.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts'
import { keeperBook } from './keeperBook.ts'
import { CHAIN_ID, createPayer, registerPlaces } from './keeperTraffic.ts'
import { checkKeeperTruth, type KeeperTally } from './keeperTruth.ts'
import { roundsWithin } from './roundsWithin.ts'

export type KeeperCrashOptions = {
  databaseUrl: string
  kills: number
  /** After these a third of them is enough. */
  seconds?: number
  seed: number
  print: (line: string) => void
}

export type KeeperCrashReport = KeeperTally & {
  /** Kills by their time: random, or around the sending of a transaction. */
  struck: Record<Moment, number>
}

type Moment = 'anytime' | 'before' | 'after'
type Worker = { node: LossyNode; process: WorkerProcess }

const LOSS = 0.04
export const KEEPER_FINALITY = 6
const PAY_EVERY_MS = 350
const STRIKE_WITHIN_MS = 2_000
/** The most transactions that a keeper sends at once. */
const MOST_SENDS = 16
/** If no payment has ended for this long, none will: what a node hid is found by the balances, a minute later. */
const STALLED_MS = 120_000

/**
 * Kills one of two workers, which have two keys, again and again while payments come to smart deposit addresses, over nodes that
 * lose calls and answers. In the end every payment is settled once, and ledger, events and chain agree.
 */
export async function runKeeperCrashRounds(
  options: KeeperCrashOptions,
): Promise<KeeperCrashReport> {
  const { databaseUrl, kills, seconds, seed, print } = options
  const random = seededRandom(seed)
  const started = new AsyncDisposableStack()
  try {
    const { sql, world, start } = await startSurroundings(databaseUrl, started, random)
    const places = await registerPlaces(sql, world)
    const payer = createPayer(world, places, random)
    const workers: [Worker, Worker] = [await start(), await start()]
    started.defer(async () => {
      for (const worker of workers) await end(worker)
    })
    const stopping = new AbortController()
    const paying = payEvery(payer.pay, stopping.signal)
    started.defer(async () => {
      stopping.abort()
      await paying
    })
    const struck = { anytime: 0, before: 0, after: 0 }
    for (const kill of roundsWithin(kills, seconds)) {
      const { index, moment } = await strike(workers, random)
      struck[moment] += 1
      await end(workers[index])
      workers[index] = await start()
      const { ended, open } = await countEnded(sql)
      const of = `${ended} of ${payer.payments.length} payments ended, ${open} intents open`
      print(`kill ${kill}: worker ${index}, ${moment}; ${of}`)
    }
    stopping.abort()
    await paying
    await untilEnded(sql, payer.payments.length).catch((error) => {
      throw new Error(`${error}\n${workers.map(({ process }) => process.output()).join('\n')}`)
    })
    return { ...(await checkKeeperTruth(sql, world, { ...payer, places })), struck }
  } catch (error) {
    throw new Error(`seed ${seed}: ${error}`, { cause: error })
  } finally {
    await started.disposeAsync()
  }
}

async function end({ node, process }: Worker) {
  await process.kill()
  await node.stop()
}

type Struck = { index: 0 | 1; moment: Moment }

/** Kills a worker at a random moment, or around one of the next transactions that one of them sends. */
async function strike(workers: [Worker, Worker], random: SeededRandom): Promise<Struck> {
  const moment = random.pick<Moment>(['anytime', 'before', 'after'])
  const anyone = random.integer(0, 1) as 0 | 1
  if (moment === 'anytime') {
    await sleep(random.integer(0, STRIKE_WITHIN_MS))
    return { index: anyone, moment }
  }
  const when = { moment, sends: random.integer(1, MOST_SENDS) }
  const { promise, resolve } = Promise.withResolvers<Struck>()
  let isStruck = false
  for (const index of [0, 1] as const)
    workers[index].node.atSend(when, () => {
      if (isStruck) return
      isStruck = true
      void workers[index].process.kill()
      resolve({ index, moment })
    })
  const given = sleep(STRIKE_WITHIN_MS * 2).then((): Struck => {
    isStruck = true
    return { index: anyone, moment: 'anytime' }
  })
  return Promise.race([promise, given])
}

export async function payEvery(pay: () => Promise<void>, signal: AbortSignal, ms = PAY_EVERY_MS) {
  while (!signal.aborted) {
    await pay()
    await sleep(ms)
  }
}

async function startSurroundings(
  databaseUrl: string,
  started: AsyncDisposableStack,
  random: SeededRandom,
) {
  const sql = connect(databaseUrl, { applicationName: 'simulation', max: 2 })
  started.defer(() => sql.end())
  const { world, addressBook, stop } = await startTestWorld([CHAIN_ID], {
    withVaults: true,
    blockTimeSeconds: 1,
  })
  started.defer(stop)
  const [port = 0] = await freePorts(1)
  const apiKey = 'simulation'
  const attester = await startAttestationServer({ world, port, apiKey })
  started.defer(attester.stop)
  const folder = await mkdtemp(join(tmpdir(), 'causeway-keeper-'))
  started.defer(() => rm(folder, { recursive: true }))
  const file = join(folder, 'address-book.json')
  await writeFile(file, JSON.stringify(keeperBook(addressBook, KEEPER_FINALITY)))
  const appSecret = randomBytes(32).toString('hex')
  const chain = world.addressBook.chains.find(({ id }) => id === CHAIN_ID)
  if (!chain) throw new Error('the world has its chain')
  await addKeeper(worldClient(world, CHAIN_ID), chain, keeperKey(2))
  const rpcUrl = world.rpcUrls[CHAIN_ID] ?? ''

  async function start(): Promise<Worker> {
    const node = await startLossyNode(rpcUrl, {
      random: seededRandom(random.integer(0, 1e9)),
      loss: LOSS,
    })
    const process = startWorkerProcess({
      databaseUrl,
      addressBook: file,
      appSecret,
      rpcUrls: { [CHAIN_ID]: node.url },
      variables: {
        SMART_DEPOSIT_KEEPER_PRIVATE_KEY: `${DEVNET_KEEPER_KEY},${keeperKey(2)}`,
        ATTESTATION_URL: `${attester.url}/v2/attestation`,
        ATTESTATION_API_KEY: apiKey,
      },
    })
    await untilWorking(process)
    return { node, process }
  }
  await untilMining(world)
  return { sql, world, start }
}

/** Waits until the worker is ready: killing it earlier proves little. */
function untilWorking({ output }: WorkerProcess) {
  return until(
    () => output().includes('the worker is ready'),
    () => `the worker does not come up:\n${output()}`,
  )
}

export async function untilMining(world: World) {
  const client = worldClient(world, CHAIN_ID)
  const head = await client.getBlockNumber()
  while ((await client.getBlockNumber()) === head) await sleep(50)
}

/** The numbers of payments with an end that cannot be reverted, and of open transactions. */
async function countEnded(sql: Sql) {
  const [row] = await sql<{ ended: number; open: number }[]>`
    select count(distinct payment_id) filter (where is_final
        and status <> 'reverted' and remediation is distinct from 'retained')::integer as ended,
      (select count(*)::integer from app.keeper_intent where state = 'open') as open
    from app.smart_deposit`
  return row ?? { ended: 0, open: 0 }
}

/** The transactions that wait longest, for a look at why. */
async function firstOpen(sql: Sql): Promise<string> {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', chain_id, 'nonce', nonce, i.kind, i.created_at, 'signed', signed_at, 'sent', sent_at,
      'now', now()) as line
    from app.keeper_intent i left join app.keeper_transaction using (chain_id, keeper, nonce)
    where state = 'open' order by chain_id, nonce limit 3`
  return rows.map(({ line }) => line).join('; ')
}

/** Waits until all payments have ended, including those that wait after the last kill. */
export async function untilEnded(sql: Sql, payments: number) {
  let last = { ended: -1, at: 0 }
  for (;;) {
    // Orders all waiting deposits, small ones too, as an operator can. A lock on hundreds of rows that waits for the
    // keeper's locks would be a deadlock, so the rows that the keeper has are left for the next time.
    await sql`
      update app.smart_deposit set retry_at = now(), is_ordered = true
      where deposit_id in (
        select deposit_id from app.smart_deposit
        where status = 'retrying' and (retry_at > now() or is_small) for update skip locked)`
    const { ended, open } = await countEnded(sql)
    if (ended === payments && open === 0) return
    if (ended > last.ended) last = { ended, at: Date.now() }
    if (Date.now() - last.at > STALLED_MS)
      throw new Error(
        `${ended} of ${payments} payments ended, ${open} intents open: ${await firstOpen(sql)}`,
      )
    await sleep(300)
  }
}
