import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { MULTICALL3 } from '../../devnet/plan.ts'
import { worldClient, worldStations } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { Finding } from '../../domain/verification/finding.ts'
import { verifyAddressBook } from '../../domain/verification/verifyAddressBook.ts'
import { stationAbi } from '../devnet/localAbis.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { at, contradiction, finding } from '../support/findings.ts'

const NOWHERE = getAddress(`0x${'e1'.repeat(20)}`)
const NO_PEER = `0x${'00'.repeat(32)}` as const
const feedAbi = parseAbi(['function setRound(int256, uint256)'])

let started: TestWorld
/** Another test covers the local world's own vaults. */
let file: AddressBookFile

beforeAll(async () => {
  started = await startTestWorld()
  file = { ...started.addressBook, vaults: [] }
})
afterAll(() => started.stop())

type Change = (book: AddressBookFile) => void
type Case = [name: string, change: Change, expected: Finding[]]

describe('verifyAddressBook, of what Transit needs', () => {
  test('default: the local world has no contradiction', async () => {
    expect(await verify(() => {})).toEqual([])
  })

  test.each<Case>([
    [
      'a chain without an explorer',
      (book) => Object.assign(at(book.chains, 1), { explorerUrl: undefined }),
      [finding('note', 'chains.1.explorerUrl', 'chain 4663 has none')],
    ],
    [
      'a token that is not there',
      (book) => Object.assign(at(book.tokens, 9), { address: NOWHERE }),
      [contradiction('tokens.9.address', 'no code at', NOWHERE)],
    ],
    [
      'what is no token',
      (book) => Object.assign(at(book.tokens, 9), { address: MULTICALL3 }),
      [
        contradiction('tokens.9.name', 'does not answer'),
        contradiction('tokens.9.symbol', 'does not answer'),
        contradiction('tokens.9.decimals', 'does not answer'),
      ],
    ],
    [
      'another name and symbol',
      (book) => Object.assign(at(book.tokens, 0), { name: 'USD', symbol: 'USD' }),
      [
        contradiction('tokens.0.name', 'the book has USD', 'is USD Coin'),
        contradiction('tokens.0.symbol', 'the book has USD', 'is USDC'),
      ],
    ],
    [
      'other decimals, which are then also not those of the other chain',
      (book) => Object.assign(at(book.tokens, 0), { decimals: 7 }),
      [
        contradiction('tokens.0.decimals', 'the book has 7', 'on chain 1 is 6'),
        finding('note', 'tokens.5.decimals'),
      ],
    ],
    [
      'a missing feed, reported once for all its tokens',
      (book) => {
        for (const token of book.tokens.slice(0, 2))
          token.usdFeed = { chainId: 1, address: NOWHERE, maxAgeSeconds: 9 }
      },
      [contradiction('tokens.0.usdFeed.address', 'no code', 'also tokens.1.usdFeed')],
    ],
    [
      'what is no feed',
      (book) =>
        Object.assign(at(book.tokens, 0), {
          usdFeed: { chainId: 1, address: at(book.tokens, 0).address, maxAgeSeconds: 9 },
        }),
      [contradiction('tokens.0.usdFeed.address', 'latestRoundData() of', 'does not answer')],
    ],
    [
      'an uptime feed that is not there, and a contract that is none',
      (book) => {
        at(book.chains, 0).sequencerUptimeFeed = NOWHERE
        at(book.chains, 1).sequencerUptimeFeed = at(book.chains, 1).multicall3
      },
      [
        contradiction('chains.0.sequencerUptimeFeed', 'no code at', NOWHERE),
        contradiction('chains.1.sequencerUptimeFeed', 'latestRoundData() of', 'does not answer'),
      ],
    ],
    [
      'a station that is not there',
      (book) => {
        at(book.chains, 1).transitStation = { address: NOWHERE, startBlock: 0 }
      },
      [
        contradiction('chains.0.transitStation', NOWHERE.slice(2).toLowerCase(), 'peers(30416)'),
        contradiction('chains.1.transitStation.address', 'no code at', NOWHERE),
      ],
    ],
    [
      'a route that the station has not approved',
      (book) =>
        book.transitRoutes.push({
          ...at(book.transitRoutes, 0),
          offerAsset: at(book.tokens, 4).address,
          wantAsset: at(book.tokens, 9).address,
        }),
      [contradiction('transitRoutes.13', 'has not approved USDP to USDP on chain 4663')],
    ],
    [
      'a Multicall3 that is not there: all else is asked one by one',
      (book) => {
        at(book.chains, 0).multicall3 = NOWHERE
        at(book.tokens, 0).name = 'USD'
      },
      [
        contradiction('chains.0.multicall3', 'no code at', NOWHERE),
        contradiction('tokens.0.name', 'the book has USD'),
      ],
    ],
  ])('error: %s', async (_, change, expected) => {
    expect(await verify(change)).toEqual(expected)
  })

  test('error: another endpoint id, and all that follows from it', async () => {
    const findings = await verify((book) => {
      at(book.chains, 1).eid = 30_999
    })
    expect(findings).toContainEqual(
      contradiction('chains.1.eid', 'the book has 30999', 'on chain 4663 is 30416'),
    )
    expect(findings).toContainEqual(contradiction('chains.0.transitStation', 'peers(30999)'))
    expect(findings).toContainEqual(contradiction('transitRoutes.0', 'has not approved'))
  })

  test('error: nodes: of another chain, dead, and none', async () => {
    const { rpcUrls } = started.world
    const [one = '', other = ''] = [rpcUrls[1], rpcUrls[4663]]
    const dead = 'http://127.0.0.1:9'
    const book = parseAddressBook({ ...file, transitRoutes: [] }, 'test')
    const findings = (nodes: [number, string[]][]) =>
      verifyAddressBook(
        book,
        nodes.map(([chainId, urls]) => ({ chainId, rpcUrls: urls })),
      )
    expect(await findings([[1, [other]]])).toEqual([
      contradiction('chains.0.id', 'the book has 1', 'is on chain 4663'),
      finding('unverified', 'chains.1', 'RPC_URL_4663'),
    ])
    expect(
      await findings([
        [1, [dead]],
        [4663, [other, dead]],
      ]),
    ).toEqual([
      finding('unverified', 'chains.0', '127.0.0.1:9'),
      finding('note', 'chains.1', '127.0.0.1:9'),
    ])
    expect(
      await findings([
        [1, [one, other]],
        [4663, [other]],
      ]),
    ).toEqual([contradiction('chains.0.id', 'is on chain 4663')])
  })

  test('error: a node that answers only its chain id', async () => {
    const server = createServer(async (request, response) => {
      const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      const answer = method === 'eth_chainId' ? { result: '0x1' } : { error: { code: -32_000 } }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const book = parseAddressBook({ ...file, transitRoutes: [] }, 'test')
    const findings = await verifyAddressBook(book, [
      { chainId: 1, rpcUrls: [`http://127.0.0.1:${port}`] },
      { chainId: 4663, rpcUrls: [started.world.rpcUrls[4663] ?? ''] },
    ])
    server.closeAllConnections()
    server.close()
    expect(findings).toEqual([finding('unverified', 'chains.0', 'no node of chain 1 answers')])
  })

  test('error: changes of the operator on chain: a stale feed, no price, a peer and a limit gone, a pause', async () => {
    const client = worldClient(started.world, 1)
    const station = worldStations(started.world).find(({ chainId }) => chainId === 1)
    const feed = file.tokens[0]?.usdFeed?.address as Address
    const send = async (to: Address, data: Hex) => {
      const hash = await client.sendTransaction({ account: DEVNET_ACTORS.deployer, to, data })
      await client.waitForTransactionReceipt({ hash })
    }
    const setRound = (...args: [bigint, bigint]) =>
      send(feed, encodeFunctionData({ abi: feedAbi, functionName: 'setRound', args }))
    const snapshot = await client.snapshot()
    const now = Math.floor(Date.now() / 1_000)
    await setRound(10n ** 8n, BigInt(now - 100_000))
    expect(await verify(() => {})).toEqual([
      contradiction('tokens.0.usdFeed.maxAgeSeconds', 'the book has 90000', 'is 100', 's old'),
    ])
    await setRound(0n, 0n)
    expect(await verify(() => {})).toEqual([
      contradiction('tokens.0.usdFeed.address', 'is 0, which is not a price'),
    ])
    await setRound(10n ** 8n, 0n)
    const address = station?.station as Address
    await send(
      address,
      encodeFunctionData({ abi: stationAbi, functionName: 'setPeer', args: [30_416, NO_PEER] }),
    )
    await send(
      address,
      encodeFunctionData({
        abi: stationAbi,
        functionName: 'setMessageGasLimit',
        args: [30_416, 0n],
      }),
    )
    await send(address, encodeFunctionData({ abi: stationAbi, functionName: 'pause' }))
    expect(await verify(() => {})).toEqual([
      finding('note', 'chains.0.transitStation', 'paused'),
      contradiction('chains.0.transitStation', 'peers(30416)', `is ${NO_PEER}`),
      contradiction('chains.0.transitStation', 'messageGasLimit(30416)'),
    ])
    await client.revert({ id: snapshot })
  })
})

async function verify(change: Change): Promise<Finding[]> {
  const changed = structuredClone(file)
  change(changed)
  const { rpcUrls } = started.world
  const endpoints = [1, 4663].map((chainId) => ({ chainId, rpcUrls: [rpcUrls[chainId] ?? ''] }))
  return verifyAddressBook(parseAddressBook(changed, 'test'), endpoints)
}
