import { type Address, type PublicClient, parseAbi } from 'viem'
import { tryRead } from '../chain/gatheredReads.ts'

/**
 * Getters by which tokens show that an account can neither pay nor be paid. A token has one of them or
 * none.
 */
const blockingAbi = parseAbi([
  'function isBlacklisted(address account) view returns (bool)',
  'function isBlackListed(address account) view returns (bool)',
  'function isFrozen(address account) view returns (bool)',
  'function paused() view returns (bool)',
])
const GETTERS = ['isBlacklisted', 'isBlackListed', 'isFrozen'] as const

/** Whether a token's issuer has paused all transfers. False for a token without such a getter. */
export async function readPaused(client: PublicClient, token: Address): Promise<boolean> {
  const call = { address: token, abi: blockingAbi, functionName: 'paused' } as const
  return (await tryRead(client, call)) ?? false
}

/** Whether a token's issuer has blocked an account. */
export async function readBlocked(
  client: PublicClient,
  token: Address,
  account: Address,
): Promise<boolean> {
  const answers = await Promise.all(
    GETTERS.map((functionName) =>
      tryRead(client, { address: token, abi: blockingAbi, functionName, args: [account] }),
    ),
  )
  return answers.includes(true)
}
