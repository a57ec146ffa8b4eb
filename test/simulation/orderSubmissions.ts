import {
  type Address,
  type ContractFunctionArgs,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  type LocalAccount,
} from 'viem'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_DIRECT_WITHDRAWER } from '../../devnet/accounts.ts'
import type { VaultDeployment } from '../../devnet/vaults/deployment.ts'
import { NO_SIGNATURE, orderParams } from '../../devnet/vaults/orderParams.ts'
import { cancelCall, forceCall, passOnCall, refundCall } from './queueCalls.ts'
import { readEnds } from './queueReads.ts'
import { planDeposit } from './shareMoves.ts'
import {
  assetAddress,
  HASTY,
  outcast,
  PLAYERS,
  pickAsset,
  pickHolder,
  someOf,
} from './vaultActors.ts'
import type { PlayedCall, VaultPlayer } from './vaultPlayer.ts'

/** Submissions of withdrawal requests. If no account has shares, one deposits instead. */

/** A request, in half of the cases followed by an action on it before it is processed. */
export async function planOrder(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const deployment = random.pick(player.deployments)
  const submission = await planSubmission(player, deployment, drawTerms(player))
  if (!submission) return planDeposit(player)
  const { queue } = deployment.current
  const { latest } = await readEnds(player, deployment)
  const orderIndex = latest + 1n
  const { receiver: from } = submission
  // Contracts send no transactions, and have already acted.
  if (Object.values(HASTY).includes(from)) return [submission.call]
  const next = random.pick([
    ...(['nothing', 'nothing', 'nothing', 'nothing', 'cancel'] as const),
    ...(['refund', 'pass on', 'force'] as const),
  ])
  const followUps: Record<typeof next, PlayedCall[]> = {
    nothing: [],
    cancel: [cancelCall(queue, from, orderIndex)],
    refund: [refundCall(queue, orderIndex)],
    'pass on': [passOnCall(player, queue, { from, orderIndex })],
    force: [forceCall(queue, orderIndex)],
  }
  return [submission.call, ...followUps[next]]
}

type Terms = {
  /** The smallest requests are below the flat fee. */
  isSmall: boolean
  /** The user's own address by default. */
  receiver?: Address
  refundReceiver?: Address
}

function drawTerms({ random }: VaultPlayer): Terms {
  const other = random.pick(PLAYERS).address
  const receiver = random.pick([
    ...([null, null, null, null, null, null, other, other, other, outcast.address] as const),
    ...Object.values(HASTY),
  ])
  const refundReceiver = random.pick([null, null, null, null, other, outcast.address])
  return {
    isSmall: random.chance(0.2),
    ...(receiver ? { receiver } : {}),
    ...(refundReceiver ? { refundReceiver } : {}),
  }
}

/** A request that cannot be paid, or not refunded, or neither. */
export async function planUnpayableOrder(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const [first, ...others] = player.deployments.filter(({ hook }) => hook)
  if (!first) return planOrder(player)
  const deployment = random.pick([first, ...others])
  const [receiver, refundReceiver] = [outcast.address, outcast.address]
  const terms = random.pick<Terms>([
    { isSmall: true },
    { isSmall: true, refundReceiver },
    { isSmall: false, receiver },
    { isSmall: false, receiver, refundReceiver },
  ])
  const submission = await planSubmission(player, deployment, terms)
  return submission ? [submission.call] : planDeposit(player)
}

/** A holder of shares; null if there is none. */
async function planSubmission(
  player: VaultPlayer,
  deployment: VaultDeployment,
  { isSmall, ...parties }: Terms,
) {
  const { random } = player
  const holder = await pickHolder(player, deployment)
  if (!holder) return null
  const user = holder.account
  const { minimumOrderSize } = deployment.plan
  const shares = isSmall
    ? (minimumOrderSize * BigInt(random.integer(10, 20))) / 10n
    : someOf(player, holder.balance)
  const params = orderParams({
    user,
    shares,
    ...parties,
    wantAsset: assetAddress(player, pickAsset(player, deployment)),
  })
  const call = random.chance(0.15)
    ? await signedSubmission(player, deployment, { user, params })
    : submissionCall(user.address, deployment, { params })
  return { call, receiver: params.receiver }
}

type Params = ContractFunctionArgs<typeof withdrawQueueAbi, 'nonpayable', 'submitOrder'>[0]

type Submission = {
  params: Params
  functionName?: 'submitOrder' | 'submitOrderAndProcessAll'
}

function submissionCall(
  from: Address,
  { current: { queue } }: VaultDeployment,
  { params, functionName = 'submitOrder' }: Submission,
): PlayedCall {
  const data = encodeFunctionData({ abi: withdrawQueueAbi, functionName, args: [params] })
  return { from, to: queue, data }
}

/** Signed by the account that pays the shares, sent by another. */
async function signedSubmission(
  player: VaultPlayer,
  deployment: VaultDeployment,
  { user, params }: { user: LocalAccount; params: ReturnType<typeof orderParams> },
): Promise<PlayedCall> {
  const { queue } = deployment.current
  const nonce = await player.read<bigint>(
    ...([queue, 'function nonces(address) view returns (uint256)', [user.address]] as const),
  )
  const types = 'uint256,address,address,address,uint256,uint8,uint256,address,uint256'.split(',')
  const { amountOffer, wantAsset, receiver, refundReceiver } = params
  const digest = keccak256(
    encodeAbiParameters(
      types.map((type) => ({ type })),
      [
        amountOffer,
        wantAsset,
        receiver,
        refundReceiver,
        SIGNED_UNTIL,
        0,
        nonce,
        queue,
        BigInt(player.chainId),
      ],
    ),
  )
  const eip2612Signature = (await user.sign?.({ hash: digest })) ?? '0x'
  const signed = { submitWithSignature: true, deadline: SIGNED_UNTIL, eip2612Signature }
  const signatureParams = { ...NO_SIGNATURE, ...signed }
  const sender = player.random.pick(PLAYERS).address
  return submissionCall(sender, deployment, { params: { ...params, signatureParams } })
}

const SIGNED_UNTIL = 4_000_000_000n

/** Sent by an account that may have all requests processed with its own. */
export async function planDirectOrder(player: VaultPlayer): Promise<PlayedCall[]> {
  const deployment = player.random.pick(player.deployments)
  const user = DEVNET_DIRECT_WITHDRAWER
  const holder = await pickHolder(player, deployment, [user])
  if (!holder) return planDeposit(player)
  const wantAsset = assetAddress(player, pickAsset(player, deployment))
  const shares = someOf(player, holder.balance)
  const params = orderParams({ user, wantAsset, shares })
  const functionName = 'submitOrderAndProcessAll'
  return [submissionCall(user.address, deployment, { params, functionName })]
}
