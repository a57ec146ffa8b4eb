import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Address, type Hex, type LocalAccount, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { DEVNET_ACTORS, DEVNET_KEEPER_KEY } from '../devnet/accounts.ts'
import { DEPLOYMENT } from '../devnet/deployment.ts'
import { vaultDeployment } from '../devnet/vaults/deployment.ts'
import { ONE_ADDRESS } from '../devnet/vaults/writeOneAddress.ts'
import { worldClient } from '../devnet/world.ts'
import { smartDepositAddress } from '../domain/smartDeposit/smartDepositAddress.ts'
import { createLogger } from '../processes/logger.ts'
import { createServiceContext } from '../processes/serviceContext.ts'
import { addKeeper, keeperKey } from '../test/support/addKeeper.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { SETTINGS } from '../test/support/settings.ts'
import { KEEPER_SETTINGS } from '../worker/smartDeposit/keeper.ts'
import { createKeeperPart } from '../worker/smartDeposit/keeperPart.ts'
import { httpOrderQuotes } from '../worker/smartDeposit/orderQuotes.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { writePerformance } from './performancePage.ts'
import { readRun } from './runFacts.ts'

/**
 * Measures how many payments the keeper of a chain settles in a second, and the gas of each: one transaction per settlement, and
 * `settleMany`, with one key and with four. `node bench/settlements.ts [--payments 1280] [--block-seconds 1] [--block-gas 400000000] [--write]`. Each payment goes
 * to an address of generation B of its own, for a user without shares. All are made in one block, and again when all are settled: the
 * first settlement creates the account. One by one, an eighth as many are measured. Ends with 1 if a bound is broken.
 */
const CHAIN_ID = 1
/** The gas of a settlement in a batch, divided by that of a single one. */
const MOST_GAS_RATIO = 0.7
const LEAST_RATE_RATIO = 20
const AMOUNT = 100_000_000n
const MINTED_AT_ONCE = 400
const PATIENCE_MS = 600_000
const POLL_MS = 50
/** A bench that settles one by one takes as long with an eighth of the payments. */
const PART_OF_SINGLE = 8
const { USDC } = DEPLOYMENT.tokens
const { vault } = vaultDeployment('Harbor Dollar', CHAIN_ID)
const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '1280' },
    'block-seconds': { type: 'string', default: '1' },
    'block-gas': { type: 'string', default: '400000000' },
    write: { type: 'boolean', default: false },
  },
})
const payments = Number(values.payments)
const blockSeconds = Number(values['block-seconds'])
const blockGas = BigInt(values['block-gas'])
const { mostParts } = KEEPER_SETTINGS
const CASES = [
  { name: 'one by one', keys: 1, mostParts: 1, payments: Math.ceil(payments / PART_OF_SINGLE) },
  { name: `settleMany, up to ${mostParts}`, keys: 1, mostParts, payments },
  { name: 'settleMany, four keys', keys: 4, mostParts, payments },
]
const print = (line: string) => process.stdout.write(`${line}\n`)
const run = readRun(process.argv.slice(2))
const startedAt = performance.now()

await using started = new AsyncDisposableStack()
const nodes = await startTestWorld([CHAIN_ID], { withVaults: true })
started.defer(nodes.stop)
const { world } = nodes
const client = worldClient(world, CHAIN_ID)
await client.setBlockGasLimit({ gasLimit: blockGas })
const addressBook = {
  ...world.addressBook,
  chains: world.addressBook.chains.map(({ smartDeposit, ...chain }) => ({
    ...chain,
    blockTimeSeconds: blockSeconds,
    // No ceiling but the block's: what a chain's operator allows is not measured.
    ...(smartDeposit && {
      smartDeposit: {
        ...smartDeposit,
        ceilings: {
          maxGas: 16_000_000,
          maxFeePerGas: String(10n ** 13n),
          maxSpendPerHour: String(10n ** 24n),
        },
      },
    }),
  })),
}

