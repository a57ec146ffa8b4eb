import { getTransitOrder, sendTransitOrder } from '@causeway/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Hash } from 'viem'
import { useChainName } from '../chains/useChainName.ts'
import { Choice } from '../components/Choice.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { OrderState } from '../orders/OrderState.tsx'
import { AmountField } from './AmountField.tsx'
import { Journey } from './Journey.tsx'
import { quoteFacts, quoteRoute, useRouteAmount } from './routeQuote.tsx'
import { useJourney } from './useJourney.ts'
import { type Choosable, useRoutes } from './useRoutes.ts'
import type { Wallet } from './wallet.ts'
import { words } from './words.tsx'

const SEEN_SECONDS = 20

/** A transit from quote to PROCESSED. */
export function TransitJourney({ wallet }: { wallet: Wallet }) {
  const query = useRoutes()
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

type FormProps = { wallet: Wallet; routes: readonly Choosable[]; first: Choosable }

function TransitForm({ wallet, routes, first }: FormProps) {
  const [key, setKey] = useState(first.key)
  const [orderId, setOrderId] = useState<Hash | null>(null)
  const nameOf = useChainName()
  const journey = useJourney()
  const route = routes.find((one) => one.key === key) ?? first
  const { offer, sourceChainId, destinationChainId } = route
  const { amount, balance } = useRouteAmount(wallet, route)
  const nameOfRoute = (one: Choosable) =>
    `${one.offer.symbol} on ${nameOf(one.sourceChainId)} → ${one.want.symbol} on ${nameOf(one.destinationChainId)}`

  const submit = () => {
    const offerAmount = amount.amount
    if (offerAmount === null) return
    setOrderId(null)
    void journey.start(async ({ connection, signal, signerOf }) => {
      const signing = await signerOf(wallet, sourceChainId)
      const quote = await quoteRoute(connection, { wallet, route, offerAmount, signal })
      const told = words({
        chainId: sourceChainId,
        token: offer,
        amount: offerAmount,
        taker: 'the transit station',
        last: {
          title: 'Sign the order',
          about: `The station takes the offer on ${nameOf(sourceChainId)}. The receiver is paid on ${nameOf(destinationChainId)}.`,
          facts: quoteFacts(quote, route),
        },
      })
      const order = await sendTransitOrder(connection, {
        ...signing(told),
        quote,
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
      <Journey
        title="Move a stablecoin to another chain"
        action="Ask for a quote"
        journey={journey}
        wallet={wallet}
        onSubmit={submit}
      >
        <Choice
          name="Route"
          value={route.key}
          options={routes.map((one) => [one.key, nameOfRoute(one)])}
          onChoose={setKey}
          isDisabled={journey.isRunning}
        />
        <AmountField asset={offer} amount={amount} balance={balance} />
      </Journey>
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
