import type { Address, Hex, TypedDataDefinition } from 'viem'
import { pause } from '../connection/pause.ts'
import { CausewayError } from '../error/causewayError.ts'
import type { components } from '../generated/api.ts'
import { sendPrepared } from './sendPrepared.ts'
import { accountOf, type Wallets } from './wallets.ts'

type PermitData = components['schemas']['PermitData']

/** The offer of the API, in one form for Transit and vaults. */
export type Offered = {
  isApproved: boolean
  permit?: PermitData | undefined
  approval?: { data: string; requiresFollowUp: boolean } | undefined
}

/** The parameters of the next request that a signed permit adds; none after an approval. */
export type Signed = { permitSignature?: Hex; permitDeadline?: bigint }

export type Authorization = {
  chainId: number
  token: Address
  /** Whether a permit may be tried. Default: true. */
  withPermit?: boolean | undefined
  /** Asks for the offer; for one with an approval where the wallet cannot sign a permit. */
  ask: (withPermit: boolean) => Promise<Offered>
}

const FOLLOW_UP_TRIES = 30
const USER_REJECTED = 4001
/** A text of `0x` and 65 bytes. Contracts sign in other forms, which the API does not take. */
const SIGNATURE_LENGTH = 132

/**
 * Lets a contract take a token: by a signed permit where that works and the wallet can sign it, else by an
 * approval that is mined when this resolves. Throws what the wallet throws if the user rejects.
 */
export async function authorizeToken(
  wallets: Wallets,
  { chainId, token, ask, withPermit = true }: Authorization,
): Promise<Signed> {
  const approve = (data: string) => sendPrepared(wallets, { chainId, to: token, data, value: 0n })
  let offered = await ask(withPermit)
  if (offered.isApproved) return {}
  if (withPermit && offered.permit) {
    const signed = await signPermit(wallets, offered.permit)
    if (signed) return signed
    offered = await ask(false)
    if (offered.isApproved) return {}
  }
  if (offered.approval?.requiresFollowUp) {
    await approve(offered.approval.data)
    offered = await untilFollowedUp(ask, wallets.signal)
    if (offered.isApproved) return {}
  }
  if (!offered.approval)
    throw new CausewayError({
      reason: 'NOT_AUTHORIZABLE',
      metadata: { token },
      message: `token ${token} takes no permit and no approval of this account now`,
    })
  await approve(offered.approval.data)
  // The node of the API may not have the block yet, so it is not asked again: it would offer a second approval.
  return {}
}

/** The offer once the API's node has the transaction that set the allowance to 0. */
async function untilFollowedUp(ask: Authorization['ask'], signal?: AbortSignal): Promise<Offered> {
  for (let tries = 1; ; tries++) {
    const offered = await ask(false)
    if (!offered.approval?.requiresFollowUp || tries === FOLLOW_UP_TRIES) return offered
    await pause(1_000, signal)
  }
}

/** Null if the wallet cannot sign it; a smart account or a hardware wallet often cannot. */
async function signPermit(wallets: Wallets, permit: PermitData): Promise<Signed | null> {
  const { domain, types, value: message, deadline } = permit
  // The types of the fields are data of the API, so viem cannot infer them.
  const typedData = { domain, types, primaryType: 'Permit', message } as TypedDataDefinition
  try {
    const permitSignature = await wallets.walletClient.signTypedData({
      account: accountOf(wallets),
      ...typedData,
    })
    if (permitSignature.length !== SIGNATURE_LENGTH) return null
    return { permitSignature, permitDeadline: deadline }
  } catch (error) {
    if (isRejected(error)) throw error
    return null
  }
}

function isRejected(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ((at as { code?: unknown }).code === USER_REJECTED) return true
  return false
}
