import {
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  keccak256,
  type LocalAccount,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldClient } from '../../devnet/world.ts'
import type { TransitQuote } from '../../domain/transit/terms/quoteTypedData.ts'
import { revertChains } from '../support/revertChains.ts'
import { authorityAbi, stationAbi } from './localAbis.ts'
import {
  CROSS_ROUTE,
  makeQuote,
  signPermit,
  signQuote,
  submitCall,
  submitWithPermitCall,
} from './orders.ts'
import { revertOf } from './revertOf.ts'
import {
  approve,
  authority,
  type Call,
  deployer,
  quoteSigner,
  send,
  startStationWorld,
  station,
  tokens,
  user,
} from './stationWorld.ts'

const SUBMIT_ORDER = toFunctionSelector(getAbiItem({ abi: stationAbi, name: 'submitOrder' }))
/** The storage slot of the mapping in TransitStation.sol. */
const USED_DIGESTS_SLOT = 9n
const FEE = 50_000_000n
const NO_ROUTE = { destEID: 30_101, offerAsset: tokens.USDG, wantAsset: tokens.USDP }

type Submission = { quote: TransitQuote; signer: LocalAccount; value: bigint }
type Fault = {
  name: string
  quote?: Partial<TransitQuote>
  signer?: LocalAccount
  value?: bigint
  prepare?: (submission: Submission) => Promise<unknown>
  expected: unknown[]
}

/** Every check of submitOrder, in order; each fault fails one. */
const FAULTS: Fault[] = [
  {
    name: 'a caller without the capability',
    prepare: () =>
      send(world, 1, {
        address: authority,
        account: deployer,
        data: encodeFunctionData({
          abi: authorityAbi,
          functionName: 'setPublicCapability',
          args: [station, SUBMIT_ORDER, false],
        }),
      }),
    expected: ['Error', 'UNAUTHORIZED'],
  },
  { name: 'a pause', prepare: () => pause(), expected: ['EnforcedPause'] },
  { name: 'an expired quote', quote: { deadline: 1n }, expected: ['QuoteExpired', 1n] },
  {
    name: 'a route nobody approved',
    quote: { route: NO_ROUTE },
    expected: ['RouteNotApproved', NO_ROUTE],
  },
  { name: 'no receiver', quote: { receiver: zeroAddress }, expected: ['ZeroAddress'] },
  {
    name: 'an integrator fee for nobody',
    quote: { integratorFeeReceiver: zeroAddress, integratorFee: FEE },
    expected: ['ZeroAddress'],
  },
  {
    name: 'a protocol fee above 50 bps',
    quote: { protocolFee: FEE },
    expected: ['ProtocolFeeTooHigh', FEE, 0n],
  },
  {
    name: 'an integrator fee above 1000 bps',
    quote: { integratorFee: FEE },
    expected: ['IntegratorFeeTooHigh', FEE, 0n],
  },
  {
    name: 'nothing left after fees',
    quote: { offerAmount: 0n },
    expected: ['FeesExceedOrEqualOffer', 0n, 0n, 0n],
  },
  {
    name: 'a signer that is not the quote signer',
    signer: user(3),
    expected: ['InvalidSigner', user(3).address],
  },
  {
    name: 'a digest that is used',
    prepare: async ({ quote }) => tombstone(1, (await signQuote(1, quote)).uuid),
    expected: ['SignatureAlreadyUsed', expect.stringMatching(/^0x[0-9a-f]{64}$/)],
  },
  {
    name: 'no allowance',
    prepare: () => approve(world, 1, tokens.USDC, 0n),
    expected: ['Error', 'TRANSFER_FROM_FAILED'],
  },
  { name: 'value on the same chain', value: 1n, expected: ['SameChainOrdersRequireNoValue'] },
]

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())
revertChains(() => [worldClient(world, 1)])

