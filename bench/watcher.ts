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
import { ONE_ADDRESS } from '../devnet/vaults/writeOneAddress.ts'
import { type World, worldClient } from '../devnet/world.ts'
import { onObservation } from '../domain/observation/observe.ts'
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
 * Measures the watcher of smart deposits for several numbers of addresses of generation B, on their vault's chain and on another one:
 * memory of the set, the first read of all balances, and a pass over a block of 200 transfers to other accounts, with its processor time, the calls to
 * its node, their answers, and its statements: `node bench/watcher.ts [numbers of addresses]`.
 */
const SIZES = [500, 1_000, 10_000, 100_000]
const TRANSFERS = 200
const BLOCKS = 20
const CHAIN_ID = 1
const AWAY = 4663
const MB = 1024 * 1024
const { USDC, USDG } = DEPLOYMENT.tokens
const print = (line: string) => process.stdout.write(`${line}\n`)
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const postgres = await startBenchPostgres()
const { world, stop } = await startTestWorld([CHAIN_ID, AWAY], { withVaults: true })
await migrate(postgres.url)
const logger = createLogger('bench', 'silent')
const { context, stop: stopContext } = createServiceContext({
  applicationName: 'bench',
  databaseUrl: postgres.url,
  addressBook: world.addressBook,
  chainUrls: new Map(
    [CHAIN_ID, AWAY].map((id) => [id, { rpcUrls: [world.rpcUrls[id] ?? ''], wsUrls: [] }]),
  ),
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
const asked = process.argv.slice(2).map(Number)
try {
  for (const size of asked.length > 0 ? asked : SIZES) {
    await register(setup, size)
    for (const chainId of [CHAIN_ID, AWAY]) await measure(size, chainId)
  }
} finally {
  await setup.end()
  await leases.stop()
  await stopContext()
  await stop()
  await postgres.stop()
}

async function measure(size: number, chainId: number) {
  const keeper = await newKeeper(chainId)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  await keeper.watched.refresh()
  collectGarbage()
  const setBytes = process.memoryUsage().heapUsed - before
  const first = await newKeeper(chainId)
  const startedAt = performance.now()
  await runPass(first)
  const firstMs = performance.now() - startedAt
  const { taken, cpuMs, calls, received, statements } = await passes(first, chainId)
  const at = (share: number) => percentile(taken, share).toFixed(1)
  const each = (sum: number) => (sum / BLOCKS).toFixed(1)
  print(
    `${String(size).padStart(7)} addresses, chain ${chainId}: set ${(setBytes / MB).toFixed(1)} MB, first look ${firstMs.toFixed(0)} ms; ` +
      `a block p50 ${at(0.5)} p99 ${at(0.99)} ms, CPU ${each(cpuMs)} ms, ${each(calls)} calls to the node, ` +
      `${each(received / 1024)} KB from it, ${each(statements)} statements`,
  )
  // The set is measured after the previous one was released.
  keeper.watched.size()
}

async function passes(keeper: Keeper, chainId: number) {
  keeper.memory.sweep.nextAt = Number.POSITIVE_INFINITY
  const sums = { taken: [] as number[], cpuMs: 0, calls: 0, received: 0, statements: 0 }
  for (let block = -3; block < BLOCKS; block += 1) {
    await fillBlock(world, chainId)
    const isMeasured = block >= 0
    const stopCounting = onObservation((one) => {
      if (!isMeasured || one.kind !== 'rpc') return
      sums.calls += 1
      sums.received += one.received
    })
    keeper.sql.options.debug = () => {
      if (isMeasured) sums.statements += 1
    }
    const cpu = process.cpuUsage()
    const startedAt = performance.now()
    await runPass(keeper)
    if (isMeasured) {
      sums.taken.push(performance.now() - startedAt)
      const { user, system } = process.cpuUsage(cpu)
      sums.cpuMs += (user + system) / 1_000
    }
    stopCounting()
    keeper.sql.options.debug = false
  }
  return sums
}

/** Mines one block of transfers to accounts that are not registered. */
async function fillBlock(of: World, chainId: number) {
  const client = worldClient(of, chainId)
  const accounts = Array.from({ length: TRANSFERS }, () => randomAddress())
  const abi = parseAbi(['function mint(address[] accounts, uint256 amount)'])
  const hash = await client.writeContract({
    account: DEVNET_ACTORS.deployer,
    address: chainId === CHAIN_ID ? USDC : USDG,
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

async function newKeeper(chainId: number): Promise<Keeper> {
  const lease = await leases.take(chainId)
  const chain = world.addressBook.chains.find(({ id }) => id === chainId)
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
    insert into app.smart_deposit_address (chain_id, address, factory, generation,
      user_destination_address, vault_address, input_token, created_at)
    select ${CHAIN_ID}, address, ${ONE_ADDRESS.factory.toLowerCase()}, 'B', address,
      ${vault.toLowerCase()}, ${USDC.toLowerCase()}, now() - interval '1 day'
    from unnest(${addresses}::text[]) as address`
  await sql`analyze app.smart_deposit_address`
}

function randomAddress(): Address {
  return `0x${randomBytes(20).toString('hex')}`
}
