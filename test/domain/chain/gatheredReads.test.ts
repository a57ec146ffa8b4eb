import {
  type Address,
  BaseError,
  createPublicClient,
  custom,
  decodeFunctionData,
  erc20Abi,
  type Hex,
  multicall3Abi,
  type PublicClient,
  parseAbi,
  RpcRequestError,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permitTokenAbi } from '../../../abis/permitToken.ts'
import { rolesAuthorityAbi } from '../../../abis/rolesAuthority.ts'
import { transitStationAbi } from '../../../abis/transitStation.ts'
import { DEPLOYMENT } from '../../../devnet/deployment.ts'
import { worldClient } from '../../../devnet/world.ts'
import { createChainClients } from '../../../domain/chain/chainClients.ts'
import { mustRead, RefusedRead, tryRead } from '../../../domain/chain/gatheredReads.ts'
import { startTestWorld, type TestWorld } from '../../support/anvils.ts'
import { startFaultyNode } from '../../support/faultyNode.ts'

/** Code that returns its calldata's arguments. */
const ECHO = `0x${'ec'.repeat(20)}` as const
/** Code that reverts with a word of data. */
const REFUSER = `0x${'5e'.repeat(20)}` as const
/** Like `ECHO`, but it takes gas. */
const COSTLY = `0x${'c0'.repeat(20)}` as const
/** Code that never ends. */
const BURNER = `0x${'b0'.repeat(20)}` as const
const NOBODY = `0x${'70'.repeat(20)}` as const
const echoAbi = parseAbi([
  'function number(uint256 given) view returns (uint256)',
  'function flag(uint256 given) view returns (bool)',
  'function text(uint256 given) view returns (string)',
  'function small(uint256 given) view returns (uint8)',
  'function pair(uint256 given) view returns (uint256, uint256)',
])
const { tokens, station } = DEPLOYMENT
const token = { address: tokens.USDC, abi: permitTokenAbi } as const
const echo = { address: ECHO, abi: echoAbi } as const

let started: TestWorld
beforeAll(async () => {
  started = await startTestWorld()
  const node = worldClient(started.world, 1)
  await node.setCode({ address: ECHO, bytecode: '0x600436038060046000376000f3' })
  await node.setCode({ address: REFUSER, bytecode: '0x60206000fd' })
})
afterAll(() => started?.stop())

describe('values', () => {
  test('default: of every type, as viem reads them', async () => {
    const { client } = listen()
    const pairs = [
      [
        tryRead(client, { ...token, functionName: 'name' }),
        client.readContract({ ...token, functionName: 'name' }),
      ],
      [
        tryRead(client, { ...token, functionName: 'DOMAIN_SEPARATOR' }),
        client.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR' }),
      ],
      [
        tryRead(client, { address: tokens.USDC, abi: erc20Abi, functionName: 'decimals' }),
        client.readContract({ address: tokens.USDC, abi: erc20Abi, functionName: 'decimals' }),
      ],
      [
        tryRead(client, { address: tokens.USDC, abi: erc20Abi, functionName: 'totalSupply' }),
        client.readContract({ address: tokens.USDC, abi: erc20Abi, functionName: 'totalSupply' }),
      ],
      [
        tryRead(client, { address: station, abi: transitStationAbi, functionName: 'paused' }),
        client.readContract({ address: station, abi: transitStationAbi, functionName: 'paused' }),
      ],
      [
        mustRead(client, { address: station, abi: rolesAuthorityAbi, functionName: 'owner' }),
        client.readContract({ address: station, abi: rolesAuthorityAbi, functionName: 'owner' }),
      ],
    ]
    for (const [ours, viems] of pairs) {
      expect(await ours).toEqual(await viems)
      expect(await ours).not.toBeNull()
    }
  })

  test('default: their types are those of the abi', async () => {
    const { client } = listen()
    const [number, flag, small] = await Promise.all([
      mustRead(client, { ...echo, functionName: 'number', args: [7n] }),
      mustRead(client, { ...echo, functionName: 'flag', args: [1n] }),
      tryRead(client, { ...echo, functionName: 'small', args: [7n] }),
    ])
    const typed: [bigint, boolean, number | null] = [number, flag, small]
    expect(typed).toEqual([7n, true, 7])
    // @ts-expect-error: the function has an argument, and it is no text
    void tryRead(client, { ...echo, functionName: 'number', args: ['7'] }).catch(() => null)
  })
})

