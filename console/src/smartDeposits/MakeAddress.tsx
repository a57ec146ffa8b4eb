import { registerSmartDepositAddress } from '@causeway/sdk'
import { smartDepositAddressesOptions } from '@causeway/sdk/react'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Address } from 'viem'
import { readShield } from '../api/readShield.ts'
import { useProvenChange } from '../api/useProvenChange.ts'
import { useChainName } from '../chains/useChainName.ts'
import { useChains } from '../chains/useChains.ts'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { Hex } from '../components/Hex.tsx'
import { QrCode } from '../components/QrCode.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { SecretText } from '../components/SecretText.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { useVaultOffers, type VaultOffer } from '../earn/useVaultOffers.ts'
import { isAddressText } from '../format/hexKind.ts'
import { useObstacle } from '../session/useObstacle.ts'
import { AcceptsTable } from './AcceptsTable.tsx'
import { useAddress } from './useDeposits.ts'

/** Makes a smart deposit address, and shows it. */
export function MakeAddress() {
  const offers = useVaultOffers()
  const chains = useChains()
  const withSmartDeposits = new Set(
    chains.data
      ?.filter((chain) => chain.offers.includes('SMART_DEPOSIT'))
      .map((chain) => chain.chainId),
  )
  return (
    <Card title="Make an address">
      <Answered query={offers} rows={4}>
        {(all) => {
          const usable = all.filter(
            ({ chainId, depositable }) => withSmartDeposits.has(chainId) && depositable.length > 0,
          )
          return usable.length === 0 ? (
            <Empty title="No vault takes smart deposits now">
              A vault must be on a chain with smart deposits, and take a token.
            </Empty>
          ) : (
            <AddressForm offers={usable} />
          )
        }}
      </Answered>
    </Card>
  )
}

type Wish = {
  chainId: number
  vaultAddress: Address
  inputToken: Address
  userDestinationAddress: Address
  customerId?: string
}

function AddressForm({ offers }: { offers: readonly VaultOffer[] }) {
  const [key, setKey] = useState('')
  const [token, setToken] = useState('')
  const [fault, setFault] = useState<string>()
  const [made, setMade] = useState<Made | null>(null)
  const chainName = useChainName()
  const obstacle = useObstacle('smart-deposits')
  const offer = offers.find((one) => one.key === key) ?? offers[0]
  const asset = offer?.depositable.find(({ address }) => address === token) ?? offer?.depositable[0]
  const change = useProvenChange(
    async (connection, wish: Wish) =>
      registerSmartDepositAddress({ ...connection, shield: await readShield() }, wish),
    [smartDepositAddressesOptions],
  )
  if (!offer || !asset) return null

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    const text = takeTexts(event)
    const user = text('user')
    setMade(null)
    if (!isAddressText(user)) return setFault('An address is 0x and 40 digits.')
    setFault(undefined)
    const customerId = text('customer')
    const address = await change
      .mutateAsync({
        chainId: offer.chainId,
        vaultAddress: offer.vaultAddress,
        inputToken: asset.address,
        userDestinationAddress: user,
        ...(customerId ? { customerId } : {}),
      })
      // The form shows the refusal.
      .catch(() => null)
    if (address) setMade({ address, user, vault: offer.name })
  }

  return (
    <div className="make-address">
      <form onSubmit={(event) => void submit(event)}>
        <Choice
          name="Vault"
          value={offer.key}
          onChoose={setKey}
          options={offers.map((one) => [one.key, `${one.name} on ${chainName(one.chainId)}`])}
        />
        <Choice
          name="Token"
          value={asset.address}
          onChoose={setToken}
          options={offer.depositable.map(({ address, symbol }) => [address, symbol])}
        />
        <Field
          label="User"
          name="user"
          placeholder="0x…"
          autoComplete="off"
          spellCheck={false}
          required
          hint="The account that gets the shares, and refunds."
          fault={fault}
        />
        <Field
          label="Customer id (optional)"
          name="customer"
          autoComplete="off"
          maxLength={256}
          hint="Your own name of the customer. Each one has an address of its own, and webhooks name it."
        />
        {offer.requiresKyt && (
          <p className="note info">
            This vault asks for an attestation of the user. The service obtains it when a payment
            arrives. If it is refused, the payment goes to the recovery wallet.
          </p>
        )}
        <Refusal error={change.error} />
        <div className="form-actions">
          <Button type="submit" look="primary" disabled={change.isPending || obstacle !== null}>
            Make the address
          </Button>
          {obstacle && <span className="muted">{obstacle}</span>}
        </div>
      </form>
      <div aria-live="polite">
        {made ? (
          <MadeAddress made={made} />
        ) : (
          <Empty title="The address appears here">
            The same user, vault, token and customer always have the same address. Making it again
            changes nothing.
          </Empty>
        )}
      </div>
    </div>
  )
}

type Made = {
  address: Address
  user: Address
  vault: string
}

/** A smart deposit address for a user to pay to: as text, as a code, and what may be sent. */
function MadeAddress({ made }: { made: Made }) {
  return (
    <div className="made-address">
      <QrCode text={made.address} label={`QR code of ${made.address}`} />
      <SecretText text={made.address} of="smart deposit address" />
      <p className="muted">
        What is paid goes into {made.vault} for <Hex hex={made.user} of="user's address" />
      </p>
      <p>Send only what it accepts. Anything else is not deposited, and stays at the address.</p>
      <Answered query={useAddress(made.address)} rows={2}>
        {({ rows: [row] }) => row && <AcceptsTable address={row} />}
      </Answered>
      <Link
        to="/console/smart-deposits/addresses/$address"
        params={{ address: made.address }}
        className="button small"
      >
        Its own page
      </Link>
    </div>
  )
}
