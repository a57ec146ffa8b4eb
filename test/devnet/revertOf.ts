import { type Abi, BaseError, decodeErrorResult, type Hex, isHex } from 'viem'
import { type World, worldClient } from '../../devnet/world.ts'
import { endpointAbi, stationAbi } from './localAbis.ts'
import type { Call } from './stationWorld.ts'

/** The error a call ends in, as its name and arguments; a string revert is named `Error`. Throws if the call passes. */
export async function revertOf(
  world: World,
  chainId: number,
  call: Call,
  abi: Abi = [...stationAbi, ...endpointAbi],
): Promise<unknown[]> {
  const { address: to, account, data, value = 0n } = call
  const error = await worldClient(world, chainId)
    .call({ account, to, data, value })
    .then(
      () => undefined,
      (caught) => caught,
    )
  if (error === undefined) throw new Error('the call was expected to revert')
  const { errorName, args } = decodeErrorResult({
    abi,
    data: revertData(error),
  })
  return [errorName, ...(args ?? [])]
}

function revertData(error: unknown): Hex {
  const holder =
    error instanceof BaseError
      ? error.walk((inner) => inner instanceof Error && 'data' in inner && isHex(inner.data))
      : null
  if (holder && 'data' in holder && isHex(holder.data)) return holder.data
  throw error
}
