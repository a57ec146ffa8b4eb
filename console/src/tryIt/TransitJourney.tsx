import {
  type components,
  getIndicativeTransitQuote,
  getTransitOrder,
  listTransitRoutes,
  sendTransitOrder,
} from '@causeway/sdk'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { formatUnits, type Hash } from 'viem'
import { readAll } from '../api/readAll.ts'
import { type TokenMap, tokenOf } from '../api/tokens.ts'
import { useApi } from '../api/useApi.ts'
import { useChainName } from '../chains/useChainName.ts'
import { Amount } from '../components/Amount.tsx'
import { Card } from '../components/Card.tsx'
import { Choice } from '../components/Choice.tsx'
import { Answered, Empty } from '../components/states.tsx'
import type { OfferedAsset } from '../earn/useVaultOffers.ts'
import { formatAmount } from '../format/formatNumber.ts'
import { formatDuration } from '../format/formatTime.ts'
import { OrderState } from '../orders/OrderState.tsx'
import { AmountField } from './AmountField.tsx'
import { guideWallet } from './guideWallet.ts'
import { Journey } from './Journey.tsx'
import { useAmount } from './useAmount.ts'
import { useBalance } from './useBalance.ts'
import { useJourney } from './useJourney.ts'
import type { Wallet } from './wallet.ts'
import { words } from './words.tsx'

type Route = components['schemas']['TransitRoute']
type Choosable = Route & { key: string; offer: OfferedAsset; want: OfferedAsset }

const EVERY_MS = 60_000
const SEEN_SECONDS = 20

/** A transit from quote to PROCESSED. */
export function TransitJourney({ wallet }: { wallet: Wallet }) {
  const query = useApi(
    async (connection, options) => {
      const { rows, tokens } = await readAll(
        listTransitRoutes(connection, { pageSize: 100 }, options),
        'routes',
      )
      return rows.flatMap((route) => choosable(route, tokens))
    },
    { key: ['routes to try'], every: EVERY_MS },
  )
  return (
    <Answered query={query}>
      {(routes) =>
        routes[0] ? (
          <TransitForm wallet={wallet} routes={routes} first={routes[0]} />
        ) : (
          <Empty title="No route is open">An order needs an open route.</Empty>
        )
      }
    </Answered>
  )
}

function choosable(route: Route, tokens: TokenMap): Choosable[] {
  const { sourceChainId, destinationChainId, offerAsset, wantAsset } = route
  const offer = tokenOf(tokens, sourceChainId, offerAsset)
  const want = tokenOf(tokens, destinationChainId, wantAsset)
  if (!offer || !want) return []
  return [
    {
      ...route,
      key: `${sourceChainId} ${offerAsset} ${destinationChainId} ${wantAsset}`,
      offer: { ...offer, address: offerAsset },
      want: { ...want, address: wantAsset },
    },
  ]
}

type FormProps = { wallet: Wallet; routes: readonly Choosable[]; first: Choosable }

function TransitForm({ wallet, routes, first }: FormProps) {
  const [key, setKey] = useState(first.key)
  const [orderId, setOrderId] = useState<Hash | null>(null)
  const nameOf = useChainName()
  const journey = useJourney()
  const route = routes.find((one) => one.key === key) ?? first
  const { offer, want, sourceChainId, destinationChainId } = route
  const amount = useAmount(offer, usualAmount(route))
  const balance = useBalance(wallet, sourceChainId, offer.address)
  const nameOfRoute = (one: Choosable) =>
    `${one.offer.symbol} on ${nameOf(one.sourceChainId)} → ${one.want.symbol} on ${nameOf(one.destinationChainId)}`

  const choose = (chosen: string) => {
    setKey(chosen)
    const found = routes.find((one) => one.key === chosen)
    if (found) amount.setText(usualAmount(found))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const offerAmount = amount.amount
    if (offerAmount === null) return
    setOrderId(null)
    void journey.start(async ({ connection, signal, agree, onSent }) => {
      const { walletClient, publicClient } = await wallet.clientsOf(sourceChainId)
      const quote = await getIndicativeTransitQuote(
        connection,
        {
          userAddress: wallet.address,
          offerAmount,
          offerAsset: offer.address,
          sourceChainId,
          wantAsset: want.address,
          destinationChainId,
        },
        { signal },
      )
      const told = words({
        chainId: sourceChainId,
        token: offer,
        amount: offerAmount,
        taker: 'the transit station',
        last: {
          title: 'Sign the order',
          about: `The station takes the offer on ${nameOf(sourceChainId)}. The receiver is paid on ${nameOf(destinationChainId)}.`,
          facts: [
            ['Offer', <Shown key="o" amount={offerAmount} asset={offer} />],
            ['Fees in it', <Shown key="f" amount={quote.totalFees} asset={offer} />],
            ['Paid to you', <Shown key="w" amount={quote.amountOut} asset={want} />],
            ...(quote.estimatedLatencyMs
              ? ([['Usually within', formatDuration(quote.estimatedLatencyMs)]] as const)
              : []),
          ],
        },
      })
      const order = await sendTransitOrder(connection, {
        walletClient: guideWallet(walletClient, told, agree),
        publicClient,
        quote,
        signal,
        onSent: ({ hash }) => onSent(sourceChainId, hash),
        onQuote: ({ orderId: id }) => setOrderId(id),
      })
      await getTransitOrder(
        connection,
        { orderId: order.id, waitSeconds: SEEN_SECONDS },
        { signal, timeoutMs: (SEEN_SECONDS + 10) * 1_000 },
      )
    })
  }

  return (
    <>
      <Card title="Move a stablecoin to another chain">
        <form className="form-row" onSubmit={submit}>
          <Choice
            name="Route"
            value={route.key}
            options={routes.map((one) => [one.key, nameOfRoute(one)])}
            onChoose={choose}
            isDisabled={journey.isRunning}
          />
          <AmountField
            asset={offer}
            text={amount.text}
            onType={amount.setText}
            balance={balance}
            fault={amount.fault}
          />
          <button type="submit" className="button primary" disabled={journey.isRunning}>
            Ask for a quote
          </button>
        </form>
      </Card>
      <Journey journey={journey} wallet={wallet} />
      {orderId && (
        <section className="stack" aria-label="The order">
          <div className="page-actions">
            <Link to="/orders/$orderId" params={{ orderId }} className="button">
              Open the order's own page
            </Link>
          </div>
          <OrderState orderId={orderId} />
        </section>
      )}
    </>
  )
}

function Shown({ amount, asset }: { amount: bigint; asset: OfferedAsset }) {
  return <Amount value={formatAmount(amount, asset.decimals)} unit={asset.symbol} />
}

/** 100 tokens, or what is surely within the limits of the route: the least amount follows the cost of gas. */
function usualAmount({ offer, minOrderSize, maxOrderSize }: Choosable): string {
  const unit = 10n ** BigInt(offer.decimals)
  const usual = 100n * unit
  const safe = ((2n * minOrderSize) / unit + 1n) * unit
  const wished = usual < safe ? safe : usual
  const fitting = maxOrderSize !== null && wished > maxOrderSize ? maxOrderSize : wished
  return formatUnits(fitting, offer.decimals)
}
