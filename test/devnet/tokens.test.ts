import {
  type Address,
  domainSeparator,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseEventLogs,
  parseSignature,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLANNED_TOKENS } from '../../devnet/plan.ts'
import { worldClient } from '../../devnet/world.ts'
import { tokenAbi } from './localAbis.ts'
import { signPermit } from './orders.ts'
import { deployer, send, startStationWorld, station, tokens, user } from './stationWorld.ts'

/** The reads that show whether and how a token takes permits. */
const permitAbi = [
  ...tokenAbi,
  ...parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']),
] as const
const listAbi = parseAbi([
  'function isBlacklisted(address account) view returns (bool)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'event Blacklisted(address indexed _account)',
  'event UnBlacklisted(address indexed _account)',
])

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())

describe('every token', () => {
  test.each(PLANNED_TOKENS)('default: $symbol has the planned metadata', async (token) => {
    const contract = { address: tokens[token.symbol], abi: erc20Abi } as const
    const client = worldClient(world, 1)
    expect(
      await Promise.all([
        client.readContract({ ...contract, functionName: 'name' }),
        client.readContract({ ...contract, functionName: 'symbol' }),
        client.readContract({ ...contract, functionName: 'decimals' }),
      ]),
    ).toEqual([token.name, token.symbol, token.decimals])
  })

  test('error: only the minter mints', async () => {
    const abi = parseAbi(['function mint(address[] accounts, uint256 amount)'])
    const data = encodeFunctionData({ abi, functionName: 'mint', args: [[user().address], 1n] })
    for (const address of Object.values(tokens))
      await expect(send(world, 1, { address, account: user(), data })).rejects.toThrow('minter')
  })
})

describe('a token with permits', () => {
  test.each([
    ['USDC', '2', 1],
    ['USDG', '1', 4663],
    ['USDS', '1', 1],
  ] as const)('default: %s has the domain of its name, version %s', async (symbol, version, id) => {
    const name = PLANNED_TOKENS.find((token) => token.symbol === symbol)?.name ?? ''
    const domain = { name, version, chainId: id, verifyingContract: tokens[symbol] }
    expect(await separatorOf(symbol, id)).toBe(domainSeparator({ domain }))
  })

  test('behavior: anyone may hand in a permit, once', async () => {
    const permit = await permitCall(tokens.USDG, 5n)
    await send(world, 1, permit)
    expect(await allowance(tokens.USDG)).toBe(5n)
    await expect(send(world, 1, permit)).rejects.toThrow('INVALID_SIGNER')
  })

  test('error: after its deadline', async () => {
    const permit = await permitCall(tokens.USDG, 6n, 1n)
    await expect(send(world, 1, permit)).rejects.toThrow('PERMIT_DEADLINE_EXPIRED')
  })
})

describe('a token without permits', () => {
  test.each(['USDT', 'USDP'] as const)(
    'error: %s knows neither nonces nor domain',
    async (symbol) => {
      const contract = { address: tokens[symbol], abi: permitAbi } as const
      const client = worldClient(world, 1)
      const nonces = { ...contract, functionName: 'nonces', args: [user().address] } as const
      await expect(client.readContract(nonces)).rejects.toThrow()
      await expect(separatorOf(symbol, 1)).rejects.toThrow()
    },
  )
})

describe('the token that returns nothing', () => {
  test('default: approve, transfer and transferFrom pay, without a word', async () => {
    const to = `0x${'d1'.repeat(20)}` as const
    const [owner, spender] = [user(6), user(7)]
    const args = { abi: erc20Abi } as const
    const calls = [
      [owner, { ...args, functionName: 'approve', args: [spender.address, 3n] }],
      [owner, { ...args, functionName: 'transfer', args: [to, 2n] }],
      [spender, { ...args, functionName: 'transferFrom', args: [owner.address, to, 3n] }],
    ] as const
    for (const [account, call] of calls) {
      const data = encodeFunctionData(call)
      const answered = await worldClient(world, 1).call({ account, to: tokens.USDT, data })
      expect(answered.data).toBeUndefined()
      await send(world, 1, { address: tokens.USDT, account, data })
    }
    expect(await balanceOf(tokens.USDT, to)).toBe(5n)
  })
})

describe('the token with a blacklist', () => {
  test('default: a listed account neither pays nor is paid until it is taken off', async () => {
    const [listed, other] = [user(8), user(9)]
    expect(await setListed('blacklist', listed.address)).toEqual(['Blacklisted'])
    expect(await isListed(listed.address)).toBe(true)
    await expect(transfer(listed, other.address)).rejects.toThrow('blacklisted')
    await expect(transfer(other, listed.address)).rejects.toThrow('blacklisted')
    expect(await setListed('unBlacklist', listed.address)).toEqual(['UnBlacklisted'])
    expect(await isListed(listed.address)).toBe(false)
    expect((await transfer(listed, other.address)).status).toBe('success')
  })

  test('error: only the minter lists', async () => {
    const data = encodeFunctionData({
      abi: listAbi,
      functionName: 'blacklist',
      args: [user(8).address],
    })
    const call = { address: tokens.USDC, account: user(), data }
    await expect(send(world, 1, call)).rejects.toThrow('minter')
  })
})

function separatorOf(symbol: keyof typeof tokens, chainId: number): Promise<Hex> {
  return worldClient(world, chainId).readContract({
    address: tokens[symbol],
    abi: permitAbi,
    functionName: 'DOMAIN_SEPARATOR',
  })
}

/** The first user's permit for the station, sent by another account. */
async function permitCall(address: Address, amount: bigint, late?: bigint) {
  const { deadline, signature } = await signPermit(world, 1, { token: address, amount })
  const { r, s, v } = parseSignature(signature)
  const data = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'permit',
    args: [user().address, station, amount, late ?? deadline, Number(v), r, s],
  })
  return { address, account: user(5), data }
}

function allowance(address: Address): Promise<bigint> {
  return worldClient(world, 1).readContract({
    address,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [user().address, station],
  })
}

function balanceOf(address: Address, account: Address): Promise<bigint> {
  return worldClient(world, 1).readContract({
    address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  })
}

async function setListed(functionName: 'blacklist' | 'unBlacklist', account: Address) {
  const data = encodeFunctionData({ abi: listAbi, functionName, args: [account] })
  const { logs } = await send(world, 1, { address: tokens.USDC, account: deployer, data })
  return parseEventLogs({ abi: listAbi, logs }).map(({ eventName }) => eventName)
}

function isListed(account: Address): Promise<boolean> {
  return worldClient(world, 1).readContract({
    address: tokens.USDC,
    abi: listAbi,
    functionName: 'isBlacklisted',
    args: [account],
  })
}

function transfer(account: ReturnType<typeof user>, to: Address) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] })
  return send(world, 1, { address: tokens.USDC, account, data })
}
