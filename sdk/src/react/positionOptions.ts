import type { Address } from 'viem'
import type { CallOptions, Connection } from '../connection/connection.ts'
import type { Answer } from '../connection/operation.ts'
import { listUserPositions } from '../generated/actions.ts'
import { readFactory } from './readFactory.ts'

export type UserPositionParameters = {
  userAddress: Address
  chainId: number
  vaultAddress: Address
}

type UserPosition = Answer<'listUserPositions'>['userPositions'][number]

async function getUserPosition(
  connection: Connection,
  { userAddress, ...filter }: UserPositionParameters,
  options?: CallOptions,
): Promise<UserPosition | null> {
  const [position] = await listUserPositions(connection, { userAddress, filter }, options).take(1)
  return position ?? null
}

/**
 * The position of a user in one deployment of a vault; null without one.
 *
 * @example
 * await queryClient.fetchQuery(positionOptions(connection, { ...vault, userAddress: account.address }))
 */
export const positionOptions = /* @__PURE__ */ readFactory('earn.position', getUserPosition)
