import {
  type Address,
  encodeFunctionData,
  getAbiItem,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import { expect } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { World } from '../../devnet/world.ts'
import type { TransitQuote } from '../../domain/transit/terms/quoteTypedData.ts'
import { authorityAbi } from '../devnet/localAbis.ts'
import { deployer, send } from '../devnet/stationWorld.ts'
import { encodeHandCall, type HandCall } from '../support/handCall.ts'
import type { Ends } from '../support/quotes.ts'
import type { Refusal } from '../support/refusal.ts'

const USER = userAt(0).address
export const CROSS: Ends = { from: 1, to: 4663, offer: 'USDC', want: 'USDG' }

export type QuoteCase = Refusal & {
  name: string
  /** Changes the chain before the request. */
  prepare?: (world: World) => Promise<unknown>
  ends?: Ends
  parameters?: Record<string, string>
  /** The revert of the same submission on chain, signed by the right signer. */
  forced: Partial<TransitQuote>
  reverts: unknown[]
}

/** Every reason for which a station refuses a submission. */
export const QUOTE_CASES: QuoteCase[] = [
  {
    name: 'a station that is paused',
    prepare: (world) => asOwner(world, 'function pause()'),
    reason: 'STATION_PAUSED',
    metadata: { chainId: '1' },
    forced: {},
    reverts: ['EnforcedPause'],
  },
  {
    name: 'a station that takes no orders from the public',
    prepare: (world) => setPublic(world, 'submitOrder', false),
    reason: 'STATION_PAUSED',
    metadata: { chainId: '1' },
    forced: {},
    reverts: ['Error', 'UNAUTHORIZED'],
  },
  {
    name: 'a route that nobody has',
    ends: { from: 1, to: 1, offer: 'USDG', want: 'USDP' },
    reason: 'ROUTE_NOT_FOUND',
    forced: { route: routeOf('USDG', 'USDP') },
    reverts: ['RouteNotApproved', routeOf('USDG', 'USDP')],
  },
  {
    name: 'a route whose approval was withdrawn',
    prepare: (world) => setApproval(world, false),
    reason: 'ROUTE_NOT_FOUND',
    forced: {},
    reverts: ['RouteNotApproved', routeOf('USDC', 'USDG')],
  },
  {
    name: 'no receiver',
    parameters: { userAddress: zeroAddress },
    reason: 'RECEIVER_CANNOT_USE',
    fields: ['userAddress'],
    forced: { receiver: zeroAddress },
    reverts: ['ZeroAddress'],
  },
  {
    name: 'an integrator fee for nobody',
    parameters: { integratorFee: '5', integratorFeeReceiver: zeroAddress },
    reason: 'RECEIVER_CANNOT_USE',
    fields: ['integratorFeeReceiver'],
    forced: { integratorFee: 5n },
    reverts: ['ZeroAddress'],
  },
  {
    name: 'an offer whose protocol fee would be above 50 bps',
    parameters: { offerAmount: '60000000' },
    reason: 'BELOW_MIN_ORDER_SIZE',
    metadata: { asset: DEPLOYMENT.tokens.USDC, minOrderSize: expect.stringMatching(/^\d+$/) },
    fields: ['offerAmount'],
    forced: { offerAmount: 60_000_000n, protocolFee: 300_001n },
    reverts: ['ProtocolFeeTooHigh', 300_001n, 300_000n],
  },
  {
    name: 'an integrator fee above 1,000 bps',
    parameters: { integratorFee: '200000001', integratorFeeReceiver: USER },
    reason: 'QUOTE_FEE_TOO_HIGH',
    metadata: { asset: DEPLOYMENT.tokens.USDC, maxIntegratorFee: '200000000' },
    fields: ['integratorFee'],
    forced: { integratorFee: 200_000_001n, integratorFeeReceiver: USER },
    reverts: ['IntegratorFeeTooHigh', 200_000_001n, 200_000_000n],
  },
  {
    name: 'nothing offered',
    parameters: { offerAmount: '0' },
    reason: 'INVALID_FIELD',
    fields: ['offerAmount'],
    forced: { offerAmount: 0n },
    reverts: ['FeesExceedOrEqualOffer', 0n, 0n, 0n],
  },
  {
    name: 'a destination without a peer',
    prepare: (world) => asOwner(world, 'function setPeer(uint32, bytes32)', 30_416, zeroHash),
    ends: CROSS,
    reason: 'STATION_NOT_CONNECTED',
    metadata: { chainId: '1' },
    forced: { route: routeOf('USDC', 'USDG', 30_416) },
    reverts: ['NoPeer', 30_416],
  },
  {
    name: 'a destination without a gas limit',
    prepare: (world) => asOwner(world, 'function setMessageGasLimit(uint32, uint64)', 30_416, 0n),
    ends: CROSS,
    reason: 'STATION_NOT_CONNECTED',
    metadata: { chainId: '1' },
    forced: { route: routeOf('USDC', 'USDG', 30_416) },
    reverts: ['GasLimitNotSet', 30_416],
  },
  {
    name: 'a station that takes the quotes of another signer',
    prepare: (world) => asOwner(world, 'function setQuoteSigner(address)', USER),
    reason: 'QUOTE_SIGNER_UNAVAILABLE',
    metadata: { chainId: '1' },
    forced: {},
    reverts: ['InvalidSigner', expect.stringMatching(/^0x/)],
  },
]

/** A route in the form of chain 1's station. */
export function routeOf(offer: 'USDC' | 'USDG', want: 'USDG' | 'USDP', destEID = 30_101) {
  const { tokens } = DEPLOYMENT
  return { destEID, offerAsset: tokens[offer], wantAsset: tokens[want] }
}

/** Calls the station of chain 1 as its owner. */
export function asOwner(world: World, ...call: HandCall) {
  const data = encodeHandCall(call)
  return send(world, 1, { address: DEPLOYMENT.station, account: deployer, data })
}

export function setApproval(world: World, isApproved: boolean) {
  const data = encodeFunctionData({
    abi: transitStationAbi,
    functionName: 'setRouteApprovals',
    args: [[routeOf('USDC', 'USDG')], [isApproved]],
  })
  return send(world, 1, { address: DEPLOYMENT.station, account: deployer, data })
}

type Submission = 'submitOrder' | 'submitOrderWithPermit'

/** Sets whether anyone may call the function. */
export function setPublic(world: World, name: Submission, isPublic: boolean) {
  const selector = toFunctionSelector(getAbiItem({ abi: transitStationAbi, name }))
  const data = encodeFunctionData({
    abi: authorityAbi,
    functionName: 'setPublicCapability',
    args: [DEPLOYMENT.station, selector, isPublic],
  })
  return send(world, 1, { address: DEPLOYMENT.authority, account: deployer, data })
}

/** Parameters that are invalid regardless of the chain, and the fields that the refusal names. */
export const REFUSED_PARAMETERS: [
  name: string,
  parameters: Record<string, string>,
  fields: string[],
][] = [
  ['a permit without its deadline', { permitSignature: signatureEnding('1b') }, ['permitDeadline']],
  ['a deadline without its permit', { permitDeadline: '5' }, ['permitSignature']],
  [
    'a permit of 64 bytes',
    { permitSignature: signatureEnding(''), permitDeadline: '5' },
    ['permitSignature'],
  ],
  [
    'a permit of 66 bytes',
    { permitSignature: signatureEnding('1b00'), permitDeadline: '5' },
    ['permitSignature'],
  ],
  [
    'a permit with a v of 30',
    { permitSignature: signatureEnding('1e'), permitDeadline: '5' },
    ['permitSignature'],
  ],
  [
    'a permit that is not hex',
    { permitSignature: `0x${'zz'.repeat(65)}`, permitDeadline: '5' },
    ['permitSignature'],
  ],
  ['a fee without its receiver', { integratorFee: '5' }, ['integratorFeeReceiver']],
  ['a receiver without its fee', { integratorFeeReceiver: USER }, ['integratorFee']],
  ['a code of 31 bytes', { distributorCode: `0x${'00'.repeat(31)}` }, ['distributorCode']],
  ['an offer and what is wanted', { wantAmount: '2000000000' }, ['wantAmount']],
  ['an amount with a point', { offerAmount: '1.5' }, ['offerAmount']],
  ['an amount beyond 256 bits', { offerAmount: String(2n ** 256n) }, ['offerAmount']],
  ['an amount beyond the station', { offerAmount: String(2n ** 256n - 1n) }, ['offerAmount']],
  ['a malformed address', { userAddress: '0x12' }, ['userAddress']],
  ['a wrong checksum', { userAddress: wrongChecksum(USER) }, ['userAddress']],
  ['a response format that is none', { responseFormat: 'xml' }, ['responseFormat']],
  ['a flag that is none', { simulate: 'yes' }, ['simulate']],
  ['a chain id that is none', { sourceChainId: 'one' }, ['sourceChainId']],
  [
    'much at once',
    { offerAmount: '0', userAddress: zeroAddress, integratorFee: '-1', permitDeadline: '5' },
    ['integratorFee', 'integratorFeeReceiver', 'offerAmount', 'permitSignature', 'userAddress'],
  ],
]

/** 64 bytes followed by these; one more byte makes a permit signature. */
export function signatureEnding(v: string): string {
  return `0x${'11'.repeat(64)}${v}`
}

/** The same address with the case of its first letter changed. */
function wrongChecksum(address: Address): string {
  return address.replace(/[a-fA-F](?!x)/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
