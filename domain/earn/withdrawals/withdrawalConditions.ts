import { type Address, erc20Abi, getAbiItem, type PublicClient, toFunctionSelector } from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { tellerAbi } from '../../../abis/teller.ts'
import { vaultAbi } from '../../../abis/vault.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import type { AddressBookChain } from '../../addressBook/addressBook.ts'
import { readBlockTime } from '../../chain/blockTime.ts'
import { mustRead, tryRead, unlessRefusedRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import { mayCall } from '../../chain/mayCall.ts'
import { readBlocked } from '../../token/readBlocked.ts'
import { readMayBurn, readQueuePath } from '../vaults/contractPath.ts'
import { readQueueSupport, readRateSource, readSupport } from '../vaults/contractReads.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import {
  followWithdrawFeeModule,
  readRequestFee,
  readWithdrawFee,
} from '../vaults/feeModuleReads.ts'
import { readFrozen } from '../vaults/readFrozen.ts'
import type { QueueTerms } from './queuePayout.ts'
import { refusesReceipt } from './refusesReceipt.ts'

/** Everything that decides about a withdrawal, at one moment. */
export type WithdrawalConditions = {
  /** Whether the sender may burn shares for assets directly at the teller, and that teller at the vault. */
  mayWithdrawAtOnce: boolean
  mayProcessAll: boolean
  maySubmit: boolean
  /** Whether the queue may call its teller, and that teller the vault. */
  isQueueConnected: boolean
  isTellerPaused: boolean
  /** By the deployment's teller. `withdrawable` is by the queue's teller. */
  withdrawableAtOnce: boolean
  withdrawable: boolean
  /** Whether the accountant has a source of the asset's rate. Without one the queue reverts at a request. */
  hasRateSource: boolean
  /** Base units of the asset per whole share; null if the accountant has no rate or is paused. */
  rate: bigint | null
  /** Base units of the base per whole share, also while the accountant is paused; null if it has none. */
  rateInBase: bigint | null
  decimals: number
  /** The vault's balance of the asset. */
  vaultBalance: bigint
  /** The sender's shares. */
  shareBalance: bigint
  /** Shares. */
  minimumOrderSize: bigint
  /** The queue's fee for the request, in shares; null if its fee module reverts. */
  requestFee: bigint | null
  /** The queue's terms for the asset, also while the accountant is paused; null if it has no rate of it. */
  terms: QueueTerms | null
  /** The ones of sender, receivers and queue that the vault has frozen. */
  frozen: Address[]
  /** Whether the asset's issuer blocks payments to the receiver. */
  isReceiverBlocked: boolean
  refusesReceipt: boolean
}

export type WithdrawalQuestion = {
  asset: Address
  shares: bigint
  /** Null for anybody: then nothing of one account is read. */
  sender: Address | null
  receiver: Address | null
  /** Default: the sender. */
  refundReceiver?: Address | undefined
}

type Place = { chain: AddressBookChain; deployment: EarnDeployment; known: KnownAddresses }

/** Reads the conditions in one multicall. Throws the errors of the node. */
export async function readWithdrawalConditions(
  client: PublicClient,
  { chain, deployment, known }: Place,
  { asset, shares, sender, receiver, refundReceiver }: WithdrawalQuestion,
): Promise<WithdrawalConditions> {
  const { chainId, vault, teller, accountant, queue: address } = deployment
  const queue = { address, abi: withdrawQueueAbi } as const
  const may = (target: Address, selector: `0x${string}`) =>
    mayCall(client, known, { chainId, caller: sender, target, selector })
  const ofQueue = (name: 'submitOrder' | 'submitOrderAndProcessAll') =>
    may(address, toFunctionSelector(getAbiItem({ abi: withdrawQueueAbi, name })))
  const bulkWithdraw = toFunctionSelector(getAbiItem({ abi: tellerAbi, name: 'bulkWithdraw' }))
  const [
    mayCallTeller,
    mayTellerBurn,
    mayProcessAll,
    maySubmit,
    isQueueConnected,
    isTellerPaused,
    { withdrawable: withdrawableAtOnce },
    { withdrawable },
    rateSource,
    rate,
    rateInBase,
    decimals,
    vaultBalance,
    shareBalance,
    minimumOrderSize,
    { requestFee, fee },
    rateInQuote,
    frozen,
    isReceiverBlocked,
    isRefused,
  ] = await Promise.all([
    may(teller, bulkWithdraw),
    readMayBurn(client, known, deployment),
    ofQueue('submitOrderAndProcessAll'),
    ofQueue('submitOrder'),
    readQueuePath(client, known, deployment),
    mustRead(client, { address: teller, abi: tellerAbi, functionName: 'isPaused' }),
    readSupport(client, teller, asset),
    readQueueSupport(client, known, { deployment, asset }),
    readRateSource(client, deployment, asset),
    tryRead(client, {
      address: accountant,
      abi: accountantAbi,
      functionName: 'getRateInQuoteSafe',
      args: [asset],
    }),
    tryRead(client, { address: accountant, abi: accountantAbi, functionName: 'getRate' }),
    mustRead(client, { address: vault, abi: vaultAbi, functionName: 'decimals' }),
    mustRead(client, {
      address: asset,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [vault],
    }),
    sender === null
      ? 0n
      : mustRead(client, {
          address: vault,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [sender],
        }),
    mustRead(client, { ...queue, functionName: 'minimumOrderSize' }),
    followWithdrawFeeModule(client, known, deployment, async (module) => {
      const [requestFee, fee] = await Promise.all([
        readRequestFee(client, module, { vault, shares, asset }),
        readWithdrawFee(client, module, asset).catch(unlessRefusedRead),
      ])
      return { requestFee, fee }
    }),
    tryRead(client, {
      address: accountant,
      abi: accountantAbi,
      functionName: 'getRateInQuote',
      args: [asset],
    }),
    readFrozen(
      client,
      known,
      deployment,
      [sender, receiver, refundReceiver ?? null, address].filter((account) => account !== null),
    ),
    receiver !== null && readBlocked(client, asset, receiver),
    sender !== null && receiver !== null && refusesReceipt(client, address, { sender, receiver }),
    readBlockTime(client, chain),
  ])
  return {
    mayWithdrawAtOnce: mayCallTeller && mayTellerBurn,
    mayProcessAll,
    maySubmit,
    isQueueConnected,
    isTellerPaused,
    withdrawable,
    hasRateSource: rateSource !== null,
    rate,
    rateInBase,
    decimals,
    vaultBalance,
    shareBalance,
    minimumOrderSize,
    requestFee,
    terms: rateInQuote && fee ? { decimals, rateInQuote, fee } : null,
    withdrawableAtOnce,
    frozen,
    isReceiverBlocked,
    refusesReceipt: isRefused,
  }
}