describe('refusals', () => {
  const refused = (client: PublicClient) => [
    // A revert, an unknown function, no contract, a value of another type, too few bytes.
    tryRead(client, { address: REFUSER, abi: erc20Abi, functionName: 'totalSupply' }),
    tryRead(client, { address: tokens.USDC, abi: transitStationAbi, functionName: 'quoteSigner' }),
    tryRead(client, { address: NOBODY, abi: erc20Abi, functionName: 'totalSupply' }),
    tryRead(client, { ...echo, functionName: 'flag', args: [2n] }),
    tryRead(client, { ...echo, functionName: 'text', args: [2n ** 200n] }),
    tryRead(client, { ...echo, functionName: 'small', args: [2n ** 60n] }),
    tryRead(client, { ...echo, functionName: 'pair', args: [2n] }),
  ]

  test('behavior: are null, and spoil nothing beside them', async () => {
    const { client, sent } = listen()
    const good = tryRead(client, { ...echo, functionName: 'number', args: [5n] })
    const answers = await Promise.all([...refused(client), good])
    expect(answers).toEqual([...answers.slice(0, -1).map(() => null), 5n])
    expect(sent).toHaveLength(1)
  })

  test('error: of what there has to be', async () => {
    const { client } = listen()
    const call = { address: NOBODY, abi: erc20Abi, functionName: 'totalSupply' } as const
    const error = await mustRead(client, call).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(RefusedRead)
    expect(error.message).toContain(`The contract ${NOBODY} does not answer totalSupply`)
  })

  test('behavior: a chain without Multicall3 is read call by call, to the same effect', async () => {
    const { client, sent } = listen({ withMulticall3: false })
    const good = mustRead(client, { ...echo, functionName: 'number', args: [5n] })
    const answers = await Promise.all([...refused(client), good])
    expect(answers).toEqual([...answers.slice(0, -1).map(() => null), 5n])
    expect(sent.map(({ to }) => to)).not.toContain(multicall3Of())
    const call = { address: NOBODY, abi: erc20Abi, functionName: 'totalSupply' } as const
    await expect(mustRead(client, call)).rejects.toBeInstanceOf(RefusedRead)
  })
})

describe('one eth_call', () => {
  test('behavior: of all that one turn asks, nothing of it twice', async () => {
    const { client, sent } = listen()
    const number = (given: bigint, address: Address = ECHO) =>
      tryRead(client, { ...echo, address, functionName: 'number', args: [given] })
    const upper = `0x${'EC'.repeat(20)}` as const
    const answers = await Promise.all([
      number(1n),
      number(2n),
      number(1n),
      number(1n, upper),
      // A later read depends on an earlier answer.
      Promise.resolve().then(() => number(3n)),
      // The same calldata for another contract.
      number(1n, NOBODY),
    ])
    expect(answers).toEqual([1n, 2n, 1n, 1n, 3n, null])
    expect(sent.map(({ calls }) => calls)).toEqual([4])
    expect(await Promise.all([number(1n), number(4n)])).toEqual([1n, 4n])
    expect(sent.map(({ calls }) => calls)).toEqual([4, 2])
  })

  test('behavior: what two callers ask in one turn goes out apart', async () => {
    const url = started.world.rpcUrls[1] ?? ''
    const at = { rpcUrl: url, wsUrl: started.wsUrls[1] ?? '' }
    const node = await startFaultyNode({ ...at, other: at })
    const endpoints = [{ chainId: 1, rpcUrls: [node.rpcUrl] }]
    const chains = createChainClients(endpoints, started.world.addressBook)
    const ask = (...given: bigint[]) =>
      chains.read(1, (client) =>
        Promise.all(
          given.map((value) => tryRead(client, { ...echo, functionName: 'number', args: [value] })),
        ),
      )
    await ask(0n)
    node.takeCalls()
    expect(await Promise.all([ask(1n, 2n), ask(3n)])).toEqual([[1n, 2n], [3n]])
    expect(node.takeCalls()).toEqual(['eth_call', 'eth_call'])
    await node.stop()
  })

  test('behavior: split where it gets larger than nodes take', async () => {
    const { client, sent } = listen()
    const given = Array.from({ length: 6_000 }, (_, index) => BigInt(index))
    const read = (value: bigint) =>
      tryRead(client, { ...echo, functionName: 'number', args: [value] })
    expect(await Promise.all(given.map(read))).toEqual(given)
    expect(sent).toHaveLength(2)
    expect(sent.reduce((sum, { calls }) => sum + calls, 0)).toBe(given.length)
    for (const { bytes } of sent) expect(bytes).toBeLessThan(990_000)
  })
})

