import { type Address, encodeFunctionData, parseEther, parseUnits, toHex } from 'viem'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_ACTORS, userAt } from '../accounts.ts'
import { DEPLOYMENT } from '../deployment.ts'
import { PLANNED_TOKENS, type TokenSymbol } from '../plan.ts'
import type { World } from '../world.ts'
import { VAULT_CHAINS, vaultDeployment } from './deployment.ts'
import { depositInto, depositNative } from './depositInto.ts'
import { blacklistAbi, freezeHookOperatorAbi, queueOperatorAbi } from './operatorAbis.ts'
import { forceProcess, processOrders } from './queueOperator.ts'
import { sendCall } from './sendCall.ts'
import { submitWithdrawal } from './submitWithdrawal.ts'

export type DepositSeed = {
  vault: string
  chainId: number
  user: number
  token: TokenSymbol | 'native'
  units: string
  code?: string
}

export const DEPOSIT_SEEDS: DepositSeed[] = [
  { vault: 'Harbor Ether', chainId: 1, user: 0, token: 'native', units: '5' },
  { vault: 'Harbor Prime', chainId: 1, user: 0, token: 'USDC', units: '10000', code: 'causeway' },
  { vault: 'Harbor Prime', chainId: 1, user: 1, token: 'USDG', units: '5000' },
  { vault: 'Harbor Prime', chainId: 1, user: 2, token: 'USDS', units: '1000' },
  { vault: 'Harbor Dollar', chainId: 1, user: 0, token: 'USDG', units: '2000', code: 'causeway' },
  { vault: 'Harbor Dollar', chainId: 1, user: 1, token: 'USDT', units: '1000' },
  { vault: 'Harbor Classic', chainId: 1, user: 1, token: 'USDC', units: '3000' },
  { vault: 'Harbor Ether', chainId: 8453, user: 1, token: 'native', units: '2' },
  { vault: 'Harbor Dollar', chainId: 8453, user: 2, token: 'USDC', units: '750' },
  { vault: 'Harbor Gold', chainId: 999, user: 0, token: 'USDS', units: '40000' },
  { vault: 'Harbor Dollar', chainId: 2201, user: 0, token: 'USDG', units: '300' },
  { vault: 'Harbor Prime', chainId: 11_155_111, user: 1, token: 'USDG', units: '900' },
  { vault: 'Harbor Sunset', chainId: 11_155_111, user: 0, token: 'USDG', units: '500' },
]

type Ending =
  | 'paid'
  | 'refunded'
  | 'pre-filled'
  | 'receipt passed on'
  | 'transfer failed'
  | 'transfer and refund failed'
  | 'refund failed'
  | 'fee above amount'
  | 'fee above amount, refund failed'
  | 'waiting'
  | 'marked'

export type RequestSeed = {
  vault: string
  chainId: number
  user: number
  want: TokenSymbol | 'WETH'
  shares: string
  ending: Ending
}

const prime = { vault: 'Harbor Prime', chainId: 1, user: 0, want: 'USDC', shares: '100' } as const
const classic = { vault: 'Harbor Classic', chainId: 1, user: 1, want: 'USDC' } as const
/** The vault in deprecation: all of its requests are held, so its queue does not move. */
const sunset = { vault: 'Harbor Sunset', chainId: 11_155_111, user: 0, want: 'USDG' } as const

export const REQUEST_SEEDS: RequestSeed[] = [
  { ...prime, ending: 'paid' },
  { ...prime, ending: 'refunded' },
  { ...prime, ending: 'pre-filled' },
  { ...prime, ending: 'receipt passed on' },
  { ...prime, ending: 'transfer failed' },
  { ...prime, ending: 'transfer and refund failed' },
  { ...prime, ending: 'refund failed' },
  { ...prime, shares: '0.04', ending: 'fee above amount' },
  { ...prime, shares: '0.04', ending: 'fee above amount, refund failed' },
  { ...classic, shares: '200', ending: 'paid' },
  { ...classic, shares: '50', ending: 'refunded' },
  { ...sunset, shares: '100', ending: 'waiting' },
  { ...sunset, shares: '25', ending: 'marked' },
]

const { outcast, holder, deployer, vaultDeployer } = DEVNET_ACTORS

/** Seeds deposits and withdrawal requests in every state, by the first three users, on the world's chains. */
export async function seedVaults(world: World): Promise<void> {
  const chains = VAULT_CHAINS.filter(({ chainId }) => world.rpcUrls[chainId])
  await Promise.all(
    chains.map(async ({ chainId }) => {
      for (const seed of DEPOSIT_SEEDS) if (seed.chainId === chainId) await seedDeposit(world, seed)
      const { steer, process } = await seedRequests(
        world,
        REQUEST_SEEDS.filter((seed) => seed.chainId === chainId),
      )
      await steer()
      await process()
    }),
  )
}

