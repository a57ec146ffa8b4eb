import { type Address, erc20Abi, numberToHex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { userAt } from '../../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../../devnet/deployment.ts'
import { worldClient } from '../../../devnet/world.ts'
import { type ChainClients, createChainClients } from '../../../domain/chain/chainClients.ts'
import type { BlockRange } from '../../../domain/chain/inParts.ts'
import { readTransfers } from '../../../domain/smartDeposit/readTransfers.ts'
import { startRelay } from '../../../processes/indexer/relay.ts'
import { createLogger } from '../../../processes/logger.ts'
import { retryingChains } from '../../../worker/smartDeposit/retryingChains.ts'
import { startTestWorld, type TestWorld } from '../../support/anvils.ts'
import { startLimitedNode } from '../../support/limitedNode.ts'

const CHAIN_ID = 1
const BLOCKS = 103
const PAYMENTS = 5
/** Words that nothing of ours and nothing of Ponder's knows. */
const REFUSAL = 'not on this plan'
const { USDC } = DEPLOYMENT.tokens
/** More than a keeper asks for by recipient. */
const tokens = [USDC, ...Array.from({ length: 500 }, (_, index) => address(index))]

function address(index: number): Address {
  return numberToHex(BigInt(index) + 2n ** 80n, { size: 20 })
}

describe('logs of nodes that give few blocks at once', () => {
  let started: TestWorld
  let range: BlockRange
  const recipient = address(1_000)

  beforeAll(async () => {
    started = await startTestWorld()
    const client = worldClient(started.world, CHAIN_ID)
    const fromBlock = (await client.getBlockNumber()) + 1n
    for (let payment = 0; payment < PAYMENTS; payment += 1) {
      await client.mine({ blocks: Math.floor(BLOCKS / PAYMENTS) - 1 })
      const hash = await client.writeContract({
        account: userAt(0),
        chain: null,
        address: USDC,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [recipient, 1n],
      })
      await client.waitForTransactionReceipt({ hash })
    }
    range = { fromBlock, toBlock: fromBlock + BigInt(BLOCKS) - 1n }
    await client.mine({ blocks: BLOCKS })
  })
  afterAll(() => started?.stop())

  async function limited(logBlocks: number) {
    const rpcUrl = started.world.rpcUrls[CHAIN_ID] ?? ''
    const node = await startLimitedNode({ rpcUrl, logBlocks, firstState: 0, refusal: REFUSAL })
    onTestFinished(node.stop)
    return node
  }

  function clientsOf(nodes: { rpcUrl: string }[]): ChainClients {
    const endpoint = { chainId: CHAIN_ID, rpcUrls: nodes.map(({ rpcUrl }) => rpcUrl) }
    return retryingChains(createChainClients([endpoint], started.world.addressBook))
  }

  const transfers = (chains: ChainClients) =>
    readTransfers({ chains, chainId: CHAIN_ID }, range, {
      to: (account) => account === recipient,
      accepted: tokens,
      onCrowd: () => {},
    })

  test.each([1, 10, 100])('behavior: at most %i', async (logBlocks) => {
    const node = await limited(logBlocks)
    const chains = clientsOf([node])
    expect(await transfers(chains)).toHaveLength(PAYMENTS)
    const { length: first } = node.refusedLogRanges
    expect(first).toBeLessThan(15)
    for (let read = 0; read < 5; read += 1) await transfers(chains)
    expect(node.refusedLogRanges.length - first, 'what worked is remembered').toBeLessThan(10)
  })

  test.each([1, 10])('behavior: at most %i by one of two nodes', async (logBlocks) => {
    const nodes = [await limited(logBlocks), await limited(1_000)]
    const chains = clientsOf(nodes)
    for (let read = 0; read < 5; read += 1) expect(await transfers(chains)).toHaveLength(PAYMENTS)
    expect(nodes[0]?.refusedLogRanges.length).toBeLessThan(2)
  })

  test('behavior: a node that gives more again is asked for more', async () => {
    const node = await limited(10)
    const chains = clientsOf([node])
    await transfers(chains)
    node.allow(1_000)
    for (let read = 0; read < 10; read += 1) await transfers(chains)
    expect(node.grantedLogRanges.at(-1)).toBe(BLOCKS)
  })

  test('error: where no node answers, smaller parts are not tried', async () => {
    const node = await limited(10)
    const chains = clientsOf([node])
    await node.stop()
    await expect(transfers(chains)).rejects.toMatchObject({ reason: 'RPC_UNAVAILABLE' })
  })

  test.each([1, 10, 100])("behavior: Ponder's ranges, at most %i", async (logBlocks) => {
    const node = await limited(logBlocks)
    const relay = await startRelay(
      [
        {
          id: CHAIN_ID,
          finalityDepth: 30,
          contracts: new Set(),
          rpcUrls: [node.rpcUrl],
          wsUrls: [],
          pollIntervalMs: 500,
          patienceMs: 90_000,
        },
      ],
      createLogger('test', 'silent'),
    )
    onTestFinished(relay.stop)
    const filter = {
      address: USDC,
      topics: [null, null, toHex(BigInt(recipient), { size: 32 })],
      fromBlock: toHex(range.fromBlock),
      toBlock: toHex(range.toBlock),
    }
    const response = await fetch(`${relay.url}/${CHAIN_ID}/0`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] }),
    })
    const { result } = (await response.json()) as { result: unknown[] }
    expect(result).toHaveLength(PAYMENTS)
  })
})
