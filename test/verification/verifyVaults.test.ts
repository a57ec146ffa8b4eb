import { type Address, encodeFunctionData, getAddress, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { Finding } from '../../domain/verification/finding.ts'
import { verifyAddressBook } from '../../domain/verification/verifyAddressBook.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { at, contradiction, finding } from '../support/findings.ts'
import { BUILDS, BUILDS_OF_B, listAsB, placeDepositorB } from '../support/generationB.ts'
import { startLimitedNode } from '../support/limitedNode.ts'
import { startLyingNode } from '../support/lyingNode.ts'

const CHAIN_IDS = [1, 4663, 8453, 999, 2201, 11_155_111]
const NOWHERE = getAddress(`0x${'e1'.repeat(20)}`)

type Deployment = NonNullable<AddressBookFile['vaults']>[number]['deployments'][number]
type Change = (deployment: Deployment, book: AddressBookFile) => void

let started: TestWorld
beforeAll(async () => {
  started = await startTestWorld(CHAIN_IDS, { withVaults: true })
})
afterAll(() => started.stop())

describe('verifyAddressBook, of vaults', () => {
  test('default: the local world has no contradiction', async () => {
    expect(started.addressBook.vaults?.flatMap(({ deployments }) => deployments)).toHaveLength(10)
    expect(await verify(started.addressBook)).toEqual([])
  })

  test('error: a contract that is not there, in use or not, is one line', async () => {
    for (const [name, kind, index] of [
      ['Harbor Dollar', 'tellers', 0],
      ['Harbor Dollar', 'accountants', 0],
      ['Harbor Dollar', 'depositors', 0],
      ['Harbor Dollar', 'queues', 0],
      ['Harbor Ether', 'tellers', 0],
      ['Harbor Ether', 'queues', 0],
    ] as const) {
      const { findings, place } = await changed(name, (deployment) => {
        at<{ address: string }>(deployment[kind], index).address = NOWHERE
      })
      expect(findings).toEqual([
        contradiction(`${place}.${kind}.${index}.address`, 'no code at', NOWHERE, 'on chain 1'),
      ])
    }
  })

  test('error: a block that the chain does not have yet, which hides nothing', async () => {
    const { findings, place } = await changed('Harbor Dollar', (deployment) => {
      at(deployment.tellers, 0).fromBlock = 99_999_999
      deployment.vault.startBlock = 0
      deployment.assets.splice(1)
    })
    expect(findings).toEqual([
      contradiction(`${place}.tellers.0.fromBlock`, '99999999', 'chain 1 is at'),
      contradiction(`${place}.assets`, 'USDC'),
      contradiction(`${place}.assets`, 'USDT'),
    ])
  })

  test('error: a vault that is not there', async () => {
    const { findings, place } = await changed('Harbor Dollar', ({ vault }) => {
      vault.address = NOWHERE
    })
    expect(findings).toEqual([
      contradiction(`${place}.vault.address`, 'no code at', NOWHERE),
      contradiction(`${place}.depositors.0.address`, NOWHERE, 'boringVault() of'),
      contradiction(`${place}.tellers.0.address`, NOWHERE, 'vault() of'),
      contradiction(`${place}.accountants.0.address`, NOWHERE, 'vault() of'),
      contradiction(`${place}.queues.0.address`, NOWHERE, 'offerAsset() of'),
    ])
  })

  test("error: another vault's teller, and what it takes", async () => {
    const other = at(deploymentOf('Harbor Prime').deployment.tellers, 0).address
    const { findings, place } = await changed('Harbor Dollar', (deployment) => {
      at(deployment.tellers, 0).address = other
    })
    expect(findings).toEqual([
      contradiction(`${place}.depositors.0.address`, getAddress(other), 'teller() of'),
      contradiction(`${place}.tellers.0.address`, 'vault() of', getAddress(other)),
      contradiction(`${place}.tellers.0.address`, 'accountant() of', getAddress(other)),
      contradiction(`${place}.queues.0.address`, 'tellerWithMultiAssetSupport() of'),
      contradiction(`${place}.assets.2.address`, 'neither deposits nor withdrawals of'),
      contradiction(`${place}.assets`, 'USDS,', 'not listed'),
    ])
  })

  test("error: another vault's accountant, which counts in something else", async () => {
    const other = at(deploymentOf('Harbor Prime').deployment.accountants, 0).address
    const { findings, place } = await changed('Harbor Dollar', (deployment) => {
      at(deployment.accountants, 0).address = other
    })
    expect(findings).toEqual([
      contradiction(`${place}.tellers.0.address`, 'accountant() of'),
      contradiction(`${place}.accountants.0.address`, 'vault() of'),
      contradiction(`${place}.baseToken`, 'base() of the accountant'),
      contradiction(
        `${place}.accountants.0.address`,
        'decimals() of',
        'is 18, that of the vault',
        '6',
      ),
      contradiction(`${place}.assets.2.address`, 'has no rate for'),
    ])
  })

  test("error: another vault's roles authority", async () => {
    const other = deploymentOf('Harbor Prime').deployment.rolesAuthority
    const { findings, place } = await changed('Harbor Dollar', (deployment) => {
      Object.assign(deployment, { rolesAuthority: other })
    })
    expect(findings).toEqual([contradiction(`${place}.rolesAuthority`, 'authority() of')])
  })

  test('error: addresses that are none of the contracts', async () => {
    const { findings, place } = await changed('Harbor Dollar', (deployment) => {
      at(deployment.depositors, 0).address = deployment.baseToken
    })
    expect(findings).toEqual([
      contradiction(`${place}.depositors.0.address`, 'boringVault() of', 'does not answer'),
      contradiction(`${place}.depositors.0.address`, 'teller() of', 'does not answer'),
      contradiction(`${place}.depositors.0.generation`, 'is of no known generation'),
    ])
  })

  test('error: every generation that is another one', async () => {
    const wrong = { tellers: 'BA', accountants: 'BA', depositors: 'DA', queues: 'CA' } as const
    for (const [kind, [newer = '', older = '']] of Object.entries(wrong)) {
      const cases = [
        ['Harbor Dollar', older, newer],
        ['Harbor Classic', newer, older],
      ] as const
      for (const [name, said, true_] of cases) {
        const { findings, place } = await changed(name, (deployment) => {
          const versions = deployment[kind as keyof typeof wrong]
          Object.assign(at<object>(versions, 0), { generation: said })
        })
        expect(findings).toEqual([
          contradiction(`${place}.${kind}.0.generation`, `the book has ${said},`, `is ${true_}`),
        ])
      }
    }
  })

  test('error: a former contract of another generation', async () => {
    const wrong = { tellers: 'B', accountants: 'B', depositors: 'D', queues: 'B' } as const
    for (const [kind, said] of Object.entries(wrong)) {
      const { findings, place } = await changed('Harbor Ether', (deployment) => {
        const versions = deployment[kind as keyof typeof wrong]
        expect(versions.length).toBe(2)
        Object.assign(at<object>(versions, 0), { generation: said })
      })
      expect(findings).toEqual([
        contradiction(`${place}.${kind}.0.generation`, `the book has ${said},`, 'is A'),
      ])
    }
  })

  test('error: a start block before or after the creation; block 0 is the whole chain', async () => {
    const { deployment } = deploymentOf('Harbor Dollar')
    const created = await createdIn(deployment.vault.address)
    await worldClient(started.world, 1).mine({ blocks: 1 })
    for (const [block, expected] of [
      [created, []],
      [created - 1, [`the book has ${created - 1},`]],
      [created + 1, [`the book has ${created + 1},`]],
      [0, []],
    ] as const) {
      const { findings, place } = await changed('Harbor Dollar', ({ vault }) => {
        vault.startBlock = block
      })
      expect(findings).toEqual(
        expected.map((text) =>
          contradiction(`${place}.vault.startBlock`, text, `was created in block ${created}`),
        ),
      )
    }
    const { findings, place } = await changed('Harbor Dollar', ({ queues }) => {
      at(queues, 0).fromBlock = created - 1
    })
    expect(findings).toEqual([contradiction(`${place}.queues.0.fromBlock`, 'was created in block')])
    const former = await changed('Harbor Ether', ({ tellers }) => {
      expect(at(tellers, 0)).toHaveProperty('toBlock')
      at(tellers, 0).fromBlock += 1
    })
    expect(former.findings).toEqual([
      contradiction(`${former.place}.tellers.0.fromBlock`, 'was created in block'),
    ])
  })

  /** Over this node of chain 1, the block of a vault's creation is right, and another one is no contradiction. */
  async function expectNote(rpcUrl: string) {
    const { deployment } = deploymentOf('Harbor Dollar')
    const created = await createdIn(deployment.vault.address)
    const found = (block: number) =>
      changed('Harbor Dollar', ({ vault }) => Object.assign(vault, { startBlock: block }), 1, {
        ...started.world.rpcUrls,
        1: rpcUrl,
      })
    const right = await found(created)
    const wrong = await found(created + 1)
    expect(right.findings).toEqual([])
    expect(wrong.findings).toEqual([
      finding('note', 'chains.0', 'cannot be determined', `${wrong.place}.vault.startBlock`),
    ])
  }

  test("behavior: on a node without old states the constructor's log proves it; else it is a note", async () => {
    const client = worldClient(started.world, 1)
    await client.mine({ blocks: 10 })
    const node = await startLimitedNode({
      rpcUrl: started.world.rpcUrls[1] ?? '',
      logBlocks: 100_000,
      firstState: Number(await client.getBlockNumber()),
    })
    onTestFinished(node.stop)
    await expectNote(node.rpcUrl)
  })

  test('behavior: a node that answers from its newest state, whatever block is asked for, contradicts nothing', async () => {
    const client = worldClient(started.world, 1)
    const node = await startLyingNode(started.world.rpcUrls[1] ?? '')
    onTestFinished(node.stop)
    await client.mine({ blocks: 1 })
    const codeNow = async (address: Address) => (await client.getCode({ address })) ?? '0x'
    node.lie(({ method, params: [address] }, result) =>
      method === 'eth_getCode' ? codeNow(address as Address) : result,
    )
    await expectNote(node.rpcUrl)
  })

  test('error: a fee module that is not there, or was created in another block', async () => {
    const absent = await changed('Harbor Prime', ({ feeModules }) => {
      at(feeModules, 0).address = NOWHERE
    })
    expect(absent.findings).toEqual([
      contradiction(`${absent.place}.feeModules.0.address`, 'no code at', NOWHERE),
    ])
    await worldClient(started.world, 1).mine({ blocks: 1 })
    const head = Number(await worldClient(started.world, 1).getBlockNumber())
    const { findings, place } = await changed('Harbor Prime', ({ feeModules }) => {
      at(feeModules, 0).fromBlock = head
      at(feeModules, 1).fromBlock = head + 1_000
    })
    expect(findings).toEqual([
      contradiction(`${place}.feeModules.1.fromBlock`, `${head + 1_000}`, 'chain 1 is at'),
      contradiction(`${place}.feeModules.0.fromBlock`, `${head}`, 'was created in block'),
    ])
  })

  test('error: a start block for which a loaded node gives no answer is not verified', async () => {
    const client = worldClient(started.world, 1)
    await client.mine({ blocks: 10 })
    const node = await startLimitedNode({
      rpcUrl: started.world.rpcUrls[1] ?? '',
      logBlocks: 100_000,
      firstState: Number(await client.getBlockNumber()),
      isLoaded: true,
    })
    const { findings, place } = await changed(
      'Harbor Prime',
      ({ feeModules }) => {
        at(feeModules, 0).fromBlock = 1
      },
      1,
      { ...started.world.rpcUrls, 1: node.rpcUrl },
    )
    await node.stop()
    expect(findings).toEqual([
      finding('unverified', `${place}.feeModules.0.fromBlock`, 'could not be asked'),
    ])
  })

  test('error: depositors of C and queues of B are distinguished from the others by their events', async () => {
    const depositor = await changed('Harbor Dollar', ({ depositors }) => {
      at(depositors, 0).generation = 'C'
    })
    expect(depositor.findings).toEqual([
      contradiction(`${depositor.place}.depositors.0.generation`, 'the book has C', 'is D'),
    ])
    const queue = await changed('Harbor Classic', ({ queues }) => {
      at(queues, 0).generation = 'B'
    })
    expect(queue.findings).toEqual([
      contradiction(`${queue.place}.queues.0.generation`, 'the book has B', 'is A'),
    ])
    const newer = await changed('Harbor Dollar', ({ queues }) => {
      at(queues, 0).generation = 'B'
    })
    expect(newer.findings).toEqual([
      contradiction(`${newer.place}.queues.0.generation`, 'the book has B', 'is C'),
    ])
  })

  test('error: a cap in another unit than the depositor has, in each build of generation B', async () => {
    const client = worldClient(started.world, 1)
    const deployment = vaultDeployment('Harbor Prime', 1)
    for (const build of BUILDS) {
      const snapshot = await client.snapshot()
      await placeDepositorB(client, deployment, build)
      const right = await changed('Harbor Prime', (_, book) =>
        listAsB(book, { name: 'Harbor Prime', chainId: 1, build }),
      )
      expect(right.findings).toEqual([])
      const isInShares = BUILDS_OF_B[build] === 'shares'
      const wrong = await changed('Harbor Prime', (_, book) =>
        listAsB(book, {
          name: 'Harbor Prime',
          chainId: 1,
          build: isInShares ? 'DepositorBInValue' : 'DepositorBInShares',
        }),
      )
      expect(wrong.findings).toEqual([
        contradiction(
          `${wrong.place}.depositors.0.capIn`,
          `the book has ${isInShares ? 'value' : 'shares'}`,
          `is in ${BUILDS_OF_B[build]}`,
        ),
      ])
      const other = await changed('Harbor Prime', ({ depositors }) => {
        at(depositors, 0).generation = 'C'
      })
      expect(other.findings).toEqual([
        contradiction(`${other.place}.depositors.0.generation`, 'the book has C', 'is B'),
      ])
      await client.revert({ id: snapshot })
    }
  })

  test('error: another base, decimals that a stand-in does not have, a stand-in that is a token', async () => {
    const base = await changed('Harbor Dollar', (deployment) => {
      deployment.baseToken = at(deployment.assets, 1).address
    })
    expect(base.findings).toEqual([
      contradiction(`${base.place}.baseToken`, 'base() of the accountant'),
    ])
    const standIn = await changed(
      'Harbor Gold',
      ({ baseTokenStandIn }) => {
        Object.assign(baseTokenStandIn ?? {}, { decimals: 6 })
      },
      999,
    )
    expect(standIn.findings).toEqual([
      contradiction(`${standIn.place}.baseTokenStandIn.decimals`, 'the book has 6', 'is 18'),
    ])
    const token = await changed('Harbor Dollar', (deployment) => {
      deployment.baseTokenStandIn = { symbol: 'USD', decimals: 6 }
    })
    expect(token.findings).toEqual([
      contradiction(`${token.place}.baseTokenStandIn`, 'is a token, USDG, not a stand-in'),
    ])
  })

  test('error: an asset that the teller does not know, and one that is missing', async () => {
    const prime = deploymentOf('Harbor Prime').deployment
    const unknown = await changed('Harbor Dollar', ({ assets }) => {
      assets.push(at(prime.assets, 1))
    })
    expect(unknown.findings).toEqual([
      contradiction(
        `${unknown.place}.assets.3.address`,
        'takes',
        'neither deposits nor withdrawals of',
      ),
    ])
    for (const name of ['Harbor Dollar', 'Harbor Classic']) {
      const missing = await changed(name, ({ assets }) => {
        assets.pop()
      })
      expect(missing.findings).toEqual([
        contradiction(`${missing.place}.assets`, 'takes', 'USDT,', 'not listed'),
      ])
    }
  })

  test('behavior: without a contract in use a deployment is not served, which is no contradiction', async () => {
    const { findings, place } = await changed('Harbor Dollar', (deployment) => {
      deployment.depositors = []
      at(deployment.queues, 0).toBlock = 'unknown'
    })
    expect(findings).toEqual([
      finding('note', place, 'not served: it lacks a contract in use among its depositors, queues'),
    ])
  })

  test('error: changes of the operator on chain: an asset closed, another one without a rate', async () => {
    const { deployment, place } = deploymentOf('Harbor Dollar')
    const client = worldClient(started.world, 1)
    const snapshot = await client.snapshot()
    const call = async (to: string, data: `0x${string}`) => {
      const account = DEVNET_ACTORS.vaultDeployer
      const hash = await client.sendTransaction({ account, to: to as Address, data })
      expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
    }
    const [, usdc, usdt] = deployment.assets.map(({ address }) => address as Address)
    const abi = parseAbi([
      'function removeDepositAsset(address)',
      'function removeWithdrawAsset(address)',
      'function setRateProviderData(address, bool, address)',
    ])
    const teller = at(deployment.tellers, 0).address
    const args = [usdt ?? '0x'] as const
    await call(teller, encodeFunctionData({ abi, functionName: 'removeDepositAsset', args }))
    expect(await verify(started.addressBook)).toEqual([
      finding('note', `${place}.assets.2.depositable`, 'the book has true', 'takes no deposits of'),
    ])
    await call(teller, encodeFunctionData({ abi, functionName: 'removeWithdrawAsset', args }))
    await call(
      at(deployment.accountants, 0).address,
      encodeFunctionData({
        abi,
        functionName: 'setRateProviderData',
        args: [usdc ?? '0x', false, `0x${'00'.repeat(20)}`],
      }),
    )
    expect(await verify(started.addressBook)).toEqual([
      contradiction(`${place}.assets.1.address`, 'has no rate for'),
      contradiction(`${place}.assets.2.address`, 'neither deposits nor withdrawals of'),
    ])
    await client.revert({ id: snapshot })
  })
})

function deploymentOf(name: string, chainId = 1, book = started.addressBook) {
  const vaultIndex = book.vaults?.findIndex((vault) => vault.name === name) ?? -1
  const { deployments } = at(book.vaults, vaultIndex)
  const index = deployments.findIndex((deployment) => deployment.chainId === chainId)
  const place = `vaults.${vaultIndex}.deployments.${index}`
  return { deployment: at(deployments, index), place }
}

/** The findings of the local address book with one deployment changed, and where that is. */
async function changed(name: string, change: Change, chainId = 1, rpcUrls = started.world.rpcUrls) {
  const book = structuredClone(started.addressBook)
  // Another test covers routes that then lead elsewhere.
  for (const chain of book.chains) delete chain.smartDeposit
  const { deployment, place } = deploymentOf(name, chainId, book)
  change(deployment, book)
  return { findings: await verify(book, rpcUrls), place }
}

/** The block of the contract's first log, which its constructor emits. */
async function createdIn(address: string): Promise<number> {
  const client = worldClient(started.world, 1)
  const [log] = await client.getLogs({ address: address as Address, fromBlock: 0n })
  return Number(log?.blockNumber)
}

function verify(book: AddressBookFile, rpcUrls = started.world.rpcUrls): Promise<Finding[]> {
  const endpoints = CHAIN_IDS.map((chainId) => ({ chainId, rpcUrls: [rpcUrls[chainId] ?? ''] }))
  return verifyAddressBook(parseAddressBook(book, 'test'), endpoints)
}
