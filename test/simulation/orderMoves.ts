import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  type LocalAccount,
} from 'viem'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_ACTORS, DEVNET_DIRECT_WITHDRAWER } from '../../devnet/accounts.ts'
import type { VaultDeployment } from '../../devnet/vaults/deployment.ts'
import { NO_SIGNATURE, orderParams } from '../../devnet/vaults/submitWithdrawal.ts'
import { planFunding } from './operatorMoves.ts'
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
import { type PlayedCall, played, type VaultPlayer } from './vaultPlayer.ts'

/** What befalls the orders of a withdraw queue. A plan is empty where nothing can be done. */

const { queueProcessor, vaultDeployer } = DEVNET_ACTORS
/** As getOrderStatus counts. */
const PENDING = 1
/** What fits into one call's gas. */
const MOST_ORDERS = 6
const MOST_TRIED = 12n

/** An order, in one case of two followed by what somebody does with it before it is processed. */
export async function planOrder(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const deployment = random.pick(player.deployments)
  const submission = await planSubmission(player, deployment, drawTerms(player))
  if (!submission) return planDeposit(player)
  const { queue } = deployment.current
  const latest = await player.read<bigint>(queue, LATEST)
  const orderIndex = latest + 1n
  const { receiver } = submission
  const from = receiver.toLowerCase() === HASTY.toLowerCase() ? PLAYERS[0].address : receiver
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
  /** The smallest are those of which a flat fee takes more than all. */
  isSmall: boolean
  /** Its own user's address where nothing is said. */
  receiver?: Address
  refundReceiver?: Address
}

function drawTerms({ random }: VaultPlayer): Terms {
  const other = random.pick(PLAYERS).address
  const receiver = random.pick([null, null, null, null, other, other, outcast.address, HASTY])
  const refundReceiver = random.pick([null, null, null, null, other, outcast.address])
  return {
    isSmall: random.chance(0.2),
    ...(receiver ? { receiver } : {}),
    ...(refundReceiver ? { refundReceiver } : {}),
  }
}

/** Where shares may be refused too: an order that cannot be paid, or not be given back, or neither. */
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

/** Of somebody who has shares; null where nobody has. */
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
    ...{ user, deployment, shares, ...parties },
    wantAsset: assetAddress(player, pickAsset(player, deployment)),
  })
  const call = random.chance(0.15)
    ? await signedSubmission(player, deployment, { user, params })
    : submissionCall(user.address, deployment, { params })
  return { call, receiver: params.receiver }
}

type Params = Omit<ReturnType<typeof orderParams>, 'signatureParams'> & {
  signatureParams: { [Key in keyof typeof NO_SIGNATURE]: Widened<(typeof NO_SIGNATURE)[Key]> }
}
type Widened<Value> = Value extends boolean
  ? boolean
  : Value extends bigint
    ? bigint
    : Value extends number
      ? number
      : Hex

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

/** Signed by who pays the shares, sent by somebody else. */
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
        ...[amountOffer, wantAsset, receiver, refundReceiver],
        ...[SIGNED_UNTIL, 0, nonce, queue, BigInt(player.chainId)],
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

/** By who may have all orders processed behind his own. */
export async function planDirectOrder(player: VaultPlayer): Promise<PlayedCall[]> {
  const deployment = player.random.pick(player.deployments)
  const user = DEVNET_DIRECT_WITHDRAWER
  const holder = await pickHolder(player, deployment, [user])
  if (!holder) return planDeposit(player)
  const wantAsset = assetAddress(player, pickAsset(player, deployment))
  const shares = someOf(player, holder.balance)
  const params = orderParams({ user, deployment, wantAsset, shares })
  const functionName = 'submitOrderAndProcessAll'
  return [submissionCall(user.address, deployment, { params, functionName })]
}

export async function planCancel(player: VaultPlayer): Promise<PlayedCall[]> {
  const order = await pickPending(player)
  return order ? [cancelCall(order.queue, order.holder, order.orderIndex)] : []
}

export async function planOperatorRefund(player: VaultPlayer): Promise<PlayedCall[]> {
  const order = await pickPending(player)
  return order ? [refundCall(order.queue, order.orderIndex)] : []
}

export async function planReceiptTransfer(player: VaultPlayer): Promise<PlayedCall[]> {
  const order = await pickPending(player)
  if (!order) return []
  const { holder: from, orderIndex } = order
  return [passOnCall(player, order.queue, { from, orderIndex })]
}

