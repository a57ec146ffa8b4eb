import { type Address, isAddressEqual } from 'viem'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import type { AddressBookFile } from '../../addressBook/addressBook.ts'
import type { ChainClients } from '../../chain/chainClients.ts'
import { tryRead } from '../../chain/gatheredReads.ts'
import { checksummed } from '../../token/checksummed.ts'
import { type ContractDescriber, createContractDescriber } from './contractDescriber.ts'
import { findQueues } from './findQueues.ts'
import { probeCapUnit } from './probeCapUnit.ts'
import { probeAccountant, probeDepositor, probeQueue, probeTeller } from './probeGenerations.ts'
import { DescribeError, readBase, readDeploymentCore } from './readDeploymentCore.ts'
import { readTellerAssets } from './tellerAssets.ts'

type VaultFile = NonNullable<AddressBookFile['vaults']>[number]
type DeploymentFile = VaultFile['deployments'][number]

export type DescribedDeployment = {
  /** The share token's name. */
  name: string
  deployment: DeploymentFile
  /** Facts that the chain does not have or did not return, one sentence each. */
  remarks: string[]
}

export type DescribeParams = {
  chainId: number
  depositor: Address
  /** Used instead of the queue that is found in the authority's logs. */
  queue?: Address | undefined
}

/** Zeros: the operator has to set them. */
const NO_SLAS = {
  expectedDelay: 0,
  expiryBuffer: 0,
  internalWithdrawalQueueDelaySLA: 0,
  externalWithdrawalQueueDelaySLA: 0,
  internalAccountantRateUpdateDelaySLA: 0,
  externalAccountantRateUpdateSLA: 0,
}

/**
 * The address book's entry of a deployment, derived from its depositor. Throws `DescribeError`, and
 * `RPC_UNAVAILABLE`.
 */
export async function describeDeployment(
  chains: ChainClients,
  params: DescribeParams,
): Promise<DescribedDeployment> {
  const { chainId, depositor } = params
  const remarks: string[] = []
  const remark = (sentence: string) => void remarks.push(sentence)
  const head = await chains.head(chainId)
  const describer = createContractDescriber(chains, { chainId, head, remark })

  const core = await readDeploymentCore(chains, chainId, depositor)
  const base = await readBase(chains, chainId, core.base)
  if (!base.isToken)
    remark('The symbol of baseTokenStandIn is its own name: the contract has no symbol.')
  const teller = await describer.version(core.teller, probeTeller)
  const fromBlock = BigInt(teller.fromBlock)
  const assets = await readTellerAssets(chains, { chainId, teller: core.teller, fromBlock })
  const queue = await chooseQueue(chains, { ...params, ...core, head, remark })
  const deployment: DeploymentFile = {
    chainId,
    vault: {
      address: checksummed(core.vault),
      startBlock: await describer.startBlock(core.vault),
    },
    ...(core.authority && { rolesAuthority: checksummed(core.authority) }),
    baseToken: checksummed(core.base),
    ...(base.isToken ? {} : { baseTokenStandIn: base.standIn }),
    tellers: [teller],
    accountants: [await describer.version(core.accountant, probeAccountant)],
    depositors: [await describeDepositor(chains, describer, params)],
    queues: queue ? [await describer.version(queue, probeQueue)] : [],
    assets: assets.map(({ address, depositable }) => ({
      address: checksummed(address),
      ...(depositable ? {} : { depositable }),
      withdrawalSlas: NO_SLAS,
    })),
  }
  remark('The withdrawalSlas are what the operator promises: all are 0 until you set them.')
  return { name: core.name, deployment, remarks }
}

async function describeDepositor(
  chains: ChainClients,
  describer: ContractDescriber,
  { chainId, depositor }: DescribeParams,
): Promise<DeploymentFile['depositors'][number]> {
  const version = await describer.version(depositor, probeDepositor)
  if (version.generation !== 'B') return version
  const capIn = await chains.read(chainId, (client) => probeCapUnit(client, depositor))
  return { ...version, ...(capIn && { capIn }) }
}

type QueueChoice = DescribeParams & {
  vault: Address
  teller: Address
  head: bigint
  remark: (sentence: string) => void
}

async function chooseQueue(
  chains: ChainClients,
  { chainId, queue, vault, teller, head, remark }: QueueChoice,
): Promise<Address | null> {
  if (queue) {
    await refuseOtherQueue(chains, { chainId, queue, vault })
    return queue
  }
  const [newest, ...others] = await findQueues(chains, { chainId, vault, teller, head })
  for (const other of others)
    remark(
      `${checksummed(other)} is a queue of this vault too: the one that got its role last is used.`,
    )
  if (!newest)
    remark('No withdraw queue was found: without one the deployment is not served (see --queue).')
  return newest ?? null
}

async function refuseOtherQueue(
  chains: ChainClients,
  { chainId, queue, vault }: { chainId: number; queue: Address; vault: Address },
): Promise<void> {
  const offered = await chains.read(chainId, (client) =>
    tryRead(client, { address: queue, abi: withdrawQueueAbi, functionName: 'offerAsset' }),
  )
  if (offered === null || !isAddressEqual(offered, vault))
    throw new DescribeError(
      `${checksummed(queue)} on chain ${chainId} is no queue of the vault ${vault}: its offerAsset() is ${offered ?? 'no answer'}`,
    )
}
