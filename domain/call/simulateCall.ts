import type { Abi, Address, PublicClient } from 'viem'
import type { ChainClients } from '../chain/chainClients.ts'
import { revertOf } from '../chain/revert.ts'
import { ServiceError } from '../error/serviceError.ts'
import { assumeHoldings } from '../token/assumeHoldings.ts'
import type { CallWarning, PreparedCall } from './preparedCall.ts'

export type Simulation = {
  chainId: number
  transaction: PreparedCall
  /** The sender of the transaction. */
  sender: Address
  /**
   * The sender's assumed balance in base units and, with `spender`, the assumed allowance. Without a
   * token nothing is assumed.
   */
  assumed: { token: Address; amount: bigint; spender?: Address } | null
  /** The default is enough to settle some dozens of orders. */
  gas?: bigint
  /** The errors with which a revert is decoded. */
  errors: Abi
}

/** A limit, so that an unknown contract cannot use up a node. */
export const MOST_GAS = 15_000_000n

const UNAVAILABLE: CallWarning = {
  reason: 'SIMULATION_UNAVAILABLE',
  message:
    'Not simulated: this token keeps its balances where they cannot be assumed. It can be simulated for an account that holds the amount and has approved it.',
}

/**
 * Simulates a prepared transaction on the chain's current state, assuming the sender's balance. Returns a warning where that
 * cannot be assumed. Throws `SIMULATION_FAILED` with the revert, or `RPC_UNAVAILABLE`.
 */
export async function simulateCall(
  { chains }: { chains: ChainClients },
  simulation: Simulation,
): Promise<CallWarning[]> {
  return chains.read(simulation.chainId, (client) => run(client, simulation))
}

async function run(client: PublicClient, simulation: Simulation): Promise<CallWarning[]> {
  const { transaction, sender, assumed, errors, gas = MOST_GAS } = simulation
  const call = { account: sender, to: transaction.to, data: transaction.data, gas }
  const { value } = transaction
  const [balance, holdings] = await Promise.all([
    client.getBalance({ address: sender }),
    assumed ? assumeHoldings(client, { ...assumed, owner: sender }) : [],
  ])
  if (!holdings) return [UNAVAILABLE]
  const funds = balance < value ? [{ address: sender, balance: value }] : []
  const stateOverride = [...holdings, ...funds]
  await client.call({ ...call, value, stateOverride }).catch((error) => {
    const revert = revertOf(error, errors)
    if (!revert) throw error
    const { errorName, args } = revert
    const texts = args.map(toText)
    const words = errorName === 'Error' ? texts[0] : `${errorName}(${texts.join(', ')})`
    throw failed(`the chain would refuse it with ${words}`, {
      error: errorName,
      args: JSON.stringify(texts),
    })
  })
  return []
}

function failed(description: string, metadata: Record<string, string>) {
  return new ServiceError('SIMULATION_FAILED', `Simulated, ${description}`, {
    metadata,
    fieldViolations: [{ field: 'simulate', description }],
  })
}

function toText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))
}