const [chain] = addressBook.chains
if (!chain) throw new Error('the book has the chain')
const keepers: LocalAccount[] = [privateKeyToAccount(DEVNET_KEEPER_KEY)]
for (const number of [2, 3, 4]) keepers.push(await addKeeper(client, chain, keeperKey(number)))
const measured: Measured[] = []
for (const one of CASES) {
  const result = await measure(one)
  measured.push(result)
  print(rowOf(result))
}
const [single] = measured
const fastest = measured.at(-1)
if (!single || !fastest) throw new Error('nothing was measured')
const ratios = {
  rate: fastest.perSecond / single.perSecond,
  firstGas: fastest.firstGas / single.firstGas,
  laterGas: fastest.laterGas / single.laterGas,
}
const isFast = ratios.rate >= LEAST_RATE_RATIO
const isCheap = (ratio: number) => ratio <= MOST_GAS_RATIO
const judged = (ratio: number, bound: string, isHeld: boolean) =>
  `${ratio.toFixed(2)}; ${bound}: ${isHeld ? 'holds' : '**broken**'}`
const cheap = (ratio: number) => judged(ratio, `at most ${MOST_GAS_RATIO}`, isCheap(ratio))
const table = [
  `| a block every ${blockSeconds} s | payments | settlements a second | gas of an address's first | gas of a later one | transactions | CPU of the worker for each, ms |`,
  '| --- | --- | --- | --- | --- | --- | --- |',
  ...measured.map(rowOf),
  `| the last to the first | | ${judged(ratios.rate, `at least ${LEAST_RATE_RATIO}`, isFast)} | ${cheap(ratios.firstGas)} | ${cheap(ratios.laterGas)} | | |`,
].join('\n')
print(table)
if (values.write)
  await writePerformance(
    { ...run, seconds: Math.round((performance.now() - startedAt) / 1_000) },
    { place: 'settlements', program: 'node bench/settlements.ts', tables: table },
  )
if (!isFast || !isCheap(ratios.firstGas) || !isCheap(ratios.laterGas)) process.exitCode = 1

type Case = (typeof CASES)[number]

type Measured = Case & {
  perSecond: number
  firstGas: number
  laterGas: number
  transactions: number
  cpuMs: number
}

function rowOf({ name, payments, perSecond, transactions, cpuMs, ...gas }: Measured) {
  const whole = (value: number) => Math.round(value).toLocaleString('en')
  return `| ${name} | 2 × ${whole(payments)} | ${perSecond.toFixed(1)} | ${whole(gas.firstGas)} | ${whole(gas.laterGas)} | ${transactions} | ${cpuMs.toFixed(1)} |`
}

