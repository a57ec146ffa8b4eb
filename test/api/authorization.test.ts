import { join } from 'node:path'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbi,
  parseSignature,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { erc20 } from '../../devnet/placeOrder.ts'
import { worldClient } from '../../devnet/world.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { deployer, send, startStationWorld, user } from '../devnet/stationWorld.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { type AuthorizationBody, signPermitData } from '../support/quotes.ts'
import { LOWER_CASE_ADDRESS } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'

const FOLDER = join(import.meta.dirname, '..', 'contracts')
/** The kinds of tokens, by their numbers in OddToken.sol. */
const KINDS = [
  'Described',
  'Versionless',
  'Salted',
  'Dai',
  'Foreign',
  'Unversioned',
  'Bytes32Name',
  'Frozen',
  'FalseApprove',
  'AssertApprove',
]
const PERMITTING = ['Described', 'Versionless', 'Salted', 'Unversioned']
const AMOUNT = 1_000_000n
const { tokens, station } = DEPLOYMENT
const permit = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

let world: Awaited<ReturnType<typeof startStationWorld>>
let api: TestApi
const odd: Record<string, Address> = {}
beforeAll(async () => {
  world = await startStationWorld()
  const { OddToken } = await compileContracts(FOLDER)
  if (!OddToken) throw new Error('OddToken.sol was not compiled')
  const client = worldClient(world, 1)
  for (const [index, kind] of KINDS.entries()) {
    const hash = await client.deployContract({ ...OddToken, account: deployer, args: [index] })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    odd[kind] = contractAddress as Address
  }
  const { tokens: listed, ...book } = world.addressBook
  const oddTokens = Object.entries(odd).map(([kind, address]) => ({
    chainId: 1,
    address,
    name: 'Odd',
    symbol: kind,
    decimals: 6,
  }))
  const addressBook = parseAddressBook({ ...book, tokens: [...listed, ...oddTokens] }, 'odd')
  api = await startTestApi({ world, addressBook })
})
afterAll(async () => {
  await api?.stop()
  await world?.stop()
})
revertChains(() => [worldClient(world, 1)])

describe('a permit', () => {
  test.each(PERMITTING)(
    'behavior: a permit of a token that is %s is offered, and works',
    async (kind) => {
      const token = odd[kind] ?? zeroAddress
      const { methods } = await authorize({ tokenAddress: token })
      expect(typesOf(methods)).toEqual(['eip2612_permit', 'erc20_approve'])
      await usePermit(token, methods)
      expect(await allowanceOf(token)).toBe(AMOUNT)
      expect(await authorize({ tokenAddress: token })).toMatchObject({
        alreadyApproved: true,
        methods: [],
      })
    },
  )

  test.each(['Dai', 'Foreign', 'Bytes32Name'])(
    'behavior: of a token that is %s is not offered, since it would not work',
    async (kind) => {
      const { methods } = await authorize({ tokenAddress: odd[kind] ?? zeroAddress })
      expect(typesOf(methods)).toEqual(['erc20_approve'])
    },
  )

  test('behavior: lives for an hour, and is for the very amount and nonce', async () => {
    const { methods } = await authorize({ tokenAddress: tokens.USDC })
    const data = methods[0]?.permitData
    expect(data?.value).toEqual({
      owner: user().address,
      spender: getAddress(station),
      value: String(AMOUNT),
      nonce: '0',
      deadline: data?.deadline,
    })
    expect(data?.domain.chainId).toBe(1)
    expect(Object.keys(data?.types ?? {})).toEqual(['Permit'])
    const ahead = Number(data?.deadline) - Date.now() / 1_000
    expect(ahead).toBeGreaterThan(3_590)
    await usePermit(tokens.USDC, methods)
    const next = await authorize({ tokenAddress: tokens.USDC, amount: String(AMOUNT + 1n) })
    expect(next.methods[0]?.permitData?.value.nonce).toBe('1')
  })

  test.each<[string, Hex]>([
    ['a contract', '0x6001600155'],
    ['an account that delegates (EIP-7702)', `0xef0100${DEPLOYMENT.authority.slice(2)}`],
  ])('behavior: is not offered to %s', async (_, bytecode) => {
    await worldClient(world, 1).setCode({ address: user().address, bytecode })
    const { methods } = await authorize({ tokenAddress: tokens.USDC })
    expect(typesOf(methods)).toEqual(['erc20_approve'])
  })
})

