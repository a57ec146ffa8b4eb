import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../db/sql.ts'
import { stamped } from '../../domain/addressBook/bookStamp.ts'
import { startTestWorld } from '../support/anvils.ts'
import { startApiProcess, untilReady } from '../support/apiProcess.ts'
import { createTestIndex } from '../support/createTestIndex.ts'
import { createStationOperators } from '../support/stationOperators.ts'
import { startWorkerProcess } from '../support/workerProcess.ts'
import { AWAY, createHostileTokens, foreignAttacks, withListedTokens } from './foreignAttacks.ts'
import {
  ATTACKED,
  DIRECT_ATTACKS,
  type KeeperAttack,
  type KeeperAttackReport,
  runKeeperAttack,
} from './keeperAttacks.ts'
import { CHAIN_ID } from './keeperTraffic.ts'
import { withDatabase } from './withDatabase.ts'

const MOST_TIMES = 3
const BLOCK_SECONDS = 1

/**
 * Attacks the keepers of a worker process, by attacks with one of the words in their names, or all. In each attack an honest deposit takes at
 * most three times as long as before it (and two blocks: the keeper looks at whole blocks), and the keepers spend less than a dollar per dollar
 * of the attacker's gas and payments.
 */
export function attackKeeper(words: string[], print: (line: string) => void): Promise<void> {
  return withDatabase((databaseUrl) => attackOver(databaseUrl, words, print))
}

async function attackOver(databaseUrl: string, words: string[], print: (line: string) => void) {
  await using started = new AsyncDisposableStack()
  const sql = connect(databaseUrl, { applicationName: 'attack', max: 3 })
  started.defer(() => sql.end())
  await createTestIndex(databaseUrl)
  const { world, addressBook, stop } = await startTestWorld([CHAIN_ID, AWAY], {
    withVaults: true,
    blockTimeSeconds: BLOCK_SECONDS,
  })
  started.defer(stop)
  const folder = await mkdtemp(join(tmpdir(), 'causeway-attack-'))
  started.defer(() => rm(folder, { recursive: true }))
  const tokens = await createHostileTokens(world)
  const { chains, ...listed } = withListedTokens(addressBook, tokens)
  const book = {
    ...listed,
    environment: 'PRODUCTION',
    chains: chains.map((chain) => ({
      ...chain,
      smartDeposit: chain.smartDeposit && { ...chain.smartDeposit, ceilings: ATTACKED.ceilings },
    })),
    tokens: listed.tokens.map((token) => ({
      ...token,
      smartDepositMinimum: String(ATTACKED.minimum),
    })),
  }
  const file = join(folder, 'address-book.json')
  await writeFile(file, JSON.stringify(stamped(book, [])))
  const of = {
    databaseUrl,
    addressBook: file,
    appSecret: randomBytes(32).toString('hex'),
    rpcUrls: world.rpcUrls,
  }
  const api = await startApiProcess(of)
  started.defer(api.stop)
  await untilReady(api)
  const worker = startWorkerProcess({ ...of, variables: { QUOTE_API_URL: api.url } })
  started.defer(worker.stop)
  const operating = new AbortController()
  const operated = operate(world, operating.signal)
  started.defer(async () => {
    operating.abort()
    await operated
  })

  const attacks = [
    ...DIRECT_ATTACKS,
    ...(await foreignAttacks({ world, sql, apiUrl: api.url, tokens })),
  ]
  for (const attack of attacks) {
    if (words.length > 0 && !words.some((word) => attack.name.includes(word))) continue
    const report = await runKeeperAttack({ sql, world }, attack).catch((error) => {
      throw new Error(worker.output().slice(-4_000), { cause: error })
    })
    const holds = isBorne(report)
    print(`${holds ? 'holds ' : 'FAILS '} ${spell(attack, report)}`)
    if (!holds) process.exitCode = 1
  }
}

function isBorne(report: KeeperAttackReport): boolean {
  const { quietMs, duringMs } = report
  const isInTime = duringMs <= MOST_TIMES * quietMs + 2_000 * BLOCK_SECONDS
  return isInTime && report.keeperUsd / (report.attackerGasUsd + report.attackerPaidUsd) < 1
}

function spell({ name }: KeeperAttack, report: KeeperAttackReport): string {
  const { keeperUsd, attackerGasUsd, attackerPaidUsd, attackerFeesUsd } = report
  const usd = (value: number) => `${value.toFixed(2)} USD`
  const perDollar = (dollars: number) => (keeperUsd / dollars).toFixed(3)
  return [
    `${name.padEnd(48)} honest deposit ${report.quietMs} → ${report.duringMs} ms`,
    `${report.sends} sent`,
    `keeper ${usd(keeperUsd)}`,
    `attacker ${usd(attackerGasUsd)} gas, ${attackerPaidUsd.toFixed(6)} USD paid, ${usd(attackerFeesUsd)} of it fees of its orders`,
    // The attacker gets its payments back as shares, without these fees.
    `loss per dollar ${perDollar(attackerGasUsd + attackerPaidUsd)}, of gas and fees alone ${perDollar(attackerGasUsd + attackerFeesUsd)}`,
  ].join('; ')
}

/** Delivers messages and pays orders until the signal. */
async function operate(world: Parameters<typeof createStationOperators>[0], signal: AbortSignal) {
  const operators = createStationOperators(world)
  while (!signal.aborted) {
    await operators.deliver()
    await operators.execute()
    await sleep(1_000 * BLOCK_SECONDS)
  }
}