/** Settles all payments, and then as many to the same addresses, with a database and a keeper of their own. */
async function measure(given: Case): Promise<Measured> {
  const { payments, keys, mostParts } = given
  await using used = new AsyncDisposableStack()
  const postgres = await startBenchPostgres()
  used.defer(postgres.stop)
  await migrate(postgres.url)
  const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
  used.defer(() => sql.end())
  const logger = createLogger('bench', process.env.KEEPER_LOG === 'warn' ? 'warn' : 'silent')
  const { context, stop } = createServiceContext({
    applicationName: 'bench',
    databaseUrl: postgres.url,
    addressBook,
    chainUrls: new Map([[CHAIN_ID, { rpcUrls: [world.rpcUrls[CHAIN_ID] ?? ''], wsUrls: [] }]]),
    appSecret: randomBytes(32),
    quoteSigner: null,
    attestations: null,
    secretsKey: randomBytes(32),
    webhookTargets: { allowPrivate: false },
    settings: SETTINGS,
    logger,
  })
  used.defer(stop)
  const users = Array.from(
    { length: payments },
    (): Address => `0x${randomBytes(20).toString('hex')}`,
  )
  const addresses = users.map(addressOf)
  await sql`
    insert into app.smart_deposit_address (chain_id, address, factory, generation,
      user_destination_address, vault_address, input_token)
    select ${CHAIN_ID}, address, ${ONE_ADDRESS.factory.toLowerCase()}, 'B', destination,
      ${vault.toLowerCase()}, ${USDC.toLowerCase()}
    from unnest(${addresses}::text[], ${users}::text[]) as new (address, destination)`
  await client.setAutomine(false)
  await client.setIntervalMining({ interval: blockSeconds })
  used.defer(() => client.setIntervalMining({ interval: 0 }))
  const keeper = createKeeperPart({
    databaseUrl: postgres.url,
    service: context,
    listener: { onChange: () => () => {} },
    accounts: keepers.slice(0, keys),
    payerScreening: null,
    // No payment is foreign, so no quote is asked for.
    orderQuotes: httpOrderQuotes('http://127.0.0.1', null),
    settings: { mostParts },
    logger,
  }).start?.()
  used.defer(async () => keeper?.stop())
  await until(() => sql`select from app.keeper_chain where block_number is not null`)
  const cpu = process.cpuUsage()
  const seconds = [await settleAll(payments), await settleAll(2 * payments)]
  const { user, system } = process.cpuUsage(cpu)
  const gas = await gasOf()
  const settled = 2 * payments
  return {
    ...given,
    perSecond: settled / seconds.reduce((sum, one) => sum + one, 0),
    firstGas: gas.ofFirst / payments,
    laterGas: gas.ofLater / payments,
    transactions: gas.transactions,
    cpuMs: (user + system) / 1_000 / settled,
  }

  /** Pays to all addresses, and returns how long it takes until so many payments are settled. */
  async function settleAll(total: number): Promise<number> {
    await pay(addresses)
    const since = performance.now()
    await until(async () => {
      const [row] = await sql<{ settled: number; failed: number }[]>`
        select (count(*) filter (where minted_amount is not null))::integer as settled,
          (count(*) filter (where remediation is not null))::integer as failed
        from app.smart_deposit`
      if (row?.failed) throw new Error(`${row.failed} payments were not deposited`)
      return row?.settled === total ? [row] : []
    })
    return (performance.now() - since) / 1_000
  }

  /** The first half of the settlements created the accounts. No transaction has settlements of both halves. */
  async function gasOf() {
    const mined = await sql<{ hash: Hex; parts: number }[]>`
      select i.mined_hash as hash, count(*)::integer as parts
      from app.keeper_intent i join app.keeper_part p using (chain_id, keeper, nonce)
      where i.mined_hash is not null group by i.mined_hash, i.created_at order by i.created_at`
    let seen = 0
    const sums = { ofFirst: 0, ofLater: 0, transactions: mined.length }
    for (const { hash, parts } of mined) {
      const { gasUsed } = await client.getTransactionReceipt({ hash })
      sums[seen < payments ? 'ofFirst' : 'ofLater'] += Number(gasUsed)
      seen += parts
    }
    return sums
  }
}

async function until(ask: () => PromiseLike<readonly unknown[]>) {
  const since = performance.now()
  while ((await ask()).length === 0) {
    if (performance.now() - since > PATIENCE_MS) throw new Error('the keeper does not settle')
    await sleep(POLL_MS)
  }
}

function addressOf(userDestinationAddress: Address): Address {
  const key = {
    userDestinationAddress,
    vaultAddress: vault,
    inputToken: USDC,
    chainId: CHAIN_ID,
    customerId: null,
    organizationId: null,
  }
  const { factory: address, ...origin } = ONE_ADDRESS
  return smartDepositAddress({ address, ...origin }, key).toLowerCase() as Address
}

async function pay(addresses: readonly Address[]) {
  const abi = parseAbi(['function mint(address[] accounts, uint256 amount)'])
  const hashes: Hex[] = []
  for (let at = 0; at < addresses.length; at += MINTED_AT_ONCE)
    hashes.push(
      await client.writeContract({
        account: DEVNET_ACTORS.deployer,
        address: USDC,
        abi,
        functionName: 'mint',
        args: [addresses.slice(at, at + MINTED_AT_ONCE), AMOUNT],
        gas: 20_000_000n,
        // Full blocks make the next one dearer.
        maxFeePerGas: 10n ** 12n,
        maxPriorityFeePerGas: 10n ** 9n,
      }),
    )
  await client.mine({ blocks: 1 })
  for (const hash of hashes) {
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error('the payments were not made')
  }
}