describe('an approval', () => {
  test('default: an approval of the exact amount', async () => {
    const { methods } = await authorize({ tokenAddress: tokens.USDP })
    expect(approvalOf(methods)).toEqual([getAddress(station), AMOUNT])
    expect(methods[0]?.requiresFollowUp).toBeUndefined()
  })

  test.each<[bigint, boolean, bigint]>([
    [0n, false, AMOUNT],
    [1n, true, 0n],
    [AMOUNT - 1n, true, 0n],
  ])(
    'behavior: of a token with reset over %i: first to 0: %s',
    async (present, isReset, amount) => {
      await approve(tokens.USDT, present)
      const { methods, alreadyApproved } = await authorize({ tokenAddress: tokens.USDT })
      expect(alreadyApproved).toBe(false)
      expect(methods[0]?.requiresFollowUp).toBe(isReset ? true : undefined)
      expect(approvalOf(methods)).toEqual([getAddress(station), amount])
    },
  )

  test.each([AMOUNT, AMOUNT + 1n])('behavior: none over %i', async (present) => {
    for (const token of [tokens.USDT, tokens.USDC]) {
      await approve(token, present)
      expect(await authorize({ tokenAddress: token })).toMatchObject({
        alreadyApproved: true,
        methods: [],
      })
    }
  })

  test.each(['FalseApprove', 'AssertApprove'])(
    'behavior: of a token that refuses a change by %s: first to 0',
    async (kind) => {
      const token = odd[kind] ?? zeroAddress
      const fresh = await authorize({ tokenAddress: token })
      expect(approvalOf(fresh.methods)).toEqual([getAddress(station), AMOUNT])
      await approve(token, 5n)
      const { methods } = await authorize({ tokenAddress: token })
      expect(methods.at(-1)?.requiresFollowUp).toBe(true)
      expect(approvalOf(methods)).toEqual([getAddress(station), 0n])
    },
  )

  test('behavior: an account that the token has frozen is offered nothing', async () => {
    const answer = await authorize({ tokenAddress: odd.Frozen ?? zeroAddress })
    expect(answer).toMatchObject({ alreadyApproved: false, methods: [] })
  })

  test('behavior: an ordinary token needs no reset', async () => {
    await approve(tokens.USDP, 5n)
    const { methods } = await authorize({ tokenAddress: tokens.USDP })
    expect(approvalOf(methods)).toEqual([getAddress(station), AMOUNT])
    expect(methods[0]?.requiresFollowUp).toBeUndefined()
  })
})

describe('refusals', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['a token that is none', { tokenAddress: `0x${'77'.repeat(20)}` }, ['tokenAddress']],
    ['a contract that is no token', { tokenAddress: station }, ['tokenAddress']],
    ['a precompile', { tokenAddress: `0x${'00'.repeat(19)}02` }, ['tokenAddress']],
    ['a malformed token', { tokenAddress: '0x12' }, ['tokenAddress']],
    ['another spender', { spenderAddress: `0x${'77'.repeat(20)}` }, ['spenderAddress']],
    ['no amount', { amount: '0' }, ['amount']],
    ['an amount that is none', { amount: '1e6' }, ['amount']],
    ['nobody', { userAddress: zeroAddress }, ['userAddress']],
    [
      'much at once',
      { amount: '-1', chainId: '5', userAddress: zeroAddress },
      ['amount', 'chainId', 'userAddress'],
    ],
  ])('error: %s', async (_, parameters, fields) => {
    const { status, body } = await ask(parameters)
    expect(status).toBe(400)
    const named = body.error.details.flatMap(({ fieldViolations }) =>
      fieldViolations.map(({ field }) => field),
    )
    expect(named.sort()).toEqual(fields)
    expect(JSON.stringify(body)).not.toMatch(LOWER_CASE_ADDRESS)
  })
})

type Methods = AuthorizationBody['methods']

async function ask(parameters: Record<string, string>) {
  const query = new URLSearchParams({
    chainId: '1',
    tokenAddress: tokens.USDC,
    amount: String(AMOUNT),
    userAddress: user().address,
    ...parameters,
  })
  const url = `${api.url}/v3/core/authorization?${query}`
  const response = await fetch(url)
  const body = (await response.json()) as AuthorizationBody & {
    error: { details: { fieldViolations: { field: string }[] }[] }
  }
  expect(undescribed(url, response.status, body)).toEqual([])
  return { status: response.status, body }
}

async function authorize(parameters: Record<string, string>): Promise<AuthorizationBody> {
  const { status, body } = await ask(parameters)
  expect([status, body.error]).toEqual([200, undefined])
  return body
}

function typesOf(methods: Methods): string[] {
  return methods.map(({ type }) => type)
}

function approvalOf(methods: Methods): readonly unknown[] {
  const data = methods.at(-1)?.transaction?.encoded ?? '0x'
  return decodeFunctionData({ abi: erc20, data }).args ?? []
}

async function usePermit(token: Address, methods: Methods) {
  const data = methods[0]?.permitData
  if (!data) throw new Error('no permit was offered')
  const { r, s, v } = parseSignature(await signPermitData(user(), data))
  const { owner, spender, value, deadline } = data.value
  await send(world, 1, {
    address: token,
    account: deployer,
    data: encodeFunctionData({
      abi: permit,
      args: [owner, spender, BigInt(value), BigInt(deadline), Number(v), r, s],
    }),
  })
}

function approve(token: Address, amount: bigint) {
  const data = encodeFunctionData({ abi: erc20, functionName: 'approve', args: [station, amount] })
  return send(world, 1, { address: token, account: user(), data })
}

function allowanceOf(token: Address): Promise<bigint> {
  return worldClient(world, 1).readContract({
    address: token,
    abi: erc20,
    functionName: 'allowance',
    args: [user().address, station],
  })
}
