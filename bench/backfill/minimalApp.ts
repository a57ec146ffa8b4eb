import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { VaultSite } from '../../test/support/vaultStory.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const PATCHES = join(PROJECT, 'patches')
const run = promisify(execFile)

type Read = readonly [file: string, abi: string, events: readonly string[]]

/** The events of each contract that the project's index reads. */
const READ = {
  vault: ['vault', 'vaultAbi', ['Transfer', 'Exit']],
  teller: ['teller', 'tellerAbi', ['Deposit', 'BulkWithdraw', 'Paused', 'Unpaused']],
  accountant: ['accountant', 'accountantAbi', ['ExchangeRateUpdated', 'Paused', 'Unpaused']],
  depositor: [
    'depositor',
    'depositorAbi',
    ['DepositWithDistributorCode', 'SupplyCapInBaseUpdated', 'FeeModuleUpdated'],
  ],
  queue: [
    'withdrawQueue',
    'withdrawQueueAbi',
    [
      'Transfer',
      'OrderSubmitted',
      'OrderMarkedForRefund',
      'OrderRefunded',
      'OrderProcessed',
      'OrdersProcessedInRange',
      'OrderRefundFailed',
      'FeesExceededOrderAmount',
    ],
  ],
  feeModule: ['feeModule', 'feeModuleAbi', ['FeeDataUpdated']],
} satisfies Record<string, Read>

export const PONDERS = ['patched', 'published'] as const
export type PonderKind = (typeof PONDERS)[number]

/** The least work that this Ponder can do with those logs: one table, one row per log. */
export async function writeMinimalApp(chainId: number, { places }: VaultSite, ponder: PonderKind) {
  // Below the project, so that a copied Ponder finds its dependencies.
  const parent = join(PROJECT, '.causeway')
  await mkdir(parent, { recursive: true })
  const root = await mkdtemp(join(parent, 'minimal-'))
  await (ponder === 'patched'
    ? symlink(join(PROJECT, 'node_modules'), join(root, 'node_modules'))
    : copyPublishedPonder(root))
  await mkdir(join(root, 'src/api'), { recursive: true })
  const contracts = Object.entries<Read>(READ)
  const imports = contracts.map(
    ([, [file, abi]]) => `import { ${abi} } from '${join(PROJECT, 'abis', `${file}.ts`)}'`,
  )
  const entries = contracts.map(
    ([name, [, abi]]) =>
      `${name}: { abi: ${abi}, chain: 'chain', address: '${places[name as keyof typeof places]}', startBlock: 0 }`,
  )
  const files = {
    'package.json': '{ "name": "minimal", "type": "module" }',
    'tsconfig.json': '{}',
    'ponder.config.ts': `
      import { createConfig } from 'ponder'
      ${imports.join('\n')}
      const rpc = Array.from({ length: 10 }, (_, i) => process.env.RELAY_URL + '/${chainId}/' + i)
      export default createConfig({
        ordering: 'multichain',
        database: { kind: 'postgres', connectionString: process.env.DATABASE_URL },
        chains: { chain: { id: ${chainId}, rpc } },
        contracts: { ${entries.join(', ')} },
      })`,
    'ponder.schema.ts': `
      import { onchainTable, primaryKey } from 'ponder'
      export const log = onchainTable('log', (t) => ({
        transactionHash: t.hex().notNull(),
        logIndex: t.integer().notNull(),
        blockNumber: t.int8({ mode: 'bigint' }).notNull(),
        address: t.hex().notNull(),
      }), (table) => ({ pk: primaryKey({ columns: [table.transactionHash, table.logIndex] }) }))`,
    'src/index.ts': `
      import { ponder } from 'ponder:registry'
      import { log } from 'ponder:schema'
      for (const name of ${JSON.stringify(contracts.flatMap(([name, [, , events]]) => events.map((event) => `${name}:${event}`)))})
        ponder.on(name, async ({ event, context }) => {
          await context.db.insert(log).values({
            transactionHash: event.transaction.hash,
            logIndex: event.log.logIndex,
            blockNumber: event.block.number,
            address: event.log.address,
          })
        })`,
    'src/api/index.ts': `import { Hono } from 'hono'\nexport default new Hono()`,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
  return { root, remove: () => rm(root, { recursive: true, force: true }) }
}

/** Takes our patch back in a copy. Needs the program `patch`. */
async function copyPublishedPonder(root: string) {
  const file = (await readdir(PATCHES)).find((name) => name.startsWith('ponder+'))
  if (!file) throw new Error(`${PATCHES} has no patch of Ponder`)
  await cp(join(PROJECT, 'node_modules/ponder'), join(root, 'node_modules/ponder'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  await run('patch', ['--reverse', '--strip=1', '--input', join(PATCHES, file)], {
    cwd: root,
  })
}
