import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import {
  type AddressBook,
  type AddressBookDeployment,
  type AddressBookFile,
  parseAddressBook,
} from '../../domain/addressBook/addressBook.ts'
import { VAULT_CONTRACTS } from '../../domain/addressBook/vaultFormat.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import {
  type DescribeParams,
  describeDeployment,
} from '../../domain/verification/describe/describeDeployment.ts'
import { DescribeError } from '../../domain/verification/describe/readDeploymentCore.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { at } from '../support/findings.ts'
import { startLimitedNode } from '../support/limitedNode.ts'

const CHAIN_IDS = [1, 4663, 8453, 999, 2201, 11_155_111]
const SOLVER_ROLE = 5

let started: TestWorld
let book: AddressBook
beforeAll(async () => {
  started = await startTestWorld(CHAIN_IDS, { withVaults: true })
  book = started.world.addressBook
})
afterAll(() => started.stop())

describe('describeDeployment', () => {
  test("default: every depositor of the local world gives its deployment's entry", async () => {
    const listed = book.vaults.flatMap(({ name, deployments }) =>
      deployments.map((deployment) => ({ name, deployment })),
    )
    expect(listed).toHaveLength(10)
    for (const { name, deployment } of listed) {
      const depositor = at(deployment.depositors, -1).address
      const described = await describeIt({ chainId: deployment.chainId, depositor })
      expect(described.name).toBe(name)
      expect(known(parse(described.deployment))).toEqual(known(deployment))
      const standInRemarks = deployment.baseTokenStandIn ? [expect.stringMatching('symbol')] : []
      expect(described.remarks).toEqual([
        ...standInRemarks,
        expect.stringMatching('withdrawalSlas'),
      ])
    }
  })

  test('behavior: start blocks are those of the deployments', async () => {
    const { deployment } = await describeIt({ chainId: 1, depositor: depositorOf('Harbor Ether') })
    const client = worldClient(started.world, 1)
    for (const [address, block] of [
      [deployment.vault.address, deployment.vault.startBlock],
      ...VAULT_CONTRACTS.flatMap((kind) =>
        deployment[kind].map((entry) => [entry.address, entry.fromBlock] as const),
      ),
    ] as const) {
      expect(block).toBeGreaterThan(0)
      const codeAt = (number: number) =>
        client.getCode({ address: address as Address, blockNumber: BigInt(number) })
      expect([await codeAt(block - 1), typeof (await codeAt(block))]).toEqual([undefined, 'string'])
    }
    // An earlier contract preceded it.
    expect(at(deployment.depositors, 0).fromBlock).toBeGreaterThan(deployment.vault.startBlock)
  })

  test('behavior: with a limited node logs are read in parts and start blocks stay 0', async () => {
    const client = worldClient(started.world, 1)
    await client.mine({ blocks: 700 })
    const head = Number(await client.getBlockNumber())
    const node = await startLimitedNode({
      rpcUrl: started.world.rpcUrls[1] ?? '',
      logBlocks: 400,
      firstState: head - 100,
    })
    const chains = createChainClients([{ chainId: 1, rpcUrls: [node.rpcUrl] }], book)
    const depositor = depositorOf('Harbor Dollar')
    const limited = await describeDeployment(chains, { chainId: 1, depositor })
    await node.stop()
    const whole = await describeIt({ chainId: 1, depositor })
    expect(known(parse(limited.deployment))).toEqual(known(parse(whole.deployment)))
    expect(limited.deployment.vault.startBlock).toBe(0)
    expect(limited.remarks.filter((remark) => remark.includes('is left at 0'))).toHaveLength(5)
    expect(node.grantedLogRanges.length).toBeGreaterThan(2)
    expect(Math.max(...node.grantedLogRanges)).toBeLessThanOrEqual(400)
  })

  test('behavior: the queue that was given a role last is taken, or the one that is asked for', async () => {
    const { authority, current, versions } = vaultDeployment('Harbor Ether', 1)
    const [former] = versions
    const depositor = depositorOf('Harbor Ether')
    const client = worldClient(started.world, 1)
    const snapshot = await client.snapshot()
    await grant(authority, at([former], 0)?.queue as Address)
    const newest = await describeIt({ chainId: 1, depositor })
    expect(queueOf(newest)).toBe(former?.queue.toLowerCase())
    expect(newest.remarks).toContainEqual(expect.stringMatching('is a queue of this vault too'))
    const asked = await describeIt({ chainId: 1, depositor, queue: current.queue })
    expect(queueOf(asked)).toBe(current.queue.toLowerCase())
    await client.revert({ id: snapshot })
  })

  test('behavior: without a queue the entry is incomplete, and a remark shows it', async () => {
    const { authority, current } = vaultDeployment('Harbor Dollar', 1)
    const client = worldClient(started.world, 1)
    const snapshot = await client.snapshot()
    await grant(authority, current.queue, false)
    const described = await describeIt({ chainId: 1, depositor: depositorOf('Harbor Dollar') })
    expect(described.deployment.queues).toEqual([])
    expect(described.remarks).toContainEqual(expect.stringMatching('No withdraw queue was found'))
    await client.revert({ id: snapshot })
  })

  test('error: an address that is no depositor, and a queue of another vault', async () => {
    const [token] = book.tokens
    const depositor = depositorOf('Harbor Dollar')
    const queue = vaultDeployment('Harbor Prime', 1).current.queue
    for (const wrong of [{ depositor: at([token], 0)?.address as Address }, { depositor, queue }])
      await expect(describeIt({ chainId: 1, ...wrong })).rejects.toThrow(DescribeError)
  })
})

