import { join } from 'node:path'
import { type Address, encodeFunctionData, erc20Abi, type LocalAccount, parseEther } from 'viem'
import { expect, onTestFinished } from 'vitest'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { type Artifacts, compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { depositInto } from '../../devnet/vaults/depositInto.ts'
import { blacklistAbi, freezeHookOperatorAbi } from '../../devnet/vaults/operatorAbis.ts'
import { forceProcess, processOrders } from '../../devnet/vaults/queueOperator.ts'
import { sendCall } from '../../devnet/vaults/sendCall.ts'
import { submitWithdrawal } from '../../devnet/vaults/submitWithdrawal.ts'
import { worldClient } from '../../devnet/world.ts'
import { withdrawalStatus } from '../../domain/earn/withdrawals/withdrawalStatus.ts'
import { ask } from './ask.ts'
import { undescribed } from './describedAnswer.ts'
import { getJson } from './getJson.ts'
import { encodeHandCall, type HandCall } from './handCall.ts'
import { startTestProduct, type TestProduct } from './product.ts'
import { until } from './until.ts'

export type Request = Record<string, unknown> & { id: string; status: string }
type Body = { withdrawalRequests: Request[]; nextPageToken: string | null }

export type PlacedOrder = { orderIndex: bigint; txHash: string; createdAt: string }

export type OrderWish = {
  shares: bigint
  want?: TokenSymbol
  user?: LocalAccount
  receiver?: Address
  refundReceiver?: Address
}

const { outcast, deployer, vaultDeployer } = DEVNET_ACTORS

/** The whole product, with vaults on chain 1. */
export function startWithdrawalProduct(): Promise<TestProduct> {
  return startTestProduct({ withVaults: true })
}

/** The queue of a vault on chain 1, with actions of its users and operator, and reads over the API. */
export function queueClient({ world, url }: Pick<TestProduct, 'world' | 'url'>, name: string) {
  const deployment = vaultDeployment(name, 1)
  const { vault, hook, current } = deployment
  const { queue: address } = current
  const client = worldClient(world, 1)
  const call = (account: LocalAccount, ...of: HandCall) =>
    sendCall(world, 1, { account, address, data: encodeHandCall(of) })

  async function get(filter: string) {
    const query = new URLSearchParams({ filter: `vaultAddress = ${vault} AND ${filter}` })
    return getJson<Body>(`${url}/v2/earn/withdrawalRequests?${query}`)
  }

  async function read({ orderIndex }: PlacedOrder): Promise<Request | undefined> {
    const answer = await get(`orderIndex = ${orderIndex}`)
    if (answer.status !== 200) return undefined
    expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
    return answer.body.withdrawalRequests[0]
  }

  return {
    deployment,
    client,
    get,
    deposit: (user: LocalAccount, token: TokenSymbol, amount: bigint) =>
      depositInto(world, { user, deployment, asset: DEPLOYMENT.tokens[token], amount }),
    async submit({ want = 'USDC', user = userAt(0), ...wish }: OrderWish): Promise<PlacedOrder> {
      const wantAsset = DEPLOYMENT.tokens[want]
      const { orderIndex, receipt } = await submitWithdrawal(world, {
        user,
        deployment,
        wantAsset,
        ...wish,
      })
      const { timestamp } = await client.getBlock({ blockNumber: receipt.blockNumber })
      return { orderIndex, txHash: receipt.transactionHash, createdAt: isoOf(timestamp) }
    },
    cancel: (user: LocalAccount, { orderIndex }: PlacedOrder) =>
      call(user, 'function cancelOrder(uint256)', orderIndex),
    /** Calls as the operator. */
    refund: ({ orderIndex }: PlacedOrder) =>
      call(vaultDeployer, 'function refundOrders(uint256[])', [orderIndex]),
    passOn: (user: LocalAccount, heir: Address, { orderIndex }: PlacedOrder) =>
      call(user, 'function transferFrom(address,address,uint256)', user.address, heir, orderIndex),
    process: (count: number) => processOrders(world, deployment, BigInt(count)),
    forceProcess: ({ orderIndex }: PlacedOrder) => forceProcess(world, deployment, orderIndex),
    /** From now on the outcast can be paid neither USDC nor, if there is a hook, shares. */
    async castOut() {
      const data = encodeFunctionData({
        abi: blacklistAbi,
        functionName: 'blacklist',
        args: [outcast.address],
      })
      await sendCall(world, 1, { account: deployer, address: DEPLOYMENT.tokens.USDC, data })
      if (!hook) return
      const frozen = encodeFunctionData({
        abi: freezeHookOperatorAbi,
        functionName: 'setFrozen',
        args: [outcast.address, true],
      })
      await sendCall(world, 1, { account: vaultDeployer, address: hook, data: frozen })
    },
    balance: (token: TokenSymbol | 'shares', account: Address) =>
      client.readContract({
        address: token === 'shares' ? vault : DEPLOYMENT.tokens[token],
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      }),
    recovery: () =>
      client.readContract({ address, abi: withdrawQueueAbi, functionName: 'recoveryAddress' }),
    /** The status of a request by the queue itself, with the API's names. */
    async statusOnChain({ orderIndex }: PlacedOrder) {
      const status = await client.readContract({
        address,
        abi: withdrawQueueAbi,
        functionName: 'getOrderStatus',
        args: [orderIndex],
      })
      return withdrawalStatus(status)
    },
    /** Resolves when the API's answers include everything that has happened so far. */
    async untilIndexed() {
      const block = Number(await client.getBlockNumber())
      await until(
        async () => {
          const { headers } = await get('chainId = 1')
          return Number(headers.get('x-indexed-blocks')?.slice('1='.length) ?? -1) >= block
        },
        () => `block ${block} is not indexed in time`,
      )
    },
    newestBlockTime: async () => isoOf((await client.getBlock()).timestamp),
    read,
    /** Polls until this is the answer. */
    async until(order: PlacedOrder, expected: Record<string, unknown>): Promise<Request> {
      await expect.poll(() => read(order)).toMatchObject(expected)
      const request = await read(order)
      if (!request) throw new Error('it was there')
      return request
    },
    /** Polls from now on, until `stop`, which resolves to every status, once per stay, or the end of the test. */
    poll(order: PlacedOrder) {
      const seen: string[] = []
      let isOver = false
      const done = (async () => {
        while (!isOver) {
          const request = await read(order)
          if (request && request.status !== seen.at(-1)) seen.push(request.status)
        }
        return seen
      })()
      const stop = () => {
        isOver = true
        return done
      }
      onTestFinished(async () => {
        await stop()
      })
      return { stop }
    },
  }
}

export type QueueClient = ReturnType<typeof queueClient>

export function isoOf(seconds: bigint): string {
  return new Date(Number(seconds) * 1_000).toISOString()
}

/** The fields of a request that was not paid. */
export const NOTHING = { feeAmount: null, assetsOut: null, fulfilledAt: null }

/** The fields of a request at this place of the queue, with so many whole shares ahead of it. */
export function waiting(queuePosition: number, sharesAhead: string) {
  return {
    status: 'PENDING',
    queuePosition,
    sharesAhead: String(parseEther(sharesAhead)),
    ...NOTHING,
  }
}

/** The answer of GraphQL about the request of this id, with these fields. */
export async function readOverGraphql(url: string, id: string, fields: string): Promise<unknown> {
  const query = `query ($id: WithdrawalRequestId!) { withdrawalRequest(id: $id) { ${fields} } }`
  const response = await ask(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { id } }),
  })
  return response.json()
}

/** Puts the code of a contract of test/contracts at an address. */
export async function putContract(
  { client }: Pick<QueueClient, 'client'>,
  contract: string,
  address: Address,
) {
  const root = join(import.meta.dirname, '../..')
  const artifacts: Artifacts = await compileContracts(join(root, 'test/contracts'))
  await client.setCode({ address, bytecode: artifacts[contract]?.deployedBytecode ?? '0x' })
}
