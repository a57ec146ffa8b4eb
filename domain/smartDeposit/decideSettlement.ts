import type { Address, Hex } from 'viem'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import { findChain } from '../chain/findChain.ts'
import { mustRead } from '../chain/gatheredReads.ts'
import type { ServiceContext } from '../context.ts'
import { attestDeposit, NO_ATTESTATION } from '../earn/deposits/attestDeposit.ts'
import { expectedShares } from '../earn/deposits/expectedShares.ts'
import { type DepositRead, readDeposit } from '../earn/deposits/readDeposit.ts'
import { type EarnDeployment, getDeployment } from '../earn/vaults/deployments.ts'
import { lessSlippage } from '../earn/vaults/shareMath.ts'
import { ServiceError } from '../error/serviceError.ts'
import { DEPOSIT_FORMS } from './depositForm.ts'
import { type Ending, endingOf, isPassing } from './endingOf.ts'
import type { KeeperDeposit } from './keeperDeposit.ts'
import { screenDestination } from './screenDestination.ts'
import { type FactoryCall, forwardCall, returnCall } from './settlementCall.ts'

/** What the keeper should do about a deposit now. */
export type Decision =
  | { kind: 'forward'; call: FactoryCall; depositor: Address }
  | { kind: 'refund' | 'recover'; call: FactoryCall; why: string }
  /** Nothing: `isPassing` where it is not known yet whether that is more than a moment's. */
  | { kind: 'retain'; why: string; isPassing: boolean }

type DecisionContext = Pick<
  ServiceContext,
  'addressBook' | 'attestations' | 'chains' | 'knownAddresses' | 'settings'
>

/** Decides by the chain as it is now; throws only what is a fault of ours. */
export async function decideSettlement(
  context: DecisionContext,
  deposit: KeeperDeposit,
  distributorCode: Hex,
): Promise<Decision> {
  try {
    return await decide(context, deposit, distributorCode)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return decisionOf(deposit, endingOf(error.reason), error)
  }
}

/** Sends back what came, or to recovery. */
export function returning(
  kind: 'refund' | 'recover',
  deposit: KeeperDeposit,
  why: string,
): Decision {
  const { receiptId: receipt, inputToken: token, receivedAmount: amount } = deposit
  return { kind, why, call: returnCall(kind, deposit, { receipt, token, amount }) }
}

function decisionOf(
  deposit: KeeperDeposit,
  ending: Ending,
  { reason, message }: ServiceError,
): Decision {
  if (ending === 'retain') return { kind: 'retain', why: message, isPassing: isPassing(reason) }
  return returning(ending, deposit, message)
}

async function decide(
  context: DecisionContext,
  deposit: KeeperDeposit,
  distributorCode: Hex,
): Promise<Decision> {
  const { addressBook, chains, settings } = context
  const { chainId, inputToken, receivedAmount: amount, userDestinationAddress: to } = deposit
  const { sanctionsOracle = null } = findChain(addressBook, chainId)
  const screened = await chains.read(chainId, (client) =>
    screenDestination(client, { destination: to, token: inputToken, sanctionsOracle }),
  )
  if (screened === 'unknown')
    return { kind: 'retain', why: 'the sanctions oracle does not answer', isPassing: false }
  if (screened) return returning('recover', deposit, SCREENED[screened])

  const listed = getDeployment(addressBook, chainId, deposit.vaultAddress)
  if (listed.inDeprecation)
    return returning('refund', deposit, 'the vault is deprecated: it takes no deposits any more')
  const route = await readRoute(context, deposit)
  if (route.form === DEPOSIT_FORMS.NONE)
    return { kind: 'retain', why: 'the factory has no route to the vault', isPassing: false }
  const deployment = { ...listed, depositor: route.depositor }
  const read = await readFor(context, deployment, deposit)
  if (read.frozen.includes(to))
    return returning('recover', deposit, 'the vault has frozen the destination')
  const asked = { depositAsset: inputToken, depositAmount: amount }
  const call = {
    depositor: route.depositor,
    asset: inputToken,
    amount,
    to,
    distributorCode,
    minimumMint: lessSlippage(expectedShares(deployment, asked, read), settings.depositSlippageBps),
  }
  // The proxy is who calls the depositor.
  const attested = { deployment, sender: deposit.address, call }
  const attestation = read.kyt
    ? await attestDeposit(context, { ...attested, ...read.kyt })
    : NO_ATTESTATION
  const terms = { amount, minimumMint: call.minimumMint, distributorCode, attestation }
  return {
    kind: 'forward',
    call: forwardCall(deposit, deposit.receiptId, terms),
    depositor: route.depositor,
  }
}

const SCREENED = {
  sanctioned: 'the destination is sanctioned',
  blocked: "the token's issuer has blocked the destination",
}

/** The depositor that the factory uses, which may be newer than that of the address book. */
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

function readFor(
  { addressBook, chains, knownAddresses: known }: DecisionContext,
  deployment: EarnDeployment,
  deposit: KeeperDeposit,
): Promise<DepositRead> {
  const { chainId, inputToken: asset, receivedAmount: amount } = deposit
  const question = {
    asset,
    amount,
    sender: deposit.address,
    to: deposit.userDestinationAddress,
    withPermit: false,
  }
  const chain = findChain(addressBook, chainId)
  return chains.read(chainId, (client) =>
    readDeposit(client, { chain, deployment, known }, question),
  )
}
