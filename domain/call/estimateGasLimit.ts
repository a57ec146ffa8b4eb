import type { PublicClient } from 'viem'
import type { ChainClients } from '../chain/chainClients.ts'
import { within } from '../loop/within.ts'
import { assumeHoldings } from '../token/assumeHoldings.ts'
import { MOST_GAS, type Simulation } from './simulateCall.ts'

/** For all calls of an estimate, so that a node that is slow at it delays no answer for longer. */
const MOST_MS = 1_000
/** Deployed contracts ran out of gas with exactly the estimate. */
const HEADROOM_PERCENT = 20n

export type Estimation = Omit<Simulation, 'errors' | 'gas'>

/**
 * The gas limit for a prepared transaction: the node's estimate and 20 %, assuming the sender's balance
 * and allowance as a simulation does. Null where there is no estimate in time: it never fails, because an
 * answer is complete without it.
 */
export async function estimateGasLimit(
  { chains }: { chains: ChainClients },
  estimation: Estimation,
): Promise<bigint | null> {
  const estimate = chains.read(estimation.chainId, (client) => run(client, estimation))
  return within(
    MOST_MS,
    // A revert, a node that fails or has no state overrides, a token with unusual storage: none gives an estimate.
    estimate.catch(() => null),
  )
}

async function run(
  client: PublicClient,
  { transaction, sender, assumed }: Estimation,
): Promise<bigint | null> {
  const stateOverride = assumed ? await assumeHoldings(client, { ...assumed, owner: sender }) : []
  if (!stateOverride) return null
  const { to, data, value } = transaction
  const gas = await client.estimateGas({
    account: sender,
    to,
    data,
    value,
    gas: MOST_GAS,
    ...(stateOverride.length > 0 && { stateOverride }),
  })
  return (gas * (100n + HEADROOM_PERCENT)) / 100n
}