function describeIt(params: DescribeParams) {
  const endpoints = CHAIN_IDS.map((chainId) => ({
    chainId,
    rpcUrls: [started.world.rpcUrls[chainId] ?? ''],
  }))
  return describeDeployment(createChainClients(endpoints, book), params)
}

function depositorOf(name: string): Address {
  return vaultDeployment(name, 1).current.depositor
}

function queueOf({ deployment }: Awaited<ReturnType<typeof describeIt>>): string {
  return at(deployment.queues, 0).address.toLowerCase()
}

type DeploymentFile = NonNullable<AddressBookFile['vaults']>[number]['deployments'][number]

/** The entry in the local address book's form, within a vault. */
function parse(deployment: DeploymentFile): AddressBookDeployment {
  const vaults = [{ name: 'Described', yieldType: 'CORE' as const, deployments: [deployment] }]
  const parsed = parseAddressBook({ ...started.addressBook, vaults }, 'test')
  return at(at(parsed.vaults, 0).deployments, 0)
}

/** The part of an entry that a chain can show: no delays, no deprecation, no former contracts, no symbol of a stand-in. */
function known(deployment: AddressBookDeployment) {
  const { chainId, vault, rolesAuthority, baseToken, baseTokenStandIn, assets } = deployment
  const inUse = VAULT_CONTRACTS.map((kind) => {
    const { address, generation } = at<{ address: Address; generation: string }>(
      deployment[kind],
      -1,
    )
    return { kind, address, generation }
  })
  return {
    chainId,
    vault: vault.address,
    rolesAuthority,
    baseToken,
    inUse,
    standIn: baseTokenStandIn?.decimals,
    assets: assets.map(({ address, depositable }) => [address, depositable]),
  }
}

async function grant(authority: Address, user: Address, isGranted = true) {
  const client = worldClient(started.world, 1)
  const abi = parseAbi(['function setUserRole(address user, uint8 role, bool enabled)'])
  const hash = await client.sendTransaction({
    account: DEVNET_ACTORS.vaultDeployer,
    to: authority,
    data: encodeFunctionData({
      abi,
      functionName: 'setUserRole',
      args: [user, SOLVER_ROLE, isGranted],
    }),
  })
  expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
}
