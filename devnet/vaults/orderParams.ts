import { type Address, type LocalAccount, zeroHash } from 'viem'

export type OrderTerms = {
  user: LocalAccount
  wantAsset: Address
  /** Share units. */
  shares: bigint
  /** The account that gets the receipt, and so the assets; by default the user. */
  receiver?: Address
  refundReceiver?: Address
}

/** The signature arguments of a request that its own user sends. */
export const NO_SIGNATURE = {
  approvalMethod: 0,
  approvalV: 0,
  approvalR: zeroHash,
  approvalS: zeroHash,
  submitWithSignature: false,
  deadline: 0n,
  eip2612Signature: '0x',
} as const

/** The queue's parameters of a request, paid by the user. */
export function orderParams({ user, wantAsset, shares, ...terms }: OrderTerms) {
  return {
    amountOffer: shares,
    wantAsset,
    intendedDepositor: user.address,
    receiver: terms.receiver ?? user.address,
    refundReceiver: terms.refundReceiver ?? user.address,
    signatureParams: NO_SIGNATURE,
  }
}
