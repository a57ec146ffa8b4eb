import { randomBytes } from 'node:crypto'
import {
  type Address,
  type Hex,
  type LocalAccount,
  parseAbi,
  stringToHex,
  type TransactionReceipt,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { transitStationAbi } from '../abis/transitStation.ts'
import {
  quoteOrderId,
  quoteTypedData,
  type TransitQuote,
} from '../domain/transit/terms/quoteTypedData.ts'
import { DEVNET_ACTORS } from './accounts.ts'
import { chainTime } from './chainTime.ts'
import { type DevnetClient, type World, worldClient, worldStation } from './world.ts'

export type OrderRequest = {
  user: LocalAccount
  sourceChainId: number
  destinationChainId: number
  offerAsset: Address
  wantAsset: Address
  /** Base units of the offer asset. */
  offerAmount: bigint
  receiver?: Address
  integratorFee?: bigint
  distributorCode?: Hex
}

export type PlacedOrder = {
  orderId: Hex
  quote: TransitQuote
  /** Base units of the offer asset, after both fees. */
  netOfferAmount: bigint
  receipt: TransactionReceipt
}

export const erc20 = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function decimals() view returns (uint8)',
])

const QUOTE_SECONDS = 600n
const PROTOCOL_FEE_BPS = 10n
const BPS = 10_000n
const GAS = { approve: 100_000n, submit: 900_000n }

/** Signs a quote like the service's signer, approves, and submits the order on chain. */
export async function placeOrder(world: World, request: OrderRequest): Promise<PlacedOrder> {
  const { user, offerAsset, offerAmount } = request
  const client = worldClient(world, request.sourceChainId)
  const source = worldStation(world, request.sourceChainId)
  const quote = await makeQuote(world, client, request)
  const signature = await DEVNET_ACTORS.quoteSigner.signTypedData(
    quoteTypedData(quote, { chainId: source.chainId, station: source.station }),
  )
  const value = await messageFee(client, source, quote)
  await approve(client, { user, token: offerAsset, spender: source.station, amount: offerAmount })
  const hash = await client.writeContract({
    account: user,
    address: source.station,
    abi: transitStationAbi,
    functionName: 'submitOrder',
    args: [quote, signature],
    value,
    gas: GAS.submit,
  })
  const receipt = await client.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`submitOrder failed: ${hash}`)
  return {
    orderId: quoteOrderId(quote, { chainId: source.chainId, station: source.station }),
    quote,
    netOfferAmount: offerAmount - quote.protocolFee - quote.integratorFee,
    receipt,
  }
}

/** A 32-byte distributor code that reads as text. */
export function distributorCodeOf(text: string): Hex {
  return stringToHex(text, { size: 32 })
}

async function makeQuote(
  world: World,
  client: DevnetClient,
  request: OrderRequest,
): Promise<TransitQuote> {
  const destination = worldStation(world, request.destinationChainId)
  const integratorFee = request.integratorFee ?? 0n
  return {
    route: {
      destEID: destination.eid,
      offerAsset: request.offerAsset,
      wantAsset: request.wantAsset,
    },
    offerAmount: request.offerAmount,
    receiver: request.receiver ?? request.user.address,
    protocolFee: (request.offerAmount * PROTOCOL_FEE_BPS) / BPS,
    integratorFee,
    integratorFeeReceiver: integratorFee > 0n ? DEVNET_ACTORS.integrator.address : zeroAddress,
    distributorCode: request.distributorCode ?? zeroHash,
    deadline: (await chainTime(client)) + QUOTE_SECONDS,
    salt: toHex(randomBytes(32)),
  }
}

async function messageFee(
  client: DevnetClient,
  source: { station: Address; eid: number },
  quote: TransitQuote,
): Promise<bigint> {
  if (quote.route.destEID === source.eid) return 0n
  // The fee depends on the size of the terms, not on their content.
  const terms = {
    uuid: zeroHash,
    wantAsset: quote.route.wantAsset,
    receiver: quote.receiver,
    offerAsset: quote.route.offerAsset,
    offerAmountNormalized18AfterFees: quote.offerAmount,
  }
  return client.readContract({
    address: source.station,
    abi: transitStationAbi,
    functionName: 'quoteSend',
    args: [quote.route.destEID, terms],
  })
}

type Approval = { user: LocalAccount; token: Address; spender: Address; amount: bigint }

/** Raises the allowance to the amount, unless it is enough already. */
export async function approve(client: DevnetClient, { user, token, spender, amount }: Approval) {
  const allowed = await client.readContract({
    address: token,
    abi: erc20,
    functionName: 'allowance',
    args: [user.address, spender],
  })
  if (allowed >= amount) return
  // One of the tokens changes an allowance only from or to zero.
  for (const next of allowed > 0n ? [0n, amount] : [amount]) {
    const hash = await client.writeContract({
      account: user,
      address: token,
      abi: erc20,
      functionName: 'approve',
      args: [spender, next],
      gas: GAS.approve,
    })
    await client.waitForTransactionReceipt({ hash })
  }
}
