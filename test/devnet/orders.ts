import { randomBytes } from 'node:crypto'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseSignature,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { type World, worldClient } from '../../devnet/world.ts'
import {
  quoteOrderId,
  quoteTypedData,
  type TransitQuote,
} from '../../domain/transit/terms/quoteTypedData.ts'
import { stationAbi, tokenAbi } from './localAbis.ts'
import { type Call, EIDS, NO_TERMS, quoteSigner, station, tokens, user } from './stationWorld.ts'

/** 100 USDC for USDG on the same chain, without fees, valid for an hour. */
export async function makeQuote(
  world: World,
  chainId: number,
  overrides: Partial<TransitQuote> = {},
): Promise<TransitQuote> {
  const { timestamp } = await worldClient(world, chainId).getBlock()
  return {
    route: { destEID: EIDS[chainId] ?? 0, offerAsset: tokens.USDC, wantAsset: tokens.USDG },
    offerAmount: 100_000_000n,
    receiver: user(1).address,
    protocolFee: 0n,
    integratorFee: 0n,
    integratorFeeReceiver: zeroAddress,
    distributorCode: zeroHash,
    deadline: timestamp + 3_600n,
    salt: toHex(randomBytes(32)),
    ...overrides,
  }
}

/** The route from 1 to 4663 that most tests use. */
export const CROSS_ROUTE = { destEID: 30_416, offerAsset: tokens.USDC, wantAsset: tokens.USDG }

export async function signQuote(
  chainId: number,
  quote: TransitQuote,
  signer: LocalAccount = quoteSigner,
) {
  const source = { chainId, station }
  const signature = await signer.signTypedData(quoteTypedData(quote, source))
  return { uuid: quoteOrderId(quote, source), signature }
}

export function submitCall(quote: TransitQuote, signature: Hex, value = 0n): Call {
  const data = encodeFunctionData({
    abi: stationAbi,
    functionName: 'submitOrder',
    args: [quote, signature],
  })
  return { address: station, account: user(), data, value }
}

export type Permit = { deadline: bigint; signature: Hex }

export function submitWithPermitCall(
  quote: TransitQuote,
  signature: Hex,
  options: { permit: Permit; value?: bigint },
): Call {
  const { r, s, v } = parseSignature(options.permit.signature)
  const permit = [options.permit.deadline, Number(v), r, s] as const
  const data = encodeFunctionData({
    abi: stationAbi,
    functionName: 'submitOrderWithPermit',
    args: [quote, signature, ...permit],
  })
  return { address: station, account: user(), data, value: options.value ?? 0n }
}

/** The submitter's EIP-2612 permit for the station. */
export async function signPermit(
  world: World,
  chainId: number,
  { token, amount }: { token: Address; amount: bigint },
): Promise<Permit> {
  const client = worldClient(world, chainId)
  const contract = { address: token, abi: tokenAbi } as const
  const owner = user().address
  const [{ timestamp }, name, version, nonce] = await Promise.all([
    client.getBlock(),
    client.readContract({ ...contract, functionName: 'name' }),
    client.readContract({ ...contract, functionName: 'version' }),
    client.readContract({ ...contract, functionName: 'nonces', args: [owner] }),
  ])
  const deadline = timestamp + 3_600n
  const signature = await user().signTypedData({
    domain: { name, version, chainId, verifyingContract: token },
    types: { Permit: PERMIT },
    primaryType: 'Permit',
    message: { owner, spender: station, value: amount, nonce, deadline },
  })
  return { deadline, signature }
}

const PERMIT = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const

/** In wei; 0 on the same chain. */
export function messageFee(world: World, chainId: number, quote: TransitQuote): Promise<bigint> {
  if (quote.route.destEID === EIDS[chainId]) return Promise.resolve(0n)
  return worldClient(world, chainId).readContract({
    address: station,
    abi: stationAbi,
    functionName: 'quoteSend',
    args: [quote.route.destEID, NO_TERMS],
  })
}
