import type { Address, Hex, WalletClient } from 'viem'
import { UserRejectedRequestError } from 'viem'
import type { SignatureWish } from './step.ts'

type TypedData = {
  domain: { name?: string; verifyingContract?: Address }
  message: Record<string, unknown>
}
type Call = { to: Address; value: bigint; data: Hex }

/** The words for what a journey lets the user sign. */
export type Words = {
  permit: (data: TypedData) => Omit<SignatureWish, 'signed'>
  call: (call: Call) => Omit<SignatureWish, 'signed'>
}

/** A wallet client that shows what is to be signed first, and signs only what the user agrees to. */
export function guideWallet(
  walletClient: WalletClient,
  words: Words,
  agree: (wish: SignatureWish) => Promise<boolean>,
): WalletClient {
  const require = async (wish: SignatureWish) => {
    if (await agree(wish)) return
    throw new UserRejectedRequestError(new Error('You did not sign, so nothing was sent.'))
  }
  const signTypedData: WalletClient['signTypedData'] = async (given) => {
    const { domain, message } = given as unknown as TypedData // viem's type depends on the types that are signed.
    await require({ ...words.permit({ domain, message }), signed: json({ domain, message }) })
    return walletClient.signTypedData(given)
  }
  const sendTransaction: WalletClient['sendTransaction'] = async (given) => {
    const { to, value = 0n, data = '0x' } = given as Partial<Call> // viem's type depends on the chain.
    if (!to) throw new Error('Invariant(guideWallet): a prepared transaction has a receiver')
    const call = { to, value, data }
    await require({ ...words.call(call), signed: json(call) })
    return walletClient.sendTransaction(given)
  }
  return { ...walletClient, signTypedData, sendTransaction }
}

function json(value: object): string {
  return JSON.stringify(
    value,
    (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part),
    2,
  )
}
