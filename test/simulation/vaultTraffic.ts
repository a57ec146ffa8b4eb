import { encodeFunctionData, erc20Abi, type LocalAccount, parseAbi } from 'viem'
import { accountantAbi } from '../../abis/accountant.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_ACTORS, DEVNET_SOLVER, DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { PLANNED_TOKENS } from '../../devnet/plan.ts'
import { VAULT_CHAINS, type VaultDeployment } from '../../devnet/vaults/deployment.ts'
import { depositInto } from '../../devnet/vaults/depositInto.ts'
import { accountantOperatorAbi, queueOperatorAbi } from '../../devnet/vaults/operatorAbis.ts'
import { forceProcess, processOrders } from '../../devnet/vaults/queueOperator.ts'
import { sendCall } from '../../devnet/vaults/sendCall.ts'
import { submitWithdrawal } from '../../devnet/vaults/submitWithdrawal.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import type { SeededRandom } from '../support/seededRandom.ts'

const [first = DEVNET_SOLVER, ...others] = DEVNET_USERS.slice(0, 4)
const USERS = [first, ...others] as const
const BULK_WITHDRAW = parseAbi([
  'function bulkWithdraw(address withdrawAsset, uint256 shareAmount, uint256 minimumAssets, address to)',
])
/** Vaults of 6 and of 18 decimals, of both generations: few, so that each has many events. */
const USED = ['Harbor Dollar', 'Harbor Prime', 'Harbor Classic', 'Harbor Gold']
const DEEDS = [
  'deposit',
  'deposit',
  'transfer',
  'transfer',
  'submit',
  'submit',
  'submit',
  'passOn',
  'cancel',
  'refund',
  'force',
  'process',
  'process',
  'atOnce',
  'rate',
] as const
type Deed = (typeof DEEDS)[number]

/**
 * Random actions on the vaults of a world, one at a time. The nodes mine each transaction at once. If the
 * chain refuses an action, such as the cancellation of a request that has ended, a deposit replaces it.
 */
export function createVaultTraffic(world: World, random: SeededRandom): () => Promise<void> {
  const deployments = VAULT_CHAINS.filter(({ chainId }) => world.rpcUrls[chainId])
    .flatMap((chain) => chain.deployments)
    .filter(({ plan }) => USED.includes(plan.name))
  const [deployment, ...more] = deployments
  if (!deployment) return async () => {}
  const [deed, ...deeds] = DEEDS
  return async () => {
    const doing = { world, random, of: random.pick([deployment, ...more]) }
    const { deposit } = DOING
    // A refused move has not happened. The others are read from the chain.
    await DOING[random.pick([deed, ...deeds])](doing)
      .catch(() => deposit(doing))
      .catch(() => {})
  }
}

type Doing = { world: World; random: SeededRandom; of: VaultDeployment }

