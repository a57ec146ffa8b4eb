import { type Abi, type Address, checksumAddress, type PublicClient, parseAbi } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import type { PreparedCall } from '../chain/preparedCall.ts'
import { type Revert, revertOf } from '../chain/revert.ts'
import type { RequestContext } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'
import { assumeHoldings } from '../token/assumeHoldings.ts'
import type { QuoteParams } from './quoteParams.ts'

type Simulated = { station: { chainId: number; station: Address }; transaction: PreparedCall }

const errors = [
  ...transitStationAbi,
  ...parseAbi([
    'error LZ_InsufficientFee(uint256 requiredNative, uint256 suppliedNative, uint256 requiredLzToken, uint256 suppliedLzToken)',
  ]),
] as Abi

/**
 * Runs an order against the chain as it is now, as if the user had the offer, the message fee, and,
 * without a permit, the approval. Throws `SIMULATION_FAILED` with the revert.
 */
export async function simulateOrder(
  { chains }: RequestContext,
  params: QuoteParams,
  { station, transaction }: Simulated,
): Promise<void> {
  await chains.read(station.chainId, (client) => run(client, params, { station, transaction }))
}

async function run(
  client: PublicClient,
  { userAddress: owner, offerAsset: token, offerAmount: amount, permitSignature }: QuoteParams,
  { station, transaction }: Simulated,
): Promise<void> {
  const { to, data, value } = transaction
  const [balance, holdings] = await Promise.all([
    client.getBalance({ address: owner }),
    assumeHoldings(client, {
      ...{ token, owner, amount },
      ...(permitSignature === undefined ? { spender: station.station } : {}),
    }),
  ])
  if (!holdings)
    throw refused({ errorName: 'unknown', args: [] }, 'this token can only be simulated once held')
  const stateOverride = [
    ...holdings,
    ...(balance < value ? [{ address: owner, balance: value }] : []),
  ]
  await client.call({ account: owner, to, data, value, stateOverride }).catch((error) => {
    const revert = revertOf(error, errors)
    if (!revert) throw error
    throw refused(revert, describe(revert))
  })
}

function refused({ errorName, args }: Revert, words: string) {
  return new ServiceError('SIMULATION_FAILED', `The chain would refuse this: ${words}`, {
    metadata: { error: errorName, args: JSON.stringify(args.map(text)) },
    fieldViolations: [{ field: 'simulate', description: words }],
  })
}

function describe({ errorName, args }: Revert): string {
  return errorName === 'Error' ? String(args[0]) : `${errorName}(${args.map(text).join(', ')})`
}

function text(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
  return /^0x[0-9a-fA-F]{40}$/.test(String(value))
    ? checksumAddress(value as Address)
    : String(value)
}
