import { indexedChains } from '../addressBook/indexedChains.ts'
import { listChainBuilds } from '../chain/chainBuilds.ts'
import { listChainStates } from '../chain/chainStates.ts'
import type { SharedServices } from '../context.ts'
import { describeChain } from './describeChain.ts'

export type HealthCheck = { status: 'up' | 'down' } & Record<string, unknown>
export type Health = { isHealthy: boolean; checks: Record<string, HealthCheck> }

const DATABASE_TIMEOUT_MS = 2_000

/**
 * Checks the database, each chain's index and each chain's nodes. Unhealthy if the database is down, or
 * if no indexed chain is within `maxLagSeconds`. A single bad chain is only listed.
 */
export async function checkHealth(
  context: Pick<SharedServices, 'sql' | 'chains' | 'addressBook'>,
  { maxLagSeconds }: { maxLagSeconds: number },
): Promise<Health> {
  const chainIds = indexedChains(context.addressBook).map(({ id }) => id)
  const [database, rpc] = await Promise.all([checkDatabase(context), checkNodes(context)])
  const indexer =
    database.status === 'up'
      ? await checkIndex(context, chainIds, maxLagSeconds).catch(() => UNREADABLE)
      : UNREADABLE
  const isAnyCurrent = Object.values(indexer.chains).some(({ isLevel }) => isLevel)
  return {
    isHealthy: database.status === 'up' && (chainIds.length === 0 || isAnyCurrent),
    checks: { database, indexer, ...rpc },
  }
}

type IndexCheck = HealthCheck & { chains: Record<string, ReturnType<typeof describeChain>> }

const UNREADABLE: IndexCheck = { status: 'down', message: 'its state cannot be read', chains: {} }

async function checkIndex(
  context: Pick<SharedServices, 'sql' | 'chains' | 'addressBook'>,
  chainIds: number[],
  maxLagSeconds: number,
): Promise<IndexCheck> {
  const [states, builds] = await Promise.all([
    listChainStates(context, chainIds).catch(() => []),
    listChainBuilds(context.sql),
  ])
  const chains = Object.fromEntries(
    chainIds.map((chainId) => {
      const state = states.find((candidate) => candidate.chainId === chainId)
      const ofChain = builds.find((candidate) => candidate.chainId === chainId)
      return [chainId, describeChain({ state, builds: ofChain, maxLagSeconds })]
    }),
  )
  const isUp = Object.values(chains).every(({ isLevel }) => isLevel)
  return { status: isUp ? 'up' : 'down', chains }
}

async function checkDatabase({ sql }: Pick<SharedServices, 'sql'>): Promise<HealthCheck> {
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
}: Pick<SharedServices, 'chains' | 'addressBook'>): Promise<Record<string, HealthCheck>> {
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