describe('a node that refuses so many calls at once', () => {
  const given = Array.from({ length: 200 }, (_, index) => BigInt(index))
  const readAll = (client: PublicClient) =>
    Promise.allSettled(
      given.map((value) => mustRead(client, { ...echo, functionName: 'number', args: [value] })),
    )

  test.each([1, 7, 100, 150])('behavior: at most %i', async (most) => {
    const { client, sent } = listen({ most })
    const answers = await readAll(client)
    expect(answers).toEqual(given.map((value) => ({ status: 'fulfilled', value })))
    expect(sent.length).toBeLessThan(10 + (2 * given.length) / most)
  })

  test('behavior: one contract that burns its gas makes few more calls', async () => {
    const node = worldClient(started.world, 1)
    await node.setCode({ address: BURNER, bytecode: '0x5b600056' })
    // Hashes 24 KB first, so that it takes 8,000 gas, as a getter does.
    await node.setCode({ address: COSTLY, bytecode: '0x61600060002050600436038060046000376000f3' })
    const { client, sent } = listen()
    const many = Array.from({ length: 1_000 }, (_, index) => BigInt(index))
    const answers = await Promise.all(
      many.map((value) => {
        const address = value === 300n ? BURNER : COSTLY
        return tryRead(client, { ...echo, address, functionName: 'number', args: [value] })
      }),
    )
    expect(answers).toEqual(many.map((value) => (value === 300n ? null : value)))
    expect(sent.length).toBeLessThan(50)
  })

  test('error: none: it is asked a few times', async () => {
    const { client, sent } = listen({ most: 0 })
    const answers = await readAll(client)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(sent.length).toBeLessThan(12)
  })
})

describe('a node that fails', () => {
  const reads = (client: PublicClient) =>
    Promise.allSettled([
      tryRead(client, { ...echo, functionName: 'number', args: [1n] }),
      mustRead(client, { ...echo, functionName: 'flag', args: [1n] }),
    ])

  test.each(['faults', 'errors', 'tooMany', 'otherChain'] as const)(
    'error: all reads fail with it (%s), and work again after it',
    async (ailment) => {
      const at = (chainId: number) => ({
        rpcUrl: started.world.rpcUrls[chainId] ?? '',
        wsUrl: started.wsUrls[chainId] ?? '',
      })
      const node = await startFaultyNode({ ...at(1), other: at(4663) })
      const endpoints = [{ chainId: 1, rpcUrls: [node.rpcUrl] }]
      const chains = createChainClients(endpoints, started.world.addressBook)
      await node.fall(ailment)
      const failed = await reads(chains.get(1))
      expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      for (const one of failed) {
        if (one.status === 'fulfilled') continue
        expect(one.reason).toBeInstanceOf(BaseError)
        expect(one.reason).not.toBeInstanceOf(RefusedRead)
      }
      await node.fall('well')
      expect(await reads(chains.get(1))).toEqual([
        { status: 'fulfilled', value: 1n },
        { status: 'fulfilled', value: true },
      ])
      await node.stop()
    },
  )

  test.each<[string, (answer: Hex) => Hex]>([
    ['cut off', (answer) => answer.slice(0, -128) as Hex],
    ['of no calls', () => `0x${'20'.padStart(64, '0')}${'0'.repeat(64)}`],
    ['of other bytes', (answer) => `0x${'ff'.repeat(answer.length / 2 - 1)}`],
    ['empty', () => '0x'],
  ])('error: an answer that is %s is a failure, not a refusal', async (_, change) => {
    const { client } = listen({ change })
    for (const one of await reads(client)) {
      const reason = one.status === 'rejected' && one.reason
      expect(reason).toBeInstanceOf(BaseError)
      expect(reason).not.toBeInstanceOf(RefusedRead)
    }
  })
})

type Sent = { to: string; bytes: number; calls: number }
type ListenOptions = {
  withMulticall3?: boolean
  change?: (answer: Hex) => Hex
  /** The most calls that the node takes at once. */
  most?: number
}

/** A client of the node that records its requests. */
function listen({
  withMulticall3 = true,
  change = (answer) => answer,
  most = Infinity,
}: ListenOptions = {}) {
  const sent: Sent[] = []
  const node = worldClient(started.world, 1)
  const request = async ({ method, params }: { method: string; params: unknown }) => {
    const [{ to, data }] = params as [{ to: string; data: Hex }]
    const calls = to === multicall3Of() ? countCalls(data) : 1
    sent.push({ to, calls, bytes: (data.length - 2) / 2 })
    const error = { code: -32000, message: 'out of gas' }
    if (calls > most) throw new RpcRequestError({ body: { method }, error, url: 'node' })
    // Casts, because viem types the methods that it knows by name, and this one is known only now.
    return change((await node.request({ method, params } as never)) as Hex)
  }
  const contracts = withMulticall3 ? { multicall3: { address: multicall3Of() } } : {}
  const chain = { ...node.chain, contracts }
  return {
    client: createPublicClient({ chain, transport: custom({ request }, { retryCount: 0 }) }),
    sent,
  }
}

function multicall3Of(): Address {
  const chain = started.world.addressBook.chains.find(({ id }) => id === 1)
  return chain?.multicall3 ?? NOBODY
}

function countCalls(data: Hex): number {
  const { args = [] } = decodeFunctionData({ abi: multicall3Abi, data })
  return (args[0] as unknown[]).length
}
