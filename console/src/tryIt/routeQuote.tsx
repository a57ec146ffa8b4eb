import {
  type Connection,
  getIndicativeTransitQuote,
  type IndicativeTransitQuote,
} from '@causeway/sdk'
import type { ReactNode } from 'react'
import { formatDuration } from '../format/formatTime.ts'
import { endsOf } from '../transit/routeEnds.tsx'
import { Shown } from './Shown.tsx'
import { useAmount } from './useAmount.ts'
import { useBalance } from './useBalance.ts'
import { type Choosable, usualAmount } from './useRoutes.ts'
import type { Wallet } from './wallet.ts'

/** The amount to pay on a route, and the balance it is paid from. */
export function useRouteAmount(wallet: Wallet, route: Choosable) {
  const { key, offer, sourceChainId } = route
  const amount = useAmount(offer, { key, first: usualAmount(route) })
  return { amount, balance: useBalance(wallet, sourceChainId, offer.address) }
}

type Asked = { wallet: Wallet; route: Choosable; offerAmount: bigint; signal: AbortSignal }

/** The terms of a route before anything is signed. */
export function quoteRoute(
  connection: Connection,
  { wallet, route, offerAmount, signal }: Asked,
): Promise<IndicativeTransitQuote> {
  const request = { ...endsOf(route), offerAmount, userAddress: wallet.address }
  return getIndicativeTransitQuote(connection, request, { signal })
}

/** The facts of a quote, as the card of its signature shows them. */
export function quoteFacts(quote: IndicativeTransitQuote, route: Choosable): readonly Fact[] {
  const { estimatedLatencyMs: latency } = quote
  return [
    ...amountFacts(quote, route),
    ...(latency ? ([['Usually arrives within', formatDuration(latency)]] as const) : []),
  ]
}

type Fact = readonly [string, ReactNode]
type Amounts = Pick<IndicativeTransitQuote, 'offerAmount' | 'totalFees' | 'amountOut'>

export function amountFacts(
  { offerAmount, totalFees, amountOut }: Amounts,
  { offer, want }: Choosable,
): readonly Fact[] {
  return [
    ['You pay', <Shown key="o" amount={offerAmount} asset={offer} />],
    ['Fees in it', <Shown key="f" amount={totalFees} asset={offer} />],
    ['Arrives', <Shown key="w" amount={amountOut} asset={want} />],
  ]
}
