import { type components, takeBack } from '@causeway/sdk'
import { useState } from 'react'
import type { Address } from 'viem'
import { OnChain } from '../chains/OnChain.tsx'
import { useChainName } from '../chains/useChainName.ts'
import { useChains } from '../chains/useChains.ts'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { isAddressText } from '../format/hexKind.ts'
import { type AddressRow, useAddresses } from '../smartDeposits/useDeposits.ts'
import type { Words } from './guideWallet.ts'
import { Journey } from './Journey.tsx'
import { useJourney } from './useJourney.ts'
import type { Wallet } from './wallet.ts'

type Withdrawal = Pick<
  components['schemas']['SmartDepositWithdrawal'],
  'state' | 'opensAt' | 'closesAt' | 'amount'
>

/** The user of a smart deposit address takes back what lies there. */
export function TakeBackJourney({ wallet }: { wallet: Wallet }) {
  const addresses = useAddresses()
  return (
    <Answered query={addresses}>
      {({ rows }) => {
        const own = rows.filter(
          ({ userDestinationAddress: user }) => user.toLowerCase() === wallet.address.toLowerCase(),
        )
        return own[0] ? (
          <TakeBackForm wallet={wallet} own={own} first={own[0]} />
        ) : (
          <Empty title="The account has no smart deposit address">
            Only the user of an address can take back what lies there. Make one for this account
            first.
          </Empty>
        )
      }}
    </Answered>
  )
}

type FormProps = { wallet: Wallet; own: readonly AddressRow[]; first: AddressRow }

function TakeBackForm({ wallet, own, first }: FormProps) {
  const [address, setAddress] = useState<string>(first.smartDepositAddress)
  const [chain, setChain] = useState(String(first.chainId))
  const [fault, setFault] = useState<string>()
  const [withdrawal, setWithdrawal] = useState<Withdrawal | null>(null)
  const nameOf = useChainName()
  const chains = useChains()
  const journey = useJourney()
  const row = own.find(({ smartDepositAddress }) => smartDepositAddress === address) ?? first
  const chainId = Number(chain)

  const submit = (text: (name: string) => string) => {
    const token = text('token')
    setWithdrawal(null)
    if (!isAddressText(token)) return setFault('An address is 0x and 40 digits.')
    setFault(undefined)
    void journey.start(async ({ connection, signerOf }) => {
      const signing = await signerOf(wallet, chainId)
      const { smartDepositAddress, vaultAddress, inputToken, customerId, organizationId } = row
      const { withdrawal: found } = await takeBack(connection, {
        ...signing(wordsOf(chainId, smartDepositAddress)),
        smartDepositAddress,
        chainId,
        token,
        inputs: { chainId: row.chainId, vaultAddress, inputToken, customerId, organizationId },
      })
      setWithdrawal(found)
    })
  }

  return (
    <>
      <Journey
        title="Take back from a smart deposit address"
        action="Take back"
        journey={journey}
        wallet={wallet}
        onSubmit={submit}
        about="Two transactions of the user, with a delay between them: come back for the second one. The operator has no part in it."
      >
        <Choice
          name="Address"
          value={row.smartDepositAddress}
          options={own.map((one) => [one.smartDepositAddress, one.smartDepositAddress])}
          onChoose={setAddress}
          isDisabled={journey.isRunning}
        />
        <Choice
          name="Chain on which it lies"
          value={chain}
          options={(chains.data ?? []).map((one) => [String(one.chainId), nameOf(one.chainId)])}
          onChoose={setChain}
          isDisabled={journey.isRunning}
        />
        <Field
          key={row.inputToken}
          label="Token"
          name="token"
          defaultValue={row.inputToken}
          autoComplete="off"
          spellCheck={false}
          required
          hint="The zero address is the chain's coin."
          fault={fault}
        />
      </Journey>
      {withdrawal && (
        <p className="note info" role="status">
          <Outcome withdrawal={withdrawal} />
        </p>
      )}
    </>
  )
}

/** Says what the user can do next. */
function Outcome({ withdrawal: { state, opensAt, amount } }: { withdrawal: Withdrawal }) {
  if (amount === 0n) return 'Nothing of this token lies there.'
  if (state === 'OPEN') return 'It is taken.'
  if (state === 'WAITING' && opensAt)
    return (
      <span>
        It can be taken in <Time time={opensAt} />.
      </span>
    )
  return 'It is requested. Come back after the delay to take it.'
}

function wordsOf(chainId: number, from: Address): Words {
  const contract = (hex: Address) => <OnChain chainId={chainId} hex={hex} kind="address" />
  return {
    permit: () => {
      throw new Error('Invariant(TakeBackJourney): taking back needs no permit')
    },
    call: ({ to }) => ({
      title: 'Sign the next step',
      about: 'It is a transaction of the user alone, which costs gas.',
      facts: [
        ['From', contract(from)],
        ['Contract', contract(to)],
      ],
    }),
  }
}
