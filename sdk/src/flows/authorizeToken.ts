import { type Address, type Hex, padHex, type TypedDataDefinition } from 'viem'
import type { Connection } from '../connection/connection.ts'
import { pause } from '../connection/pause.ts'
import { CausewayError } from '../error/causewayError.ts'
import type { components } from '../generated/api.ts'
import { checkPermit } from '../shield/checkPermit.ts'
import type { SpendingIntent } from '../shield/intent.ts'
import { bookOf, checkTransaction } from './checkTransaction.ts'
import { sendPrepared } from './sendPrepared.ts'
import { accountOf, addressOf, type Wallets } from './wallets.ts'

type PermitData = components['schemas']['PermitData']

/** The offer of the API, in one form for Transit and vaults. */
export type Offered = {
  isApproved: boolean
  permit?: PermitData | undefined
  approval?: { encoded: string; requiresFollowUp?: boolean | undefined } | undefined
}

/** The parameters of the next request that a signed permit adds; none after an approval. */
export type Signed = { permitSignature?: Hex; permitDeadline?: bigint }

export type Authorization = {
  /** What the token is taken for. */
  intent: SpendingIntent
  chainId: number
  token: Address
  /** Whether a permit may be tried. Default: true. */
  withPermit?: boolean | undefined
  /** Asks for the offer; for one with an approval where the wallet cannot sign a permit. */
  ask: (withPermit: boolean) => Promise<Offered>
}

/** `Approval(address,address,uint256)`, by the owner and the spender. */
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const FOLLOW_UP_TRIES = 30
const USER_REJECTED = 4001
/** A text of `0x` and 65 bytes. Contracts sign in other forms, which the API does not take. */
const SIGNATURE_LENGTH = 132

/**
 * Lets a contract take a token: by a signed permit where that works and the wallet can sign it, else by an
 * approval that is mined when this resolves. Throws what the wallet throws if the user rejects, and `ShieldError`.
 */
export async function authorizeToken(
  connection: Connection,
  wallets: Wallets,
  { intent, chainId, token, ask, withPermit = true }: Authorization,
): Promise<Signed> {
  const approve = async (data: string) => {
    const transaction = { to: token, data, value: 0n }
    const mayApprove = true
    const spender = `0x${data.slice(10, 74)}` as const
    return sendPrepared(
      wallets,
      await checkTransaction(connection, wallets, { intent, chainId, transaction, mayApprove }),
      [APPROVAL, padHex(addressOf(wallets)), spender],
    )
  }
  let offered = await ask(withPermit)
  if (offered.isApproved) return {}
  if (withPermit && offered.permit) {
    const signed = await signPermit(connection, wallets, { intent, permit: offered.permit })
    if (signed) return signed
    offered = await ask(false)
    if (offered.isApproved) return {}
  }
  if (offered.approval?.requiresFollowUp) {
    await approve(offered.approval.encoded)
    offered = await untilFollowedUp(ask, wallets.signal)
    if (offered.isApproved) return {}
  }
  if (!offered.approval)
    throw new CausewayError({
      reason: 'NOT_AUTHORIZABLE',
      metadata: { token },
      message: `token ${token} takes no permit and no approval of this account now`,
    })
  await approve(offered.approval.encoded)
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
async function signPermit(
  connection: Connection,
  wallets: Wallets,
  { intent, permit }: { intent: SpendingIntent; permit: PermitData },
): Promise<Signed | null> {
  const typedData = await checkedPermit(connection, wallets, { intent, permit })
  const { deadline } = permit
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

/** The typed data to sign: of checked values, or as the trusted server gives it. */
async function checkedPermit(
  connection: Connection,
  wallets: Wallets,
  { intent, permit }: { intent: SpendingIntent; permit: PermitData },
): Promise<TypedDataDefinition> {
  const book = await bookOf(connection)
  const { domain, types, value: message } = permit
  // The types of the fields are data of the API, so viem cannot infer them.
  if (!book) return { domain, types, primaryType: 'Permit', message } as TypedDataDefinition
  const { ok, typedData } = checkPermit(book, intent, permit)
  await wallets.onChecked?.({ ok })
  return typedData as TypedDataDefinition // The API's domain has its salt as text.
}

function isRejected(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ((at as { code?: unknown }).code === USER_REJECTED) return true
  return false
}
