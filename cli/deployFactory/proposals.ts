import { type Address, encodeFunctionData, type Hex, parseAbi, zeroHash } from 'viem'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { earnDeployments } from '../../domain/earn/vaults/deployments.ts'
import { depositFormOf } from '../../domain/smartDeposit/depositForm.ts'
import type { FactoryPlan } from './factoryPlan.ts'
import type { FactorySettings } from './settings.ts'

/** Two calls of the operator to the timelock of a chain. `execute` works once the delay after `schedule` is over. */
export type Proposal = { chainId: number; to: Address; schedule: Hex; execute: Hex }

const factoryAbi = parseAbi([
  'function setKeeper(address keeper, bool isKeeper_)',
  'function setRoute(address vault, address depositor, uint8 form)',
  'function setEndpoint(uint256 chainId, uint32 eid)',
])
const timelockAbi = parseAbi([
  'function scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function executeBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt) payable',
])

export type ProposalInputs = {
  book: AddressBook
  plan: FactoryPlan
  settings: FactorySettings
  keepers: Address[]
  chainIds: number[]
}

/**
 * Per chain: these keepers, the depositors of its live vaults, and the endpoint ids of all chains with vaults, as
 * the address book has them.
 */
export function makeProposals({ chainIds, ...inputs }: ProposalInputs): Proposal[] {
  return chainIds.map((chainId) => makeProposal(chainId, inputs))
}

function makeProposal(
  chainId: number,
  { book, plan, settings, keepers }: Omit<ProposalInputs, 'chainIds'>,
): Proposal {
  const live = earnDeployments(book).filter(({ inDeprecation }) => !inDeprecation)
  const here = live.filter((deployment) => deployment.chainId === chainId)
  const homes = book.chains.filter(({ id }) => live.some((deployment) => deployment.chainId === id))
  const payloads = [
    ...keepers.map((keeper) => encode('setKeeper', [keeper, true])),
    ...here.map(({ vault, depositor, depositorGeneration }) =>
      encode('setRoute', [vault, depositor, depositFormOf(depositorGeneration)]),
    ),
    ...homes.flatMap(({ id, eid }) =>
      eid === undefined ? [] : [encode('setEndpoint', [BigInt(id), eid])],
    ),
  ]
  const batch = [
    payloads.map(() => plan.factory.address),
    payloads.map(() => 0n),
    payloads,
    zeroHash,
    zeroHash,
  ] as const
  return {
    chainId,
    to: plan.timelock.address,
    schedule: encodeFunctionData({
      abi: timelockAbi,
      functionName: 'scheduleBatch',
      args: [...batch, BigInt(settings.timelockDelaySeconds)],
    }),
    execute: encodeFunctionData({ abi: timelockAbi, functionName: 'executeBatch', args: batch }),
  }
}

function encode(
  functionName: 'setKeeper' | 'setRoute' | 'setEndpoint',
  args: readonly unknown[],
): Hex {
  // Cast, because viem's types need the arguments of one of the functions.
  return encodeFunctionData({ abi: factoryAbi, functionName, args } as never)
}
