import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../db/sql.ts'
import { stamped } from '../../domain/addressBook/bookStamp.ts'
import { startTestWorld } from '../support/anvils.ts'
import { startWorkerProcess } from '../support/workerProcess.ts'
import { ATTACKED, CHAIN_ID, KEEPER_ATTACKS, runKeeperAttack } from './keeperAttacks.ts'
import { withDatabase } from './withDatabase.ts'

const MOST_TIMES = 3
const BLOCK_SECONDS = 1

/**
 * Attacks the keeper of a worker process. In each attack an honest deposit takes at most three times as long as before it
 * (and two blocks: the keeper looks at whole blocks), and the keeper spends less than a dollar per dollar of the attacker.
 */
export function attackKeeper(print: (line: string) => void): Promise<void> {
  return withDatabase((databaseUrl) => attackOver(databaseUrl, print))
}

async function attackOver(databaseUrl: string, print: (line: string) => void) {
  await using started = new AsyncDisposableStack()
  const sql = connect(databaseUrl, { applicationName: 'attack', max: 2 })
  started.defer(() => sql.end())
  const { world, stop } = await startTestWorld([CHAIN_ID], {
    withVaults: true,
    blockTimeSeconds: BLOCK_SECONDS,
  })
  started.defer(stop)
  const folder = await mkdtemp(join(tmpdir(), 'causeway-attack-'))
  started.defer(() => rm(folder, { recursive: true }))
  const { addressBook } = world
  const book = {
    ...addressBook,
    environment: 'PRODUCTION',
    chains: addressBook.chains.map((chain) => ({
      ...chain,
      smartDeposit: chain.smartDeposit && { ...chain.smartDeposit, ceilings: ATTACKED.ceilings },
    })),
    transitRoutes: [],
    tokens: addressBook.tokens.map((token) => ({
      ...token,
      smartDepositMinimum: String(ATTACKED.minimum),
    })),
  }
  const file = join(folder, 'address-book.json')
  await writeFile(file, JSON.stringify(stamped(book, [])))
  const worker = startWorkerProcess({
    databaseUrl: databaseUrl,
    addressBook: file,
    appSecret: randomBytes(32).toString('hex'),
    rpcUrls: { [CHAIN_ID]: world.rpcUrls[CHAIN_ID] ?? '' },
  })
  started.defer(worker.stop)

  for (const name of Object.keys(KEEPER_ATTACKS)) {
    const report = await runKeeperAttack({ sql, world }, name).catch((error) => {
      throw new Error(worker.output().slice(-4_000), { cause: error })
    })
    const { quietMs, duringMs, lossPerDollar } = report
    const holds = duringMs <= MOST_TIMES * quietMs + 2_000 * BLOCK_SECONDS && lossPerDollar < 1
    print(
      `${holds ? 'holds ' : 'FAILS '} ${name.padEnd(48)} honest deposit ${quietMs} → ${duringMs} ms; ${report.sends} sent; keeper ${report.keeperUsd.toFixed(2)} USD, attacker ${report.attackerGasUsd.toFixed(2)} USD gas and ${report.attackerPaidUsd.toFixed(6)} USD paid; loss per dollar ${lossPerDollar.toFixed(3)}`,
    )
    if (!holds) process.exitCode = 1
  }
}
