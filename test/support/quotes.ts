import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseAbi } from 'viem'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { erc20 } from '../../devnet/placeOrder.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import type { PermitData } from '../../domain/token/detectAuthorization.ts'

export type Latency = {
  p50Ms: number
  p90Ms: number
  p99Ms: number
  sampleSize: number
  windowSeconds: number
  heldP90: number | null
}

export type QuoteBody = {
  orderId: Hex
  expiresAt: string
  offerAmount: string
  wantAmount?: string
  amountOut: string
  protocolFee: string
  fillCostFee: string
  conversionRateFee: string
  conversionRateHundredthsBps: number
  integratorFee: string
  totalFees: string
  messageFee: string
  estimatedLatencyMs?: number
  latency: Latency | null
  destinationPaused: boolean
  transaction: {
    to: Address
    value: string
    data: Hex
    abi: string[]
    functionName: string
    args: unknown[]
  }
}

export type AuthorizationBody = {
  spenderAddress: Address
  alreadyApproved: boolean
  methods: {
    type: string
    permitData?: PermitData
    transaction?: { encoded: Hex }
    requiresFollowUp?: true
  }[]
}

export type Ends = { from: number; to: number; offer: TokenSymbol; want: TokenSymbol }

/** The path of a quote between two tokens of the local world. */
export function quotePath({ from, to, offer, want }: Ends, parameters: Record<string, string>) {
  const query = new URLSearchParams({
    offerAsset: DEPLOYMENT.tokens[offer],
    wantAsset: DEPLOYMENT.tokens[want],
    sourceChainId: String(from),
    destinationChainId: String(to),
    ...parameters,
  })
  return `/v1/transit/orders/quote?${query}`
}

export function authorizationPath(
  { from, offer }: Ends,
  parameters: { amount: bigint; userAddress: Address },
) {
  const query = new URLSearchParams({
    tokenAddress: DEPLOYMENT.tokens[offer],
    chainId: String(from),
    amount: String(parameters.amount),
    userAddress: parameters.userAddress,
  })
  return `/v3/core/authorization?${query}`
}

/** Sends a prepared transaction exactly as it was returned. */
export async function broadcast(
  world: World,
  chainId: number,
  { account, ...transaction }: { account: LocalAccount; to: Address; data: Hex; value?: string },
) {
  const client = worldClient(world, chainId)
  const { to, data } = transaction
  const value = BigInt(transaction.value ?? 0)
  const hash = await client.sendTransaction({ account, to, data, value })
  return client.waitForTransactionReceipt({ hash })
}

/** Signs the permit of an authorization, like a wallet, with the typed data unchanged. */
export function signPermitData(account: LocalAccount, permitData: PermitData): Promise<Hex> {
  const { domain, types, value } = permitData
  return account.signTypedData({ domain, types, primaryType: 'Permit', message: value })
}

/** The calldata of an answer's `abi`, `functionName` and `args`. */
export function encodeStructured({ abi, functionName, args }: QuoteBody['transaction']): Hex {
  // Casts, because viem's types need the signature as a constant.
  return encodeFunctionData({
    abi: parseAbi(abi as readonly string[]),
    functionName,
    args,
  } as never)
}

export function tokenBalance(
  world: World,
  chainId: number,
  [token, account]: [TokenSymbol, Address],
): Promise<bigint> {
  return worldClient(world, chainId).readContract({
    address: DEPLOYMENT.tokens[token],
    abi: erc20,
    functionName: 'balanceOf',
    args: [account],
  })
}
