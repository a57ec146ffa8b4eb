import type { Address } from 'viem'
import { type AcceptingAddress, acceptedPayments } from '../addressBook/acceptedPayments.ts'
import type { AddressBook } from '../addressBook/addressBook.ts'
import type { SharedServices } from '../context.ts'
import { type FieldViolation, ServiceError } from '../error/serviceError.ts'
import { checksummed } from '../token/checksummed.ts'
import { bookContract } from './bookContracts.ts'
import { nobodysAddress } from './nobodysAddress.ts'

/** An account that is to get a token, with the parameter that names it. What was not given is undefined. */
export type Receiver = {
  field: string
  account: Address | undefined
  chainId: number | undefined
  token: Address | undefined
}

/** An account that can never use what it would get, and what it is. */
type Unusable = { field: string; account: Address; what: string }

/** The violations of receivers that are, by the address book alone, no account of anybody. */
export function receiverViolations(
  book: AddressBook,
  receivers: readonly Receiver[],
): FieldViolation[] {
  return unusableByBook(book, receivers).map(violation)
}

/** The `RECEIVER_CANNOT_USE` of these violations; undefined if there are none. */
export function receiverRefusal(
  book: AddressBook,
  receivers: readonly Receiver[],
): ServiceError | undefined {
  return refusalOf(unusableByBook(book, receivers))
}

/** Throws `RECEIVER_CANNOT_USE` for a smart deposit address that does not accept its token on its chain. */
export async function refuseSmartDepositAddresses(
  { sql, addressBook }: Pick<SharedServices, 'sql' | 'addressBook'>,
  receivers: readonly Receiver[],
): Promise<void> {
  const accounts = receivers.flatMap(({ account }) => account ?? [])
  if (accounts.length === 0) return
  const found = await sql<(AcceptingAddress & { address: Address })[]>`
    select address, factory as "factoryAddress", generation, chain_id as "chainId",
      input_token as "inputToken"
    from app.smart_deposit_address where address = any(${accounts})`
  const unusable = receivers.flatMap(({ field, account, chainId, token }): Unusable[] => {
    const addresses = found.filter(({ address }) => address === account)
    const accepts = addresses.some((one) =>
      acceptedPayments(addressBook, one).some(
        (payment) => payment.chainId === chainId && payment.asset === token,
      ),
    )
    const [other] = addresses
    if (!account || !other || accepts) return []
    return [{ field, account, what: `a smart deposit address, which takes only ${takenBy(other)}` }]
  })
  const refusal = refusalOf(unusable)
  if (refusal) throw refusal
}

function takenBy({ generation, chainId, inputToken }: AcceptingAddress): string {
  const place = `${checksummed(inputToken)} on chain ${chainId}`
  return generation === 'A' ? place : `${place} and tokens with a Transit route to it`
}

function unusableByBook(book: AddressBook, receivers: readonly Receiver[]): Unusable[] {
  return receivers.flatMap(({ field, account, chainId }) => {
    if (!account) return []
    const what =
      nobodysAddress(account) ??
      (chainId === undefined ? undefined : bookContract(book, chainId, account))
    return what ? [{ field, account, what }] : []
  })
}

function violation({ field, what }: Unusable): FieldViolation {
  return { field, description: `expected an account that can use what it gets, not ${what}` }
}

function refusalOf(unusable: Unusable[]): ServiceError | undefined {
  const [first] = unusable
  if (!first) return undefined
  return new ServiceError(
    'RECEIVER_CANNOT_USE',
    `${checksummed(first.account)} can never use what it would get: it is ${first.what}`,
    {
      metadata: { account: checksummed(first.account) },
      fieldViolations: unusable.map(violation),
    },
  )
}
