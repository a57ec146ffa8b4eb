import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { LocalAccount } from 'viem'
import type { IndexListener } from '../../db/indexListener.ts'
import type { AddressBookChain } from '../../domain/addressBook/addressBook.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import { observe } from '../../domain/observation/observe.ts'
import { keeperCeilings } from '../../domain/smartDeposit/keeperCeilings.ts'
import type { PayerScreening } from '../../domain/smartDeposit/payerScreening.ts'
import type { WorkerPart } from '../worker.ts'
import { type ChainLease, type ChainLeases, createChainLeases } from './chainLeases.ts'
import { KEEPER_SETTINGS, type Keeper, type KeeperService, type KeeperSettings } from './keeper.ts'
import type { OrderQuotes } from './orderQuotes.ts'
import { retryingChains } from './retryingChains.ts'
import { runKeeper } from './runKeeper.ts'
import { noneUnlisted } from './unlistedTokens.ts'
import { createWatchedAddresses } from './watchedAddresses.ts'

export type KeeperPartOptions = {
  databaseUrl: string
  service: KeeperService & { sql: Sql }
  listener: Pick<IndexListener, 'onChange'>
  /** None if this worker has no key: it then reports deposits and sends nothing. */
  accounts: readonly LocalAccount[]
  /** Null without a provider: then no payer is screened. */
  payerScreening: PayerScreening | null
  orderQuotes: OrderQuotes
  settings?: Partial<KeeperSettings>
  logger: Logger
}

/** Between two tries to take over a chain that another worker keeps. */
const TAKE_MS = 1_000

/** Keeps every chain that has a factory; of several workers only one keeps a chain at a time. */
export function createKeeperPart(options: KeeperPartOptions): WorkerPart {
  return {
    start() {
      const stopping = new AbortController()
      const leases = createChainLeases(options.databaseUrl, options.service.sql)
      const chains = options.service.addressBook.chains.filter(({ smartDeposit }) => smartDeposit)
      const running = chains.map((chain) => run({ ...options, chain, leases }, stopping.signal))
      return {
        async stop() {
          stopping.abort()
          await Promise.all(running)
          await leases.stop()
        },
      }
    },
  }
}

type Run = KeeperPartOptions & { chain: AddressBookChain; leases: ChainLeases }

async function run(options: Run, signal: AbortSignal) {
  const { chain, leases, listener, logger } = options
  async function takeAndKeep() {
    const lease = await leases.take(chain.id)
    const keeper = lease && createKeeper(options, lease)
    if (!keeper) return
    logger.info({ chainId: chain.id }, 'this worker is now the keeper of the chain')
    await runKeeper(keeper, listener, signal).finally(() =>
      observe({ kind: 'keeperEnd', chainId: chain.id }),
    )
  }
  const onFailure = (error: unknown) =>
    logger.warn(
      { chainId: chain.id, err: error },
      'the lease of a chain could not be requested from the database',
    )
  await repeat({ run: takeAndKeep, everyMs: TAKE_MS, onFailure }, signal)
}

/** A keeper with empty memory, one per lease; null for a chain without a factory. */
export function createKeeper(
  {
    chain,
    service,
    accounts,
    payerScreening,
    orderQuotes,
    settings,
    logger,
  }: Omit<Run, 'leases' | 'databaseUrl' | 'listener'>,
  lease: ChainLease,
): Keeper | null {
  const { smartDeposit } = chain
  if (!smartDeposit) return null
  return {
    chain,
    smartDeposit,
    accounts,
    payerScreening,
    orderQuotes,
    lease,
    logger,
    sql: service.sql,
    service: { ...service, chains: retryingChains(service.chains) },
    settings: { ...KEEPER_SETTINGS, ...settings },
    ceilings: keeperCeilings(chain),
    watched: createWatchedAddresses(service.sql, service.addressBook, chain),
    memory: {
      head: null,
      isToCompare: false,
      sweep: { from: 0, nextAt: 0, added: [] },
      search: null,
      passed: null,
      lookedFor: new Set(),
      unlisted: noneUnlisted(),
      withoutGas: new Set(),
      hold: null,
      isRecorded: false,
      downSince: null,
    },
  }
}