describe('submitOrder', () => {
  test('default: without any fault the order is taken', async () => {
    const receipt = await send(world, 1, await submission([]))
    expect(receipt.status).toBe('success')
  })

  test.each(FAULTS)('error: $name', async (fault) => {
    const [name] = fault.expected
    expect((await revertOf(world, 1, await submission([fault])))[0]).toBe(name)
  })

  test.each(FAULTS)('error: $name comes before every later fault', async (fault) => {
    const faults = FAULTS.slice(FAULTS.indexOf(fault))
    expect(await revertOf(world, 1, await submission(faults))).toEqual(fault.expected)
  })

  test('error: a quote signed for the other chain has an unknown signer', async () => {
    const quote = await makeQuote(world, 1)
    const { signature } = await signQuote(4663, quote)
    const [name, signer] = await revertOf(world, 1, submitCall(quote, signature))
    expect(name).toBe('InvalidSigner')
    expect(signer).not.toBe(quoteSigner.address)
  })

  test('error: the caps are floors, so a tiny offer admits no fee', async () => {
    const quote = await makeQuote(world, 1, { offerAmount: 199n, protocolFee: 1n })
    const { signature } = await signQuote(1, quote)
    expect(await revertOf(world, 1, submitCall(quote, signature))).toEqual([
      'ProtocolFeeTooHigh',
      1n,
      0n,
    ])
  })

  test('error: an order that is pending already is not pushed again', async () => {
    const quote = await makeQuote(world, 1)
    const call = await submission([], quote)
    await send(world, 1, call)
    await forgetDigest((await signQuote(1, quote)).uuid)
    await approve(world, 1, tokens.USDC, quote.offerAmount)
    expect(await revertOf(world, 1, call)).toEqual(['DuplicatePushAttempt'])
  })

  test('error: a destination without a peer, and one without a gas limit', async () => {
    const quote = await makeQuote(world, 1, { route: CROSS_ROUTE })
    await owner(
      encodeFunctionData({
        abi: stationAbi,
        functionName: 'setMessageGasLimit',
        args: [30_416, 0n],
      }),
    )
    const call = await submission([], quote)
    expect(await revertOf(world, 1, call)).toEqual(['GasLimitNotSet', 30_416])
    await owner(
      encodeFunctionData({ abi: stationAbi, functionName: 'setPeer', args: [30_416, zeroHash] }),
    )
    expect(await revertOf(world, 1, call)).toEqual(['NoPeer', 30_416])
  })
})

describe('submitOrderWithPermit', () => {
  test('error: a permit that fails is reported before the terms are checked', async () => {
    const quote = await makeQuote(world, 1, { deadline: 1n })
    const { signature } = await signQuote(1, quote)
    const permit = await signPermit(world, 1, { token: tokens.USDC, amount: 1n })
    const call = submitWithPermitCall(quote, signature, { permit })
    expect(await revertOf(world, 1, call)).toEqual(['PermitFailedAndAllowanceTooLow'])
    await pause()
    expect(await revertOf(world, 1, call)).toEqual(['EnforcedPause'])
  })
})

/** A submission with these faults, on a chain prepared for them. */
async function submission(faults: Fault[], base?: TransitQuote): Promise<Call> {
  const offered = base ?? (await makeQuote(world, 1, { integratorFeeReceiver: user(2).address }))
  const overrides = faults.map(({ quote }) => quote ?? {})
  const quote = Object.assign({}, offered, ...overrides) as TransitQuote
  const signer = faults.find((fault) => fault.signer)?.signer ?? quoteSigner
  const value = faults.find((fault) => fault.value)?.value ?? 0n
  await approve(world, 1, tokens.USDC, offered.offerAmount)
  // A pause or a missing capability does not stop the steps that prepare the others.
  for (const { prepare } of faults) await prepare?.({ quote, signer, value })
  const { signature } = await signQuote(1, quote, signer)
  return submitCall(quote, signature, value)
}

function owner(data: Hex, chainId = 1) {
  return send(world, chainId, { address: station, account: deployer, data })
}

function pause() {
  return owner(encodeFunctionData({ abi: stationAbi, functionName: 'pause' }))
}

function tombstone(chainId: number, uuid: Hex) {
  const data = encodeFunctionData({
    abi: stationAbi,
    functionName: 'forceSetUsedDigestTrue',
    args: [uuid],
  })
  return owner(data, chainId)
}

/** No call can do this: it stands for two stations that compute the same digest. */
async function forgetDigest(uuid: Hex) {
  const index = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [uuid, USED_DIGESTS_SLOT]),
  )
  await worldClient(world, 1).setStorageAt({ address: station, index, value: zeroHash })
}