/** The requests that were submitted, in the next two steps of their lives. */
export type SubmittedRequests = {
  /** Cancels some, pays one before its turn, passes a receipt on. */
  steer(): Promise<void>
  /** Processes the queues up to the requests that are held. */
  process(): Promise<void>
}

/** Submits withdrawal requests of one chain. */
export async function seedRequests(world: World, seeds: RequestSeed[]): Promise<SubmittedRequests> {
  const submitted: { seed: RequestSeed; orderIndex: bigint }[] = []
  for (const seed of seeds) submitted.push({ seed, orderIndex: await seedRequest(world, seed) })
  return {
    async steer() {
      const failing = seeds.find(({ ending }) => ending.includes('failed'))
      if (failing) await blockOutcast(world, failing.chainId)
      for (const { seed, orderIndex } of submitted) await steerRequest(world, seed, orderIndex)
    },
    async process() {
      for (const [name, group] of Map.groupBy(seeds, ({ vault }) => vault)) {
        const ended = group.filter(({ ending }) => !isHeld(ending))
        const [first] = ended
        if (first)
          await processOrders(world, vaultDeployment(name, first.chainId), BigInt(ended.length))
      }
    },
  }
}

export function isHeld(ending: Ending): boolean {
  return ending === 'waiting' || ending === 'marked'
}

/** Deposits as the seed says. */
export async function seedDeposit(world: World, seed: DepositSeed) {
  const { token, units } = seed
  const deployment = vaultDeployment(seed.vault, seed.chainId)
  const user = userAt(seed.user)
  if (token === 'native')
    return depositNative(world, { user, deployment, amount: parseEther(units) })
  const decimals = PLANNED_TOKENS.find(({ symbol }) => symbol === token)?.decimals ?? 0
  return depositInto(world, {
    user,
    deployment,
    asset: DEPLOYMENT.tokens[token],
    amount: parseUnits(units, decimals),
    ...(seed.code ? { distributorCode: toHex(seed.code) } : {}),
  })
}

async function seedRequest(world: World, seed: RequestSeed): Promise<bigint> {
  const { ending } = seed
  const deployment = vaultDeployment(seed.vault, seed.chainId)
  const { orderIndex } = await submitWithdrawal(world, {
    user: userAt(seed.user),
    deployment,
    wantAsset: seed.want === 'WETH' ? deployment.base : DEPLOYMENT.tokens[seed.want],
    shares: parseUnits(seed.shares, deployment.plan.decimals),
    ...(ending.startsWith('transfer') ? { receiver: outcast.address } : {}),
    ...(ending.includes('refund failed') ? { refundReceiver: outcast.address } : {}),
    ...(isHeld(ending) ? { refundReceiver: holder.address } : {}),
  })
  return orderIndex
}

/** Blocks payments of assets and shares to the outcast. */
async function blockOutcast(world: World, chainId: number) {
  await sendCall(world, chainId, {
    account: deployer,
    address: DEPLOYMENT.tokens.USDC,
    data: encodeFunctionData({
      abi: blacklistAbi,
      functionName: 'blacklist',
      args: [outcast.address],
    }),
  })
  for (const { hook } of VAULT_CHAINS.find((chain) => chain.chainId === chainId)?.deployments ?? [])
    if (hook)
      await sendCall(world, chainId, {
        account: vaultDeployer,
        address: hook,
        data: encodeFunctionData({
          abi: freezeHookOperatorAbi,
          functionName: 'setFrozen',
          args: [outcast.address, true],
        }),
      })
}

/** Steers a withdrawal request towards its ending, between its submission and its turn. */
async function steerRequest(world: World, seed: RequestSeed, orderIndex: bigint) {
  const deployment = vaultDeployment(seed.vault, seed.chainId)
  const user = userAt(seed.user)
  const address = deployment.current.queue
  if (['refunded', 'refund failed', 'marked'].includes(seed.ending)) {
    const data = encodeFunctionData({
      abi: withdrawQueueAbi,
      functionName: 'cancelOrder',
      args: [orderIndex],
    })
    await sendCall(world, seed.chainId, { account: user, address, data })
  }
  if (seed.ending === 'pre-filled') await forceProcess(world, deployment, orderIndex)
  if (seed.ending === 'receipt passed on') {
    const heir: Address = userAt(seed.user + 2).address
    const data = encodeFunctionData({
      abi: queueOperatorAbi,
      functionName: 'transferFrom',
      args: [user.address, heir, orderIndex],
    })
    await sendCall(world, seed.chainId, { account: user, address, data })
  }
}