/** Where the vault cannot pay, it gets what it lacks instead. */
export async function planForce(player: VaultPlayer): Promise<PlayedCall[]> {
  const order = await pickPending(player)
  if (!order) return []
  const call = forceCall(order.queue, order.orderIndex)
  return (await player.passes(call)) ? [call] : planFunding(player, order.deployment)
}

export async function planProcessing(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const waiting = (
    await Promise.all(player.deployments.map((entry) => countWaiting(player, entry)))
  ).filter(({ count }) => count > 0)
  const [first, ...others] = waiting
  if (!first) return []
  const { deployment, count } = random.pick([first, ...others])
  return processingCalls(player, deployment, random.integer(1, count))
}

/** So many orders in their turn, or as many of them as pass; where none does, what the vault lacks. */
export async function processingCalls(
  player: VaultPlayer,
  deployment: VaultDeployment,
  most: number,
): Promise<PlayedCall[]> {
  for (let count = Math.min(most, MOST_ORDERS); count > 0; count = Math.floor(count / 2)) {
    const call = played({
      ...{ from: queueProcessor.address, to: deployment.current.queue },
      call: ['function processOrders(uint256)', BigInt(count)],
    })
    if (await player.passes(call)) return [call]
  }
  return planFunding(player, deployment)
}

export async function countWaiting(player: VaultPlayer, deployment: VaultDeployment) {
  const { last, latest } = await readEnds(player, deployment)
  return { deployment, count: Number(latest - last) }
}

const LATEST = 'function latestOrder() view returns (uint256)'

async function readEnds(player: VaultPlayer, { current: { queue } }: VaultDeployment) {
  const [latest, last] = await Promise.all([
    player.read<bigint>(queue, LATEST),
    player.read<bigint>(queue, 'function lastProcessedOrder() view returns (uint256)'),
  ])
  return { latest, last }
}

type PendingOrder = {
  deployment: VaultDeployment
  queue: Address
  orderIndex: bigint
  holder: Address
}

/** One that is neither marked nor paid, of any queue; null where there is none. */
async function pickPending(player: VaultPlayer): Promise<PendingOrder | null> {
  const perQueue = await Promise.all(
    player.deployments.map(async (deployment) => {
      const { queue } = deployment.current
      const { last, latest } = await readEnds(player, deployment)
      const tried = latest - last > MOST_TRIED ? MOST_TRIED : latest - last
      const indices = Array.from({ length: Number(tried) }, (_, place) => latest - BigInt(place))
      const statuses = await Promise.all(
        indices.map((index) =>
          player.read<number>(queue, 'function getOrderStatus(uint256) view returns (uint8)', [
            index,
          ]),
        ),
      )
      return indices
        .filter((_, place) => statuses[place] === PENDING)
        .map((orderIndex) => ({ deployment, queue, orderIndex }))
    }),
  )
  const [first, ...others] = perQueue.flat()
  if (!first) return null
  const order = player.random.pick([first, ...others])
  const holder = await player.read<Address>(
    ...([order.queue, 'function ownerOf(uint256) view returns (address)'] as const),
    [order.orderIndex],
  )
  return { ...order, holder }
}

function cancelCall(queue: Address, from: Address, orderIndex: bigint): PlayedCall {
  return played({ from, to: queue, call: ['function cancelOrder(uint256)', orderIndex] })
}

function refundCall(queue: Address, orderIndex: bigint): PlayedCall {
  const call: [string, bigint[]] = ['function refundOrders(uint256[])', [orderIndex]]
  return played({ from: vaultDeployer.address, to: queue, call })
}

function forceCall(queue: Address, orderIndex: bigint): PlayedCall {
  const call: [string, bigint] = ['function forceProcess(uint256)', orderIndex]
  return played({ from: vaultDeployer.address, to: queue, call })
}

function passOnCall(
  { random }: VaultPlayer,
  queue: Address,
  { from, orderIndex }: { from: Address; orderIndex: bigint },
): PlayedCall {
  const heir = random.chance(0.2) ? outcast : random.pick(PLAYERS)
  return played({
    ...{ from, to: queue },
    call: ['function transferFrom(address, address, uint256)', from, heir.address, orderIndex],
  })
}
