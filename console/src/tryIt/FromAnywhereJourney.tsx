import { depositFrom, getJourney, getJourneyQuote } from '@causeway/sdk'
import { useState } from 'react'
import type { Hash } from 'viem'
import { useChainName } from '../chains/useChainName.ts'
import { Choice } from '../components/Choice.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { useVaultOffers, type VaultOffer } from '../earn/useVaultOffers.ts'
import { AmountField } from './AmountField.tsx'
import { Journey } from './Journey.tsx'
import { JourneyState } from './JourneyState.tsx'
import { PositionCard } from './PositionCard.tsx'
import { amountFacts, useRouteAmount } from './routeQuote.tsx'
import { Shown } from './Shown.tsx'
import { useJourney } from './useJourney.ts'
import { type Choosable, useRoutes } from './useRoutes.ts'
import type { Wallet } from './wallet.ts'
import { words } from './words.tsx'

const SEEN_SECONDS = 20

/** A vault, and the routes by which it can be reached. */
type Reached = { offer: VaultOffer; routes: readonly [Choosable, ...Choosable[]] }

/** A deposit into a vault from another chain or with another token, with one transaction. */
export function FromAnywhereJourney({ wallet }: { wallet: Wallet }) {
  const offers = useVaultOffers()
  const routes = useRoutes()
  return (
    <Answered query={offers}>
      {(vaults) => (
        <Answered query={routes}>
          {(ways) => {
            const reached = vaults.flatMap((offer) => reachedBy(offer, ways))
            return reached[0] ? (
              <FromAnywhereForm wallet={wallet} reached={reached} first={reached[0]} />
            ) : (
              <Empty title="No vault can be reached from another chain now" />
            )
          }}
        </Answered>
      )}
    </Answered>
  )
}

function reachedBy(offer: VaultOffer, routes: readonly Choosable[]): Reached[] {
  const [first, ...others] = routes.filter(
    ({ destinationChainId, wantAsset }) =>
      destinationChainId === offer.chainId &&
      offer.depositable.some(({ address }) => address === wantAsset),
  )
  return first ? [{ offer, routes: [first, ...others] }] : []
}

type FormProps = { wallet: Wallet; reached: readonly Reached[]; first: Reached }

function FromAnywhereForm({ wallet, reached, first }: FormProps) {
  const [vaultKey, setVaultKey] = useState(first.offer.key)
  const [routeKey, setRouteKey] = useState('')
  const [sent, setSent] = useState<{ id: Hash; offer: VaultOffer } | null>(null)
  const nameOf = useChainName()
  const journey = useJourney()
  const { offer, routes } = reached.find((one) => one.offer.key === vaultKey) ?? first
  const route = routes.find(({ key }) => key === routeKey) ?? routes[0]
  const { offer: paid, want, sourceChainId } = route
  const { amount, balance } = useRouteAmount(wallet, route)

  const submit = () => {
    const depositAmount = amount.amount
    if (depositAmount === null) return
    setSent(null)
    void journey.start(async ({ connection, signal, signerOf }) => {
      const signing = await signerOf(wallet, sourceChainId)
      const { chainId, vaultAddress } = offer
      const deposit = { chainId, vaultAddress, depositAsset: want.address, depositAmount }
      const quote = await getJourneyQuote(
        connection,
        {
          ...deposit,
          sourceChainId,
          sourceAsset: paid.address,
          userAddress: wallet.address,
        },
        { signal },
      )
      // The market may move a little before the deposit is prepared.
      const minimumAmountOut = quote.amountOut - quote.amountOut / 1_000n
      const told = words({
        chainId: sourceChainId,
        token: paid,
        amount: depositAmount,
        taker: 'the transit station',
        last: {
          title: 'Sign the deposit',
          about: `The station takes the token on ${nameOf(sourceChainId)}. What arrives on ${nameOf(chainId)} is deposited for you: there is nothing more to sign.`,
          facts: [
            ...amountFacts({ ...quote, totalFees: quote.fees.transit.amount }, route),
            ['At least', <Shown key="m" amount={minimumAmountOut} asset={want} />],
            ['Into', `${offer.name} on ${nameOf(chainId)}`],
            ...(quote.expectedBy
              ? ([['Usually there by', <Time key="t" time={quote.expectedBy} />]] as const)
              : []),
          ],
        },
      })
      const { id } = await depositFrom(connection, {
        ...signing(told),
        ...deposit,
        from: { chainId: sourceChainId, asset: paid.address },
        minimumAmountOut,
      })
      setSent({ id, offer })
      await getJourney(
        connection,
        { id, waitSeconds: SEEN_SECONDS },
        { signal, timeoutMs: (SEEN_SECONDS + 10) * 1_000 },
      )
    })
  }

  return (
    <>
      <Journey
        title="Into a vault, from any chain"
        action="Prepare the deposit"
        journey={journey}
        wallet={wallet}
        onSubmit={submit}
      >
        <Choice
          name="Vault"
          value={offer.key}
          options={reached.map(({ offer: { key, name, chainId } }) => [
            key,
            `${name} on ${nameOf(chainId)}`,
          ])}
          onChoose={setVaultKey}
          isDisabled={journey.isRunning}
        />
        <Choice
          name="Pay with"
          value={route.key}
          options={routes.map((one) => [
            one.key,
            `${one.offer.symbol} on ${nameOf(one.sourceChainId)} → ${one.want.symbol}`,
          ])}
          onChoose={setRouteKey}
          isDisabled={journey.isRunning}
        />
        <AmountField asset={paid} amount={amount} balance={balance} />
      </Journey>
      {sent && (
        <JourneyState id={sent.id}>
          <PositionCard userAddress={wallet.address} offer={sent.offer} />
        </JourneyState>
      )}
    </>
  )
}
