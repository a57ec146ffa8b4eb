import type { Address } from 'viem'
import { unlessUnavailable } from '../../error/unlessUnavailable.ts'
import { within } from '../../loop/within.ts'
import type { TokenBlocks } from '../../token/tokenBlocks.ts'
import type { EarnContext } from '../earnContext.ts'
import { type EarnDeployment, findDeployment } from '../vaults/deployments.ts'
import { knownHoldings } from './knownHoldings.ts'
import { firstUnpayable, type QueueBlock } from './queueBlocks.ts'
import type { WithdrawalPlace, WithdrawalRequest } from './withdrawalRequest.ts'

/** Why a waiting request cannot be paid now, or refunded if it is cancelled, as far as its chain shows it. */
export type RequestBlock = {
  reason: QueueBlock['reason'] | 'VAULT_PAUSED' | 'ACCOUNT_FROZEN'
  /** The request that holds up the queue: this one, or one before it. Null where no request does. */
  request: WithdrawalPlace | null
  /** The account that the issuer of the asset blocks. */
  account: Address | null
}

type BlockContext = Pick<EarnContext, 'addressBook' | 'queueBlocks' | 'vaultHoldingsCache'> & {
  tokenBlocks: TokenBlocks
}

/** A read of a request waits so long for a node; the answer is there for a later one. */
const WAIT_MS = 500

/** The block of a request in the queue in use. What does not end by itself comes first. */
export async function blockedBy(
  context: BlockContext,
  request: WithdrawalRequest,
): Promise<RequestBlock | null> {
  const { chainId, vault, queue, orderIndex, status } = request
  const isPending = status === 'PENDING'
  if (!isPending && status !== 'PENDING_REFUND') return null
  const deployment = findDeployment(context.addressBook, chainId, vault)
  if (deployment?.queue !== queue) return null
  const blocks = await context.queueBlocks.of(deployment)
  const ahead = blocks.filter((block) => block.orderIndex <= orderIndex)
  const unpayable = firstUnpayable(ahead)
  if (unpayable) return byRequest(unpayable)
  // The queue refunds cancelled requests while the vault is paused.
  if (isPending && (await isPaused(context, deployment)))
    return { reason: 'VAULT_PAUSED', request: null, account: null }
  const [lacking] = ahead
  if (lacking) return byRequest(lacking)
  return isPending ? frozenReceiver(context, deployment, request) : null
}

function byRequest(block: QueueBlock): RequestBlock {
  return { reason: block.reason, request: block, account: null }
}

async function isPaused(context: BlockContext, { chainId, vault }: EarnDeployment) {
  return (await knownHoldings(context, chainId))?.get(vault)?.isPaused === true
}

/** Looked for once a request is late, so that no usual read waits for a node. The queue refunds such a request. */
async function frozenReceiver(
  { tokenBlocks }: BlockContext,
  { assets }: EarnDeployment,
  { chainId, wantAsset: token, receiver: account, expectedBy }: WithdrawalRequest,
): Promise<RequestBlock | null> {
  if (expectedBy && expectedBy.getTime() >= Date.now()) return null
  // Only tokens of the address book are asked.
  if (!assets.some(({ address }) => address === token)) return null
  const read = tokenBlocks.get({ chainId, token, account })
  const issuer = await within(WAIT_MS, read.catch(unlessUnavailable))
  return issuer?.isBlocked ? { reason: 'ACCOUNT_FROZEN', request: null, account } : null
}