const DOING: Record<Deed, (doing: Doing) => Promise<unknown>> = {
  deposit({ world, random, of }) {
    const { token } = of.plan.assets[random.integer(0, of.plan.assets.length - 1)] ?? {}
    if (!token || token === 'WETH') return Promise.resolve()
    const decimals = PLANNED_TOKENS.find(({ symbol }) => symbol === token)?.decimals ?? 0
    const amount = BigInt(random.integer(20, 900)) * 10n ** BigInt(decimals)
    const asset = DEPLOYMENT.tokens[token]
    const receiver = random.pick([...USERS, DEVNET_SOLVER]).address
    return depositInto(world, { user: random.pick(USERS), deployment: of, asset, amount, receiver })
  },
  async transfer({ world, random, of }) {
    const user = random.pick(USERS)
    const amount = await partOfShares({ world, random, of }, user)
    const args = [random.pick(USERS).address, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await sendCall(world, of.chainId, { account: user, address: of.vault, data })
  },
  async submit({ world, random, of }) {
    const user = random.pick(USERS)
    const shares = await partOfShares({ world, random, of }, user)
    const receiver = random.pick(USERS).address
    const token = of.plan.assets[random.integer(0, of.plan.assets.length - 1)]?.token
    if (!token || token === 'WETH') return
    const wantAsset = DEPLOYMENT.tokens[token]
    await submitWithdrawal(world, { user, deployment: of, wantAsset, shares, receiver })
  },
  async passOn(doing) {
    const { orderIndex, holder } = await someOrder(doing)
    const args = [holder.address, doing.random.pick(USERS).address, orderIndex] as const
    const data = encodeFunctionData({ abi: queueOperatorAbi, functionName: 'transferFrom', args })
    await toQueue(doing, holder, data)
  },
  async cancel(doing) {
    const { orderIndex, holder } = await someOrder(doing)
    const args = [orderIndex] as const
    const data = encodeFunctionData({ abi: withdrawQueueAbi, functionName: 'cancelOrder', args })
    await toQueue(doing, holder, data)
  },
  async refund(doing) {
    const { orderIndex } = await someOrder(doing)
    const args = [[orderIndex]] as const
    const data = encodeFunctionData({ abi: queueOperatorAbi, functionName: 'refundOrders', args })
    await toQueue(doing, DEVNET_ACTORS.vaultDeployer, data)
  },
  async force(doing) {
    const { orderIndex } = await someOrder(doing)
    await forceProcess(doing.world, doing.of, orderIndex)
  },
  process: ({ world, random, of }) => processOrders(world, of, BigInt(random.integer(1, 2))),
  async atOnce(doing) {
    const shares = await partOfShares(doing, DEVNET_SOLVER)
    const token = doing.of.plan.assets[0]?.token
    if (!token || token === 'WETH') return
    const args = [DEPLOYMENT.tokens[token], shares, 0n, DEVNET_SOLVER.address] as const
    const data = encodeFunctionData({ abi: BULK_WITHDRAW, functionName: 'bulkWithdraw', args })
    const address = doing.of.current.teller
    await sendCall(doing.world, doing.of.chainId, { account: DEVNET_SOLVER, address, data })
  },
  async rate({ world, random, of }) {
    const { accountant: address } = of.current
    const client = worldClient(world, of.chainId)
    const rate = await client.readContract({ address, abi: accountantAbi, functionName: 'getRate' })
    // An update that is too early would pause the accountant.
    await client.increaseTime({ seconds: random.integer(6, 5_000) })
    const args = [(rate * BigInt(random.integer(9_950, 10_060))) / 10_000n] as const
    const data = encodeFunctionData({
      abi: accountantOperatorAbi,
      functionName: 'updateExchangeRate',
      args,
    })
    await sendCall(world, of.chainId, { account: DEVNET_ACTORS.rateUpdater, address, data })
  },
}

function toQueue({ world, of }: Doing, account: LocalAccount, data: `0x${string}`) {
  return sendCall(world, of.chainId, { account, address: of.current.queue, data })
}

/** Sometimes the whole balance. */
async function partOfShares({ world, random, of }: Doing, user: LocalAccount): Promise<bigint> {
  const balance = await worldClient(world, of.chainId).readContract({
    address: of.vault,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [user.address],
  })
  return random.chance(0.2) ? balance : (balance * BigInt(random.integer(1, 40))) / 100n
}

/** One of the latest requests, and the holder of its receipt. Throws if it has ended. */
async function someOrder({ world, random, of }: Doing) {
  const client = worldClient(world, of.chainId)
  const queue = { address: of.current.queue, abi: withdrawQueueAbi } as const
  const latest = await client.readContract({ ...queue, functionName: 'latestOrder' })
  const orderIndex = latest - BigInt(random.integer(0, 3))
  const args = [orderIndex] as const
  const owner = await client.readContract({ ...queue, functionName: 'ownerOf', args })
  const holder = USERS.find(({ address }) => address === owner)
  if (!holder) throw new Error(`${owner} is not one of the users`)
  return { orderIndex, holder }
}
