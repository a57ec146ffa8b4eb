import { type Address, erc20Abi, type PublicClient } from 'viem'
import { accountantAbi } from '../../abis/accountant.ts'
import { depositorAbi } from '../../abis/depositor.ts'
import { tellerAbi } from '../../abis/teller.ts'
import { baseTokenStandInAbi, vaultAbi } from '../../abis/vault.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import type { AddressBookFile } from '../addressBook/addressBook.ts'
import type { ChainClients } from '../chain/chainClients.ts'
import { unlessRefused } from '../chain/revert.ts'
import { checksummed } from '../token/checksummed.ts'
import { findQueues } from './findQueues.ts'
import { findStartBlock } from './findStartBlock.ts'
import { probeAccountant, probeDepositor, probeQueue, probeTeller } from './probeGenerations.ts'
import { readTellerAssets } from './tellerAssets.ts'

type VaultFile = NonNullable<AddressBookFile['vaults']>[number]
type DeploymentFile = VaultFile['deployments'][number]

export type DescribedDeployment = {
  /** As the share token says. */
  name: string
  deployment: DeploymentFile
  /** What the chain does not know, or did not tell, one sentence each. */
  remarks: string[]
}

export type DescribeParams = {
  chainId: number
  depositor: Address
  /** Instead of the one that the authority's logs tell. */
  queue?: Address | undefined
}

/** The address is no depositor, or something that follows from it is not what it has to be. */
export class DescribeError extends Error {
  override name = 'DescribeError'
}

/** Nobody promised anything yet: the operator has to. */
const NO_SLAS = {
  expectedDelay: 0,
  expiryBuffer: 0,
  internalWithdrawalQueueDelaySLA: 0,
  externalWithdrawalQueueDelaySLA: 0,
  internalAccountantRateUpdateDelaySLA: 0,
  externalAccountantRateUpdateSLA: 0,
}

/**
 * The address book's entry of a deployment, from its depositor alone. Throws `DescribeError`, and
 * `RPC_UNAVAILABLE`.
 */
export async function describeDeployment(
  chains: ChainClients,
  { chainId, depositor, queue }: DescribeParams,
): Promise<DescribedDeployment> {
  const remarks: string[] = []
  const head = await chains.head(chainId)

  async function startBlockOf(address: Address): Promise<bigint> {
    const found = await findStartBlock(chains, { chainId, address, head })
    if (found === null)
      remarks.push(
        `The node has no history of ${checksummed(lower(address))}: its start block stays 0, which is right but slow to index.`,
      )
    return found ?? 0n
  }

  async function version<Generation extends string>(
    address: Address,
    probe: (client: PublicClient, address: Address) => Promise<Generation[]>,
  ) {
    const fitting = await chains.read(chainId, (client) => probe(client, address))
    const generation = fitting.at(-1)
    const listed = checksummed(lower(address))
    if (generation === undefined)
      throw new DescribeError(`${listed} on chain ${chainId} is of no known generation`)
    if (fitting.length > 1)
      remarks.push(
        `The generation of ${listed} is ${fitting.join(' or ')}: the chain does not tell.`,
      )
    return { address: listed, generation, fromBlock: Number(await startBlockOf(address)) }
  }

  const core = await readCore(chains, chainId, depositor)
  const base = await readBase(chains, chainId, core.base)
  const vaultStart = await startBlockOf(core.vault)
  const tellerVersion = await version(core.teller, probeTeller)
  const assets = await readTellerAssets(chains, {
    chainId,
    teller: core.teller,
    fromBlock: BigInt(tellerVersion.fromBlock),
  })
  const queues = queue
    ? [await requireQueue(chains, { chainId, queue, vault: core.vault })]
    : await findQueues(chains, { chainId, vault: core.vault, teller: core.teller, startBlockOf })
  const [inUse, ...others] = queues
  if (!inUse)
    remarks.push('No withdraw queue was found: without one the deployment is not served (--queue).')
  for (const other of others)
    remarks.push(
      `${checksummed(lower(other))} is a queue of this vault too; the one that was given a role last is taken.`,
    )
  remarks.push('withdrawalSlas are what the operator promises: they are all 0 until you set them.')

  return {
    name: core.name,
    deployment: {
      chainId,
      vault: { address: checksummed(lower(core.vault)), startBlock: Number(vaultStart) },
      baseToken: checksummed(lower(core.base)),
      ...(base.isToken ? {} : { baseTokenStandIn: base.standIn }),
      tellers: [tellerVersion],
      accountants: [await version(core.accountant, probeAccountant)],
      depositors: [await version(depositor, probeDepositor)],
      queues: inUse ? [await version(inUse, probeQueue)] : [],
      assets: assets.map((address) => ({
        address: checksummed(address),
        withdrawalSlas: NO_SLAS,
      })),
    },
    remarks,
  }
}

