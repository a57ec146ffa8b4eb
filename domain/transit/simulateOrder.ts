import { type Abi, type PublicClient, parseAbi } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import type { PreparedCall } from '../chain/preparedCall.ts'
import { revertOf } from '../chain/revert.ts'
import type { RequestContext } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'
import { assumeHoldings } from '../token/assumeHoldings.ts'
import type { QuoteParams } from './quoteParams.ts'
import type { TransitChain } from './transitChains.ts'

type Simulated = { source: TransitChain; transaction: PreparedCall }

const errors = [
  ...transitStationAbi,
  ...parseAbi([
    'error LZ_InsufficientFee(uint256 requiredNative, uint256 suppliedNative, uint256 requiredLzToken, uint256 suppliedLzToken)',
  ]),
] as Abi

/**
 * Runs an order against the chain as it is now, as if the user had the offer, the message fee, and,
 * without a permit, the approval. Throws `SIMULATION_FAILED` with the revert, or `RPC_UNAVAILABLE`.
 */
export async function simulateOrder(
  { chains }: Pick<RequestContext, 'chains'>,
  params: QuoteParams,
  { source, transaction }: Simulated,
): Promise<void> {
  await chains.read(source.chainId, (client) => run(client, params, { source, transaction }))
}

async function run(
  client: PublicClient,
  { userAddress: owner, offerAsset: token, offerAmount: amount, permitSignature }: QuoteParams,
  { source, transaction }: Simulated,
): Promise<void> {
  const { to, data, value } = transaction
  const spender = permitSignature === undefined ? { spender: source.station } : {}
  const [balance, holdings] = await Promise.all([
    client.getBalance({ address: owner }),
    assumeHoldings(client, { token, owner, amount, ...spender }),
  ])
  if (!holdings)
    throw failed('this token can only be simulated for who holds it and has approved it')
  const funds = balance < value ? [{ address: owner, balance: value }] : []
  const stateOverride = [...holdings, ...funds]
  await client.call({ account: owner, to, data, value, stateOverride }).catch((error) => {
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
}

function failed(description: string, metadata: Record<string, string> = {}) {
  return new ServiceError('SIMULATION_FAILED', `Simulated, ${description}`, {
    metadata,
    fieldViolations: [{ field: 'simulate', description }],
  })
}

function toText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))
}
