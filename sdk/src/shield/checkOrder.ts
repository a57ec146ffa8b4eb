import { type Address, type Hex, hashTypedData, recoverAddress, zeroAddress } from 'viem'
import { type OpenBook, stationOf, tokenOf } from './book.ts'
import { type Checked, type Checking, requireDeadline, requirePlace } from './checks.ts'
import type { ArgumentsOf } from './decodeCall.ts'
import { requireDepositAddress } from './depositAddress.ts'
import type { DepositFromIntent, TransitIntent } from './intent.ts'
import { inWords, onChain } from './sentence.ts'
import { isSame, must, mustBe } from './shieldError.ts'

type Quote = ArgumentsOf<'station.submitOrder'>[0]
type OrderIntent = TransitIntent | DepositFromIntent

const address = (name: string) => ({ name, type: 'address' })
const uint256 = (name: string) => ({ name, type: 'uint256' })
const bytes32 = (name: string) => ({ name, type: 'bytes32' })
/** The EIP-712 types of a quote, in the order of the station. */
const types = {
  Route: [{ name: 'destEID', type: 'uint32' }, address('offerAsset'), address('wantAsset')],
  Quote: [
    { name: 'route', type: 'Route' },
    uint256('offerAmount'),
    address('receiver'),
    uint256('protocolFee'),
    uint256('integratorFee'),
    address('integratorFeeReceiver'),
    bytes32('distributorCode'),
    uint256('deadline'),
    bytes32('salt'),
  ],
}
/** The decimals of amounts in messages between stations. */
const WIRE_DECIMALS = 18

/** Checks a quote and its submission: terms, digest, signature, station, message fee. */
export async function checkOrder(
  checking: Checking<OrderIntent>,
  quote: Quote,
  signature: Hex,
): Promise<Checked> {
  const { book, intent, options, call } = checking
  const ends = endsOf(intent)
  const { sourceChainId, destinationChainId } = ends
  const source = stationOf(book, sourceChainId)
  const isAcross = sourceChainId !== destinationChainId
  requirePlace(checking, {
    chainId: sourceChainId,
    contract: source.address,
    // An order within one chain sends no message.
    maxValue: isAcross ? BigInt(source.maxMessageFee) : 0n,
  })
  requireTerms(book, intent, quote)
  requireDeadline(book, quote.deadline, options)
  const domain = { name: 'TransitStation', version: '1', chainId: sourceChainId }
  const hash = hashTypedData({
    domain: { ...domain, verifyingContract: source.address },
    types,
    primaryType: 'Quote',
    message: quote,
  })
  must(
    options.orderId === undefined || isSame(options.orderId, hash),
    'WRONG_ORDER_ID',
    `the quote is the order ${hash}, not ${options.orderId}`,
  )
  // Bytes that are no signature have no signer.
  const signer = await recoverAddress({ hash, signature }).catch(() => null)
  must(
    signer !== null && source.quoteSigners.some((one) => isSame(one, signer)),
    'WRONG_SIGNER',
    `the quote is signed by ${signer ?? 'nobody'}, which is no signer of the station`,
  )
  const offer = tokenOf(book, sourceChainId, ends.offerAsset)
  const want = tokenOf(book, destinationChainId, ends.wantAsset)
  const paid = `Pay ${inWords(quote.offerAmount, offer)} ${onChain(book, sourceChainId)}`
  const due = `at least ${inWords(amountOutOf(book, intent, quote), want)} ${onChain(book, destinationChainId)}`
  const fee =
    call.value > 0n
      ? `, and up to ${inWords(call.value, { symbol: 'native coins', decimals: 18 })} for the message`
      : ''
  return { ok: `${paid}${fee}. ${ends.receiver(quote)} ${due}.` }
}

type Ends = Pick<
  TransitIntent,
  'sourceChainId' | 'offerAsset' | 'destinationChainId' | 'wantAsset'
> & {
  /** Who gets the amount, in words. */
  receiver: (quote: Quote) => string
}

function endsOf(intent: OrderIntent): Ends {
  if (intent.kind === 'transit')
    return { ...intent, receiver: ({ receiver }) => `${receiver} gets` }
  const { from, chainId: destinationChainId, depositAsset: wantAsset, to } = intent
  return {
    sourceChainId: from.chainId,
    offerAsset: from.asset,
    destinationChainId,
    wantAsset,
    receiver: ({ receiver }) =>
      `${receiver}, which only deposits for ${to}, pays it back, or sends it to the recovery wallet, gets`,
  }
}

/** Throws unless the quote has the terms of the user's words. */
function requireTerms(book: OpenBook, intent: OrderIntent, quote: Quote): void {
  const { offerAsset, destinationChainId, wantAsset } = endsOf(intent)
  const { route } = quote
  const { eid } = stationOf(book, destinationChainId)
  must(
    route.destEID === eid,
    'WRONG_DESTINATION',
    `the order goes to endpoint ${route.destEID}, expected ${eid}`,
  )
  mustBe(route.offerAsset, offerAsset, 'WRONG_TOKEN', 'the offered token')
  mustBe(route.wantAsset, wantAsset, 'WRONG_TOKEN', 'the token to receive')
  must(
    quote.offerAmount === intent.offerAmount,
    'WRONG_AMOUNT',
    `the order offers ${quote.offerAmount}, expected ${intent.offerAmount}`,
  )
  requireReceiver(book, intent, quote.receiver)
  requireFee(intent, quote)
  const amountOut = amountOutOf(book, intent, quote)
  must(
    amountOut >= intent.minimumAmountOut,
    'TERMS_WORSE',
    `${amountOut} would arrive, at least ${intent.minimumAmountOut} were agreed`,
  )
}

function requireReceiver(book: OpenBook, intent: OrderIntent, receiver: Address): void {
  if (intent.kind === 'transit') {
    mustBe(receiver, intent.receiver, 'WRONG_RECEIVER', 'the receiver')
    return
  }
  const { depositAsset: inputToken, to: userDestinationAddress } = intent
  const inputs = { ...intent, kind: 'depositAddress', inputToken, userDestinationAddress } as const
  requireDepositAddress(book, inputs, receiver)
}

function requireFee(intent: OrderIntent, quote: Quote): void {
  const wanted: Partial<TransitIntent> = intent.kind === 'transit' ? intent : {}
  const { integratorFee = 0n, integratorFeeReceiver = zeroAddress, distributorCode } = wanted
  must(
    quote.integratorFee === integratorFee,
    'WRONG_FEE',
    `the integrator's fee is ${quote.integratorFee}, expected ${integratorFee}`,
  )
  const { integratorFeeReceiver: paid, distributorCode: code } = quote
  mustBe(paid, integratorFeeReceiver, 'WRONG_FEE', "the receiver of the integrator's fee")
  if (distributorCode) mustBe(code, distributorCode, 'WRONG_FEE', 'the distributor code')
}

/** The amount that is due at the destination, in the station's own arithmetic. */
function amountOutOf(
  book: OpenBook,
  intent: OrderIntent,
  { offerAmount, protocolFee, integratorFee }: Quote,
): bigint {
  const ends = endsOf(intent)
  const net = offerAmount - protocolFee - integratorFee
  const { decimals: from } = tokenOf(book, ends.sourceChainId, ends.offerAsset)
  const { decimals: to } = tokenOf(book, ends.destinationChainId, ends.wantAsset)
  return scaled(scaled(net, from, WIRE_DECIMALS), WIRE_DECIMALS, to)
}

function scaled(amount: bigint, from: number, to: number): bigint {
  return from <= to ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to)
}
