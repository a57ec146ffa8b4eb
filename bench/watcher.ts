import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Sql } from 'postgres'
import { type Address, parseAbi } from 'viem'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { DEVNET_ACTORS } from '../devnet/accounts.ts'
import { DEPLOYMENT } from '../devnet/deployment.ts'
import { vaultDeployment } from '../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../devnet/world.ts'
import { createLogger } from '../processes/logger.ts'
import { createServiceContext } from '../processes/serviceContext.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { percentile } from '../test/support/percentile.ts'
import { SETTINGS } from '../test/support/settings.ts'
import { createChainLeases } from '../worker/smartDeposit/chainLeases.ts'
import type { Keeper } from '../worker/smartDeposit/keeper.ts'
import { createKeeper } from '../worker/smartDeposit/keeperPart.ts'
import { httpOrderQuotes } from '../worker/smartDeposit/orderQuotes.ts'
import { runPass } from '../worker/smartDeposit/runKeeper.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Measures the watcher of smart deposits for several numbers of registered addresses: memory of the set,
 * the first read of all balances, and a pass over a block of 200 transfers to other accounts, by token and
 * by recipient: `node bench/watcher.ts`.
 */
const SIZES = [500, 1_000, 10_000, 100_000]
const MOST_BY_RECIPIENT = 1_000
const TRANSFERS = 200
const BLOCKS = 20
const CHAIN_ID = 1
const MB = 1024 * 1024
const { USDC } = DEPLOYMENT.tokens
const print = (line: string) => process.stdout.write(`${line}\n`)
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const postgres = await startBenchPostgres()
const { world, stop } = await startTestWorld([CHAIN_ID], { withVaults: true })
await migrate(postgres.url)
const logger = createLogger('bench', 'silent')
const { context, stop: stopContext } = createServiceContext({
  applicationName: 'bench',
  databaseUrl: postgres.url,
  addressBook: world.addressBook,
  chainUrls: new Map([[CHAIN_ID, { rpcUrls: [world.rpcUrls[CHAIN_ID] ?? ''], wsUrls: [] }]]),
  appSecret: randomBytes(32),
  quoteSigner: null,
  attestations: null,
  secretsKey: randomBytes(32),
  webhookTargets: { allowPrivate: false },
  settings: SETTINGS,
  logger,
})
const leases = createChainLeases(postgres.url, context.sql)
const setup = connect(postgres.url, { applicationName: 'bench', max: 1 })
try {
  for (const size of SIZES) await measure(size)
} finally {
  await setup.end()
  await leases.stop()
  await stopContext()
  await stop()
  await postgres.stop()
}

async function measure(size: number) {
  await register(setup, size)
  const keeper = await newKeeper()
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  await keeper.watched.refresh()
  collectGarbage()
  const setBytes = process.memoryUsage().heapUsed - before
  const first = await newKeeper()
  const startedAt = performance.now()
  await runPass(first)
  const firstMs = performance.now() - startedAt
  const byToken = await passes(first, 0)
  const byRecipient = size <= MOST_BY_RECIPIENT ? await passes(first, size) : []
  const at = (all: number[], share: number) => percentile(all, share).toFixed(1)
  print(
    `${String(size).padStart(7)} addresses: set ${(setBytes / MB).toFixed(1)} MB, first look ${firstMs.toFixed(0)} ms, ` +
      `a block by token p50 ${at(byToken, 0.5)} p99 ${at(byToken, 0.99)} ms` +
      (byRecipient.length > 0
        ? `, by recipient p50 ${at(byRecipient, 0.5)} p99 ${at(byRecipient, 0.99)} ms`
        : ''),
  )
  // The set is measured after the previous one was released.
  keeper.watched.size()
}

async function passes(keeper: Keeper, fewAddresses: number): Promise<number[]> {
  keeper.settings.fewAddresses = fewAddresses
  keeper.memory.sweep.nextAt = Number.POSITIVE_INFINITY
  const taken: number[] = []
  for (let block = -3; block < BLOCKS; block += 1) {
    await fillBlock(world)
    const startedAt = performance.now()
    await runPass(keeper)
    if (block >= 0) taken.push(performance.now() - startedAt)
  }
  return taken
}

/** Mines one block of transfers to accounts that are not registered. */
async function fillBlock(of: World) {
  const client = worldClient(of, CHAIN_ID)
  const accounts = Array.from({ length: TRANSFERS }, () => randomAddress())
  const abi = parseAbi(['function mint(address[] accounts, uint256 amount)'])
  const hash = await client.writeContract({
    account: DEVNET_ACTORS.deployer,
    address: USDC,
    abi,
    functionName: 'mint',
    args: [accounts, 1_000n],
    // Full blocks make the next one dearer.
    gas: 15_000_000n,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 9n,
  })
  await client.waitForTransactionReceipt({ hash })
}

async function newKeeper(): Promise<Keeper> {
  const lease = await leases.take(CHAIN_ID)
  const chain = world.addressBook.chains.find(({ id }) => id === CHAIN_ID)
  const keeper =
    lease &&
    chain &&
    createKeeper(
      {
        chain,
        service: context,
        accounts: [],
        payerScreening: null,
        // Without an account nothing is sent, so no quote is asked for.
        orderQuotes: httpOrderQuotes('http://127.0.0.1', null),
        logger,
      },
      lease,
    )
  if (!keeper) throw new Error('no keeper has the lease of the chain')
  return keeper
}

/** Registers addresses up to `size` in all. */
async function register(sql: Sql, size: number) {
  const { vault } = vaultDeployment('Harbor Dollar', CHAIN_ID)
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from app.smart_deposit_address`
  const addresses = Array.from({ length: size - (row?.count ?? 0) }, () => randomAddress())
  await sql`
    insert into app.smart_deposit_address (chain_id, address, factory, user_destination_address,
      vault_address, input_token, created_at)
    select ${CHAIN_ID}, address, ${USDC.toLowerCase()}, address, ${vault.toLowerCase()},
      ${USDC.toLowerCase()}, now() - interval '1 day'
    from unnest(${addresses}::text[]) as address`
  await sql`analyze app.smart_deposit_address`
}

function randomAddress(): Address {
  return `0x${randomBytes(20).toString('hex')}`
}
