import { indexedChains } from '../addressBook/indexedChains.ts'
import type { Pulse } from '../chain/chainPulse.ts'
import type { SharedServices } from '../context.ts'
import { listChainBuilds } from '../index/chainBuilds.ts'
import { listChainStates } from '../index/chainStates.ts'
import type { ChainParts } from './describeChain.ts'

/** Whether the nodes of each chain of the address book answer. */
export type Pulses = Map<number, Pulse>

/** Asks the nodes of all chains. */
export async function readPulses({
  chains,
  addressBook,
}: Pick<SharedServices, 'chains' | 'addressBook'>): Promise<Pulses> {
  return new Map(
    await Promise.all(
      addressBook.chains.map(async ({ id }) => [id, await chains.pulse(id)] as const),
    ),
  )
}

/** The state and the builds of every chain that is indexed, by chain id. */
export async function readChainParts(
  context: Pick<SharedServices, 'sql' | 'chains' | 'addressBook'>,
  pulses: Pulses,
): Promise<Map<number, ChainParts>> {
  const chainIds = indexedChains(context.addressBook).map(({ id }) => id)
  const headOf = async (chainId: number) => {
    const pulse = pulses.get(chainId)
    return pulse?.status === 'up' ? pulse.head : null
  }
  // Before the first index there is no view to read: each chain is then listed without a state.
  const [states, builds] = await Promise.all([
    listChainStates(context, chainIds, headOf).catch(() => []),
    listChainBuilds(context.sql),
  ])
  return new Map(
    chainIds.map((chainId) => [
      chainId,
      {
        state: states.find((candidate) => candidate.chainId === chainId),
        builds: builds.find((candidate) => candidate.chainId === chainId),
      },
    ]),
  )
}