async function readCore(chains: ChainClients, chainId: number, depositor: Address) {
  const [vault, teller] = await chains.read(chainId, (client) => {
    const contract = { address: depositor, abi: depositorAbi } as const
    return Promise.all([
      unlessRefused(client.readContract({ ...contract, functionName: 'boringVault' })),
      unlessRefused(client.readContract({ ...contract, functionName: 'teller' })),
    ])
  })
  if (vault === null || teller === null)
    throw new DescribeError(
      `${depositor} on chain ${chainId} is no depositor: boringVault() or teller() does not answer`,
    )
  const [name, accountant] = await chains.read(chainId, (client) =>
    Promise.all([
      unlessRefused(client.readContract({ address: vault, abi: vaultAbi, functionName: 'name' })),
      unlessRefused(
        client.readContract({ address: teller, abi: tellerAbi, functionName: 'accountant' }),
      ),
    ]),
  )
  if (name === null || accountant === null)
    throw new DescribeError(
      `${depositor} on chain ${chainId}: name() of its vault ${vault} or accountant() of its teller ${teller} does not answer`,
    )
  const base = await chains.read(chainId, (client) =>
    unlessRefused(
      client.readContract({ address: accountant, abi: accountantAbi, functionName: 'base' }),
    ),
  )
  if (base === null)
    throw new DescribeError(
      `${depositor} on chain ${chainId}: base() of its accountant ${accountant} does not answer`,
    )
  return { vault, teller, accountant, base, name }
}

async function readBase(chains: ChainClients, chainId: number, address: Address) {
  const [symbol, name, decimals] = await chains.read(chainId, (client) =>
    Promise.all([
      unlessRefused(client.readContract({ address, abi: erc20Abi, functionName: 'symbol' })),
      unlessRefused(
        client.readContract({ address, abi: baseTokenStandInAbi, functionName: 'name' }),
      ),
      unlessRefused(
        client.readContract({ address, abi: baseTokenStandInAbi, functionName: 'decimals' }),
      ),
    ]),
  )
  if (symbol !== null) return { isToken: true } as const
  if (name === null || decimals === null)
    throw new DescribeError(
      `The base ${address} on chain ${chainId} is neither a token nor a stand-in`,
    )
  return { isToken: false, standIn: { symbol: name, decimals } } as const
}

async function requireQueue(
  chains: ChainClients,
  { chainId, queue, vault }: { chainId: number; queue: Address; vault: Address },
): Promise<Address> {
  const offered = await chains.read(chainId, (client) =>
    unlessRefused(
      client.readContract({ address: queue, abi: withdrawQueueAbi, functionName: 'offerAsset' }),
    ),
  )
  if (offered === null || lower(offered) !== lower(vault))
    throw new DescribeError(
      `${queue} on chain ${chainId} is no queue of the vault ${vault}: its offerAsset() is ${offered ?? 'no answer'}`,
    )
  return queue
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
