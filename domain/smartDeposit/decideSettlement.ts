import type { Address, Hex } from 'viem'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import { mustRead } from '../chain/gatheredReads.ts'
import { attestDeposit } from '../earn/deposits/attestDeposit.ts'
import type { DepositRefusal } from '../earn/deposits/depositVerdict.ts'
import { judgeDeposit } from '../earn/deposits/judgeDeposit.ts'
import type { EarnServices } from '../earn/earnContext.ts'
import { findDeployment } from '../earn/vaults/deployments.ts'
import { lessSlippage } from '../earn/vaults/shareMath.ts'
import { DEPOSIT_FORMS } from './depositForm.ts'
import { describeRefusal, endingOf } from './endingOf.ts'
import type { KeeperDeposit } from './keeperDeposit.ts'
import { readPaymentConditions, screenPayment } from './paymentReads.ts'
import { type FactoryCall, forwardCall, returnCall } from './settlementCall.ts'
import type { RetainedReason } from './smartDeposit.ts'

/** The keeper's next step for a deposit. */
export type Decision = Sending | Waiting

/** A step that takes a transaction. */
export type Sending =
  | { kind: 'forward'; call: FactoryCall; depositor: Address }
  /** `expiresAt`: after it the chain refuses the quote. */
  | { kind: 'convert'; call: FactoryCall; expiresAt: Date }
  | { kind: 'refund' | 'recover'; call: FactoryCall; why: string }

/** A step that leaves the payment at its address; see `Ending`. */
export type Waiting =
  | (Refused & {
      kind: 'retain'
      isSmall?: true
      /** Only another address book changes it. */
      isLasting?: true
    })
  | (Refused & { kind: 'wait' })

type Refused = { why: string; reason?: RetainedReason }

type DecisionContext = Pick<
  EarnServices,
  'addressBook' | 'attestations' | 'chains' | 'knownAddresses' | 'settings'
>

/** Decides by the current state of the chain. Throws `RPC_UNAVAILABLE`. */
export async function decideSettlement(
  context: DecisionContext,
  deposit: KeeperDeposit,
  distributorCode: Hex,
): Promise<Decision> {
  const { addressBook, settings } = context
  const { chainId, inputToken, receivedAmount: amount, userDestinationAddress: to } = deposit
  const screened = await screenDestinationOf(context, deposit)
  if (screened) return screened
  if (deposit.isRefundOrdered) return sendBack('refund', deposit, 'its organization ordered it')
  const listed = findDeployment(addressBook, chainId, deposit.vaultAddress)
  if (!listed) return { kind: 'retain', why: 'the address book has no such vault' }
  if (listed.inDeprecation) return refuse(deposit, { because: 'VAULT_DEPRECATED' })
  const { depositor, form } = await readRoute(context, deposit)
  if (form === DEPOSIT_FORMS.NONE)
    return { kind: 'retain', why: 'the factory has no route to the vault' }

  const deployment = { ...listed, depositor }
  const read = await readPaymentConditions(context, deployment, deposit)
  // A token that blocks the address reverts every call, a refund too: the try of the call shows that.
  const verdict = judgeDeposit(deployment, { amount, to }, { ...read, isPayerBlocked: false })
  if (verdict.kind === 'refused') return refuse(deposit, verdict.refusal)
  const minimumMint = lessSlippage(verdict.shares, settings.depositSlippageBps)
  const call = { depositor, asset: inputToken, amount, to, distributorCode, minimumMint }
  // The address itself calls the depositor.
  const attested = await attestDeposit(context, {
    deployment,
    sender: deposit.address,
    call,
    kyt: read.kyt,
  })
  if (attested.kind === 'refused') return refuse(deposit, attested.refusal)
  const terms = { amount, minimumMint, distributorCode, attestation: attested.attestation }
  return { kind: 'forward', call: forwardCall(deposit, deposit.paymentId, terms), depositor }
}

/** The step that ends a deposit by sending its payment back, or to the recovery wallet. */
export function sendBack(kind: 'refund' | 'recover', deposit: KeeperDeposit, why: string): Sending {
  const { paymentId: payment, token, receivedAmount: amount } = deposit
  return { kind, why, call: returnCall(kind, deposit, { payment, token, amount }) }
}

function refuse(deposit: KeeperDeposit, refusal: DepositRefusal): Decision {
  const why = describeRefusal(refusal)
  const kind = endingOf(refusal)
  switch (kind) {
    case 'refund':
    case 'recover':
      return sendBack(kind, deposit, why)
    case 'retain':
    case 'wait':
      return { kind, why }
  }
}

const SCREENED = {
  sanctioned: 'the destination is sanctioned',
  blocked: "the token's issuer has blocked the destination",
}

/** The step for a destination that may not hold what was paid, or the shares; null if it may. Throws `RPC_UNAVAILABLE`. */
export async function screenDestinationOf(
  context: Pick<DecisionContext, 'addressBook' | 'chains'>,
  deposit: KeeperDeposit,
): Promise<Decision | null> {
  const screened = await screenPayment(context, { ...deposit, inputToken: deposit.token })
  if (screened === null) return null
  return screened === 'unknown'
    ? { kind: 'retain', why: 'the sanctions oracle does not answer' }
    : sendBack('recover', deposit, SCREENED[screened])
}

/** The factory's depositor of the vault, which may be newer than the address book's. */
async function readRoute({ chains }: DecisionContext, deposit: KeeperDeposit) {
  const [depositor, form] = await chains.read(deposit.chainId, (client) =>
    mustRead(client, {
      address: deposit.factory,
      abi: smartDepositFactoryAbi,
      functionName: 'routeOf',
      args: [deposit.vaultAddress],
    }),
  )
  return { depositor: depositor.toLowerCase() as Address, form }
}
