import {
  type Abi,
  type AbiFunction,
  type Address,
  getAbiItem,
  type PublicClient,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { depositorAAbi, depositorAbi } from '../../../abis/depositor.ts'
import { feeModuleAbi } from '../../../abis/feeModule.ts'
import { tellerAbi } from '../../../abis/teller.ts'
import { vaultAbi } from '../../../abis/vault.ts'
import type { AddressBookChain } from '../../addressBook/addressBook.ts'
import { readBlockTime } from '../../chain/blockTime.ts'
import { mustRead, tryRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import { mayCall } from '../../chain/mayCall.ts'
import { readBlocked } from '../../token/readBlocked.ts'
import { readDepositPath } from '../vaults/contractPath.ts'
import { readKyt, readRateSource, readSupport } from '../vaults/contractReads.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import { type DepositorCap, readDepositorCap } from '../vaults/depositorCap.ts'
import { followDepositFeeModule } from '../vaults/feeModuleReads.ts'
import { readFrozen } from '../vaults/readFrozen.ts'

/** Everything that decides about a deposit, at one moment. Rates are per whole share. */
export type DepositConditions = {
  /** Whether the depositor's generation has attestations and fees. */
  isAttesting: boolean
  mayDeposit: boolean
  /** Whether the depositor may call the teller, and the teller the vault. */
  isConnected: boolean
  isTellerPaused: boolean
  isAccountantPaused: boolean
  depositable: boolean
  /** In units of the asset; null if the accountant has none or is paused. */
  rate: bigint | null
  /** Whether the accountant has a source of that rate. */
  hasRateSource: boolean
  rateInBase: bigint
  decimals: number
  totalSupply: bigint
  cap: DepositorCap | null
  /** In units of the asset; null if the fee module refuses the deposit. */
  fee: bigint | null
  /** Generation B takes its fee from the shares. */
  shareFeeBps: bigint
  /** Null if no attestation is needed. */
  kyt: { registry: Address; policyId: string } | null
  /** Accounts that the vault has frozen, among the receiver of the shares and the depositor. */
  frozen: Address[]
  /** Whether the asset's issuer has blocked the sender, who pays. */
  isPayerBlocked: boolean
}

export type DepositQuestion = {
  asset: Address
  amount: bigint
  /** Null for anybody: then nothing of one account is read. */
  sender: Address | null
  to: Address | null
  withPermit: boolean
}

type Place = { chain: AddressBookChain; deployment: EarnDeployment; known: KnownAddresses }

/** One multicall. Throws what the node fails with. */
export async function readDepositConditions(
  client: PublicClient,
  { chain, deployment, known }: Place,
  question: DepositQuestion,
): Promise<DepositConditions> {
  const { vault, teller, accountant, depositor: address } = deployment
  const { asset, sender, to } = question
  const depositor = { address, abi: depositorAbi } as const
  const rates = { address: accountant, abi: accountantAbi } as const
  const [
    registry,
    policyId,
    kytEnabled,
    mayCallForm,
    isConnected,
    isTellerPaused,
    rateInBase,
    safeRateInBase,
    rate,
    { depositable },
    decimals,
    totalSupply,
    cap,
    fees,
    frozen,
    isPayerBlocked,
    rateSource,
  ] = await Promise.all([
    tryRead(client, { ...depositor, functionName: 'getRegistry' }),
    tryRead(client, { ...depositor, functionName: 'getPolicyID' }),
    readKyt(client, deployment, asset),
    readCapabilities(client, known, { deployment, question }),
    readDepositPath(client, known, deployment),
    mustRead(client, { address: teller, abi: tellerAbi, functionName: 'isPaused' }),
    mustRead(client, { ...rates, functionName: 'getRate' }),
    tryRead(client, { ...rates, functionName: 'getRateSafe' }),
    tryRead(client, { ...rates, functionName: 'getRateInQuoteSafe', args: [asset] }),
    readSupport(client, teller, asset),
    mustRead(client, { address: vault, abi: vaultAbi, functionName: 'decimals' }),
    mustRead(client, { address: vault, abi: vaultAbi, functionName: 'totalSupply' }),
    readDepositorCap(client, deployment),
    followDepositFeeModule(client, known, deployment, (module) =>
      readDepositFee(client, module, { deployment, question }),
    ),
    readFrozen(client, known, deployment, to === null ? [address] : [to, address]),
    sender !== null && readBlocked(client, asset, sender),
    readRateSource(client, deployment, asset),
    readBlockTime(client, chain),
  ])
  const isAttesting = registry !== null
  // No getter shows it: the last build of generation B answers those of C.
  const takesShares = deployment.depositorGeneration === 'B'
  return {
    isAttesting,
    mayDeposit: isAttesting ? mayCallForm.attesting : mayCallForm.plain,
    isConnected,
    isTellerPaused,
    isAccountantPaused: safeRateInBase === null,
    depositable,
    hasRateSource: rateSource !== null,
    isPayerBlocked,
    rate,
    rateInBase,
    decimals,
    totalSupply,
    cap,
    fee: takesShares ? 0n : fees.ofAsset,
    shareFeeBps: takesShares ? fees.bps : 0n,
    kyt: registry !== null && kytEnabled ? { registry, policyId: policyId ?? '' } : null,
    frozen,
  }
}

type DepositAt = { deployment: EarnDeployment; question: DepositQuestion }

/** Asks for both forms: which one the depositor has is not known yet. */
async function readCapabilities(
  client: PublicClient,
  known: KnownAddresses,
  { deployment, question }: DepositAt,
) {
  const name = question.withPermit ? 'depositWithPermit' : 'deposit'
  const mayCallForm = (abi: Abi) =>
    mayCall(client, known, {
      chainId: deployment.chainId,
      caller: question.sender,
      target: deployment.depositor,
      selector: toFunctionSelector(getAbiItem({ abi, name }) as AbiFunction),
    })
  const [attesting, plain] = await Promise.all([
    mayCallForm(depositorAbi),
    mayCallForm(depositorAAbi),
  ])
  return { attesting, plain }
}

async function readDepositFee(
  client: PublicClient,
  module: Address | null,
  { deployment, question }: DepositAt,
) {
  if (module === null) return { ofAsset: 0n, bps: 0n }
  const { amount, asset, to } = question
  const fees = { address: module, abi: feeModuleAbi } as const
  const [ofAsset, bps] = await Promise.all([
    tryRead(client, {
      ...fees,
      functionName: 'calculateOfferFees',
      args: [amount, asset, deployment.vault, to ?? zeroAddress],
    }),
    tryRead(client, { ...fees, functionName: 'offerFeePercentage' }),
  ])
  return { ofAsset, bps: bps ?? 0n }
}
