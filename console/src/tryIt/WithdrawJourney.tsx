import {
  getWithdrawalRequest,
  listUserPositions,
  waitForWithdrawal,
  withdrawFromVault,
} from '@causeway/sdk'
import { positionsOptions, useAll } from '@causeway/sdk/react'
import { useState } from 'react'
import { formatUnits } from 'viem'
import { useAccess } from '../api/connectionContext.tsx'
import { LIVE } from '../api/live.ts'
import { tokenOf } from '../api/tokens.ts'
import { useChainName } from '../chains/useChainName.ts'
import { Choice } from '../components/Choice.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { type OfferedAsset, useVaultOffers, type VaultOffer } from '../earn/useVaultOffers.ts'
import { AmountField } from './AmountField.tsx'
import { Journey } from './Journey.tsx'
import { PositionCard } from './PositionCard.tsx'
import { Shown } from './Shown.tsx'
import { useAmount } from './useAmount.ts'
import { useJourney } from './useJourney.ts'
import { WithdrawalCard } from './WithdrawalCard.tsx'
import type { Wallet } from './wallet.ts'
import { words } from './words.tsx'

/** A deployment of which the account has shares, and its shares. */
type Held = { offer: VaultOffer; shares: OfferedAsset; balance: bigint; asset: OfferedAsset }

/** A withdrawal from a vault, until it is paid. */
export function WithdrawJourney({ wallet }: { wallet: Wallet }) {
  const offers = useVaultOffers()
  const positions = useAll(positionsOptions, { userAddress: wallet.address }, LIVE)
  return (
    <Answered query={offers}>
      {(all) => (
        <Answered query={positions}>
          {({ rows, tokenMetadata }) => {
            const held = rows.flatMap(({ chainId, vaultAddress, shareBalance }): Held[] => {
              const offer = all.find(
                (one) => one.chainId === chainId && one.vaultAddress === vaultAddress,
              )
              const token = tokenOf(tokenMetadata, chainId, vaultAddress)
              const [asset] = offer?.withdrawable ?? []
              if (!offer || !token || !asset || shareBalance === 0n) return []
              const shares = { ...token, address: vaultAddress }
              return [{ offer, shares, balance: shareBalance, asset }]
            })
            return <HeldShares wallet={wallet} held={held} />
          }}
        </Answered>
      )}
    </Answered>
  )
}

type HeldProps = { wallet: Wallet; held: readonly Held[] }

/** The form stays once it is there: the journey goes on when all shares are in the queue. */
function HeldShares({ wallet, held }: HeldProps) {
  const [first, setFirst] = useState(held[0])
  if (!first && held[0]) setFirst(held[0])
  return first ? (
    <WithdrawForm wallet={wallet} held={held} first={first} />
  ) : (
    <Empty title="The account has no shares to withdraw">Deposit into a vault first.</Empty>
  )
}

type FormProps = HeldProps & { first: Held }

function WithdrawForm({ wallet, held, first }: FormProps) {
  const [chosen, setChosen] = useState(first)
  const [token, setToken] = useState<string>(first.asset.address)
  const [requestId, setRequestId] = useState<string | null>(null)
  const [isDone, setDone] = useState(false)
  const { connection: unrecorded } = useAccess()
  const nameOf = useChainName()
  const journey = useJourney()
  const { offer, shares } = chosen
  const balance = held.find((one) => one.offer.key === offer.key)?.balance ?? 0n
  const asset = offer.withdrawable.find(({ address }) => address === token) ?? chosen.asset
  const amount = useAmount(shares, {
    key: offer.key,
    first: formatUnits(chosen.balance, shares.decimals),
  })
  const { chainId, vaultAddress } = offer
  const choices = held.some((one) => one.offer.key === offer.key) ? held : [chosen, ...held]

  const submit = () => {
    const shareAmount = amount.amount
    if (shareAmount === null) return
    setRequestId(null)
    setDone(false)
    void journey.start(async ({ connection, signal, signerOf }) => {
      const signing = await signerOf(wallet, chainId)
      const told = words({
        chainId,
        token: shares,
        amount: shareAmount,
        taker: 'the withdraw queue',
        last: {
          title: 'Sign the withdrawal',
          about: `You offer shares of ${offer.name} for ${asset.symbol}, at once or through its queue.`,
          facts: [['Shares', <Shown key="s" amount={shareAmount} asset={shares} />]],
        },
      })
      const { request } = await withdrawFromVault(connection, {
        ...signing(told),
        chainId,
        vaultAddress,
        wantAsset: asset.address,
        shareAmount,
      })
      if (request) {
        setRequestId(request.id)
        await waitForWithdrawal(unrecorded, request.id, { signal })
        await getWithdrawalRequest(connection, { id: request.id }, { signal })
      }
      const place = { userAddress: wallet.address, filter: { chainId, vaultAddress } }
      await listUserPositions(connection, place, { signal }).page()
      setDone(true)
    })
  }

  return (
    <>
      <Journey
        title="Withdraw from a vault"
        action="Prepare the withdrawal"
        journey={journey}
        wallet={wallet}
        onSubmit={submit}
      >
        <Choice
          name="Vault"
          value={offer.key}
          options={choices.map((one) => [
            one.offer.key,
            `${one.offer.name} on ${nameOf(one.offer.chainId)}`,
          ])}
          onChoose={(key) => setChosen(held.find((one) => one.offer.key === key) ?? chosen)}
          isDisabled={journey.isRunning}
        />
        <Choice
          name="Token to receive"
          value={asset.address}
          options={offer.withdrawable.map(({ address, symbol }) => [address, symbol])}
          onChoose={setToken}
          isDisabled={journey.isRunning}
        />
        <AmountField asset={shares} amount={amount} balance={balance} />
      </Journey>
      {requestId && <WithdrawalCard id={requestId} />}
      {isDone && <PositionCard userAddress={wallet.address} offer={offer} />}
    </>
  )
}
