import {
  type Abi,
  type Address,
  concat,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { PREPARED_FUNCTIONS, type PreparedFunction } from '../../../abis/preparedFunctions.ts'
import { DEVNET_QUOTE_SIGNER_KEY } from '../../../devnet/accounts.ts'
import {
  quoteOrderId,
  quoteTypedData,
  type TransitQuote,
} from '../../../domain/transit/terms/quoteTypedData.ts'
import type { Altered } from './attack.ts'

/** A prepared transaction in an answer of the API. */
export type Call = { to: Address; value: string; data: Hex }
/** The arguments of a call, which attacks change as data. */
export type Args = Altered[]

const FUNCTIONS = Object.entries(PREPARED_FUNCTIONS).map(
  ([name, fragments]) => [name, parseAbi(fragments as readonly string[])] as const,
)
const ABI: Abi = FUNCTIONS.flatMap(([, abi]) => abi)

/** Encodes a call again with changed arguments. */
export function recode(call: Call, change: (args: Args) => void): void {
  const { functionName, args } = decodeFunctionData({ abi: ABI, data: call.data })
  const changed = structuredClone(args) as Args
  change(changed)
  const selector = call.data.slice(0, 10)
  const abi = ABI.filter(
    (item) => item.type === 'function' && encodesTo(item, functionName, changed, selector),
  )
  call.data = encodeFunctionData({ abi, functionName, args: changed })
}

/** A call of another prepared function. */
export function encode(name: PreparedFunction, args: Args): Hex {
  const [, abi] = FUNCTIONS.find(([one]) => one === name) ?? []
  return encodeFunctionData({ abi: abi as Abi, args })
}

/** The arguments of a call. */
export function argsOf(data: Hex): Args {
  return [...(decodeFunctionData({ abi: ABI, data }).args ?? [])]
}

function encodesTo(item: Abi[number], functionName: string, args: Args, selector: string): boolean {
  try {
    return encodeFunctionData({ abi: [item], functionName, args }).startsWith(selector)
  } catch {
    return false
  }
}

type QuoteAnswer = { orderId: Hex; transaction: Call }
type Source = { chainId: number; station: Address }

const stationSigner = privateKeyToAccount(DEVNET_QUOTE_SIGNER_KEY)

/** Changes the quote of an order and signs it again, by default as a thief of the station's key would. */
export async function resign(
  answer: QuoteAnswer,
  { chainId, station }: Source,
  change: (quote: TransitQuote) => void,
  signer: LocalAccount = stationSigner,
): Promise<void> {
  const { data } = answer.transaction
  const [quote, , ...permit] = argsOf(data)
  change(quote)
  const source = { chainId, station } as Parameters<typeof quoteOrderId>[1]
  const signature = await signer.signTypedData(quoteTypedData(quote, source))
  answer.transaction.data = encode(
    permit.length > 0 ? 'station.submitOrderWithPermit' : 'station.submitOrder',
    [quote, signature, ...permit],
  )
  answer.orderId = quoteOrderId(quote, source)
}

/** Bytes behind the arguments. */
export function withTail(data: Hex): Hex {
  return concat([data, `0x${'00'.repeat(32)}`])
}

/** The same calldata with a bit in the padding of its first address. */
export function withDirtyPadding(data: Hex, word: number): Hex {
  const at = 10 + word * 64
  return `${data.slice(0, at)}01${data.slice(at + 2)}` as Hex
}
