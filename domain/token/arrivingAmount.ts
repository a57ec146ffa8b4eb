import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type PublicClient,
} from 'viem'
import { multicall3Abi } from '../../abis/multicall3.ts'
import { unlessRefused } from '../chain/revert.ts'
import { assumeHoldings } from './assumeHoldings.ts'

export type TokenTransfer = { token: Address; from: Address; to: Address; amount: bigint }

/**
 * The part of a transfer that would reach `to`, assuming that `from` has the amount. Null where the token refuses the
 * transfer, or keeps its balances where they cannot be assumed.
 */
export async function readArriving(
  client: PublicClient,
  { token, from, to, amount }: TokenTransfer,
): Promise<bigint | null> {
  const multicall3 = client.chain?.contracts?.multicall3?.address
  if (!multicall3) return null
  const assumed = { token, owner: from, spender: multicall3, amount }
  const stateOverride = await assumeHoldings(client, assumed)
  if (!stateOverride) return null
  const ofToken = (callData: `0x${string}`) => ({ target: token, allowFailure: false, callData })
  const balance = ofToken(
    encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [to] }),
  )
  const transfer = ofToken(
    encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from, to, amount] }),
  )
  const aggregate = { abi: multicall3Abi, functionName: 'aggregate3' } as const
  const answer = await unlessRefused(
    client.call({
      to: multicall3,
      data: encodeFunctionData({ ...aggregate, args: [[balance, transfer, balance]] }),
      ...(stateOverride.length > 0 && { stateOverride }),
    }),
  )
  if (!answer?.data) return null
  const [before, , after] = decodeFunctionResult({ ...aggregate, data: answer.data })
  return before && after ? BigInt(after.returnData) - BigInt(before.returnData) : null
}
