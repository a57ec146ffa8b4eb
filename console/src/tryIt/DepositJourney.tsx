import { type Connection, depositIntoVault, listUserPositions } from '@causeway/sdk'
import { useState } from 'react'
import type { Address } from 'viem'
import { useChainName } from '../chains/useChainName.ts'
import { Choice } from '../components/Choice.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { type OfferedAsset, useVaultOffers, type VaultOffer } from '../earn/useVaultOffers.ts'
import { AmountField } from './AmountField.tsx'
import { Journey } from './Journey.tsx'
import { PositionCard } from './PositionCard.tsx'
import { Shown } from './Shown.tsx'
import { useAmount } from './useAmount.ts'
import { useBalance } from './useBalance.ts'
import { useJourney } from './useJourney.ts'
import type { Wallet } from './wallet.ts'
import { words } from './words.tsx'

/** A deposit into a vault, until the account has its position. */
export function DepositJourney({ wallet }: { wallet: Wallet }) {
  const query = useVaultOffers()
  return (
    <Answered query={query}>
      {(offers) => {
        const open = offers.filter(({ depositable }) => depositable.length > 0)
        const [offer] = open
        const asset = offer?.depositable[0]
        return offer && asset ? (
          <DepositForm wallet={wallet} offers={open} first={{ offer, asset }} />
        ) : (
          <Empty title="No vault takes deposits now" />
        )
      }}
    </Answered>
  )
}

type FormProps = {
  wallet: Wallet
  offers: readonly VaultOffer[]
  first: { offer: VaultOffer; asset: OfferedAsset }
}

function DepositForm({ wallet, offers, first }: FormProps) {
  const [key, setKey] = useState(first.offer.key)
  const [token, setToken] = useState<string>(first.asset.address)
  const [isDone, setDone] = useState(false)
  const nameOf = useChainName()
  const journey = useJourney()
  const offer = offers.find((one) => one.key === key) ?? first.offer
  const asset =
    offer.depositable.find(({ address }) => address === token) ??
    offer.depositable[0] ??
    first.asset
  const amount = useAmount(asset, { key: `${offer.chainId} ${asset.address}`, first: '100' })
  const balance = useBalance(wallet, offer.chainId, asset.address)
  const { chainId, vaultAddress } = offer

  const submit = () => {
    const depositAmount = amount.amount
    if (depositAmount === null) return
    setDone(false)
    void journey.start(async ({ connection, signal, signerOf }) => {
      const signing = await signerOf(wallet, chainId)
      const place = { userAddress: wallet.address, filter: { chainId, vaultAddress } }
      const before = await listUserPositions(connection, place, { signal }).page()
      const told = words({
        chainId,
        token: asset,
        amount: depositAmount,
        taker: 'the depositor of the vault',
        last: {
          title: 'Sign the deposit',
          about: `${offer.name} on ${nameOf(chainId)} takes the token and mints shares for you.`,
          facts: [['Deposit', <Shown key="d" amount={depositAmount} asset={asset} />]],
        },
      })
      await depositIntoVault(connection, {
        ...signing(told),
        chainId,
        vaultAddress,
        depositAsset: asset.address,
        depositAmount,
      })
      await readChangedPosition(connection, { ...place, before, signal })
      setDone(true)
    })
  }

  return (
    <>
      <Journey
        title="Deposit into a vault"
        action="Prepare the deposit"
        journey={journey}
        wallet={wallet}
        onSubmit={submit}
      >
        <Choice
          name="Vault"
          value={offer.key}
          options={offers.map((one) => [one.key, `${one.name} on ${nameOf(one.chainId)}`])}
          onChoose={setKey}
          isDisabled={journey.isRunning}
        />
        <Choice
          name="Token"
          value={asset.address}
          options={offer.depositable.map(({ address, symbol }) => [address, symbol])}
          onChoose={setToken}
          isDisabled={journey.isRunning}
        />
        <AmountField asset={asset} amount={amount} balance={balance} />
      </Journey>
      {isDone && <PositionCard userAddress={wallet.address} offer={offer} />}
    </>
  )
}

type Page = Awaited<ReturnType<ReturnType<typeof listUserPositions>['page']>>
type Place = {
  userAddress: Address
  filter: { chainId: number; vaultAddress: Address }
  /** The position before the change. */
  before: Page
  signal: AbortSignal
}

const TRIES = 30
const PAUSE_MS = 1_000

/** Reads a position until its shares have changed: the index is a moment behind the chain. */
async function readChangedPosition(
  connection: Connection,
  { before, signal, ...place }: Place,
): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const page = await listUserPositions(connection, place, { signal }).page()
    if (sharesOf(page) !== sharesOf(before)) return
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

function sharesOf({ userPositions }: Page): string {
  return String(userPositions[0]?.shareBalance ?? 0)
}
