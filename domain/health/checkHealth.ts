import { indexedChains } from '../addressBook/indexedChains.ts'
import { type ChainState, listChainStates } from '../chain/chainStates.ts'
import type { ServiceContext } from '../context.ts'

export type HealthCheck = { status: 'up' | 'down' } & Record<string, unknown>
export type Health = { isHealthy: boolean; checks: Record<string, HealthCheck> }

const DATABASE_TIMEOUT_MS = 2_000

/**
 * Checks the database, each chain's index and each chain's nodes. Unhealthy when the database is
 * down, or when every indexed chain lags by more than `maxLagSeconds`; one bad chain is named only.
 */
export async function checkHealth(
  context: Pick<ServiceContext, 'sql' | 'chains' | 'addressBook'>,
  { maxLagSeconds }: { maxLagSeconds: number },
): Promise<Health> {
  const chainIds = indexedChains(context.addressBook).map(({ id }) => id)
  const [database, rpc] = await Promise.all([checkDatabase(context), checkNodes(context)])
  const states =
    database.status === 'up' ? await listChainStates(context, chainIds).catch(() => []) : []
  const chains = Object.fromEntries(
    chainIds.map((chainId) => [
      chainId,
      describe(
        states.find((state) => state.chainId === chainId),
        maxLagSeconds,
      ),
    ]),
  )
  const isAnyLevel = chainIds.length === 0 || Object.values(chains).some(({ isLevel }) => isLevel)
  const isAllLevel = Object.values(chains).every(({ isLevel }) => isLevel)
  return {
    isHealthy: database.status === 'up' && isAnyLevel,
    checks: { database, indexer: { status: isAllLevel ? 'up' : 'down', chains }, ...rpc },
  }
}

async function checkDatabase({ sql }: Pick<ServiceContext, 'sql'>): Promise<HealthCheck> {
  const answer = sql`select 1`.then(() => true)
  const limit = new Promise<boolean>((resolve) =>
    setTimeout(resolve, DATABASE_TIMEOUT_MS, false).unref(),
  )
  const isUp = await Promise.race([answer, limit]).catch(() => false)
  return isUp ? { status: 'up' } : { status: 'down', message: 'the database does not answer' }
}

async function checkNodes({
  chains,
  addressBook,
}: Pick<ServiceContext, 'chains' | 'addressBook'>): Promise<Record<string, HealthCheck>> {
  const checks = await Promise.all(
    addressBook.chains.map(async ({ id }): Promise<[string, HealthCheck]> => {
      const head = await chains.head(id).catch(() => null)
      return [
        `rpc:${id}`,
        head === null
          ? { status: 'down', message: `no node of chain ${id} answers` }
          : { status: 'up', head: Number(head) },
      ]
    }),
  )
  return Object.fromEntries(checks)
}

function describe(state: ChainState | undefined, maxLagSeconds: number) {
  if (!state?.block) return { isLevel: false, message: 'not indexed yet' }
  const { block, head, lagSeconds, isSynced } = state
  return {
    isLevel: lagSeconds === null || lagSeconds <= maxLagSeconds,
    isSynced,
    block: Number(block.number),
    head: head === null ? null : Number(head),
    lagSeconds,
  }
}
