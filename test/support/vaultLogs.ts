import { type Abi, decodeEventLog, type Hex, type Log } from 'viem'
import { feeModuleAbi } from '../../abis/feeModule.ts'
import { VAULT_ABIS } from '../../abis/generations.ts'
import { vaultAbi } from '../../abis/vault.ts'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'

/** A decoded event of a contract around a vault. Addresses and hashes are lower case. */
export type VaultEvent = {
  chainId: number
  vault: string
  kind: VaultContract['kind']
  contract: string
  blockNumber: number
  blockHash: string
  blockTimestamp: number
  transactionHash: string
  logIndex: number
  name: string
  args: Record<string, unknown>
}

export type VaultContract = {
  chainId: number
  address: string
  vault: string
  kind: 'vault' | 'tellers' | 'accountants' | 'depositors' | 'queues' | 'feeModules'
  abi: Abi
  /** For an accountant: the blocks in which its vault used it. */
  usedFrom: number
  usedTo: number
}

/** Every contract of the vaults of a book, with the ABI of its generation. */
export function vaultContracts(book: Pick<AddressBookFile, 'vaults'>): VaultContract[] {
  return (book.vaults ?? []).flatMap(({ deployments }) =>
    deployments.flatMap(({ chainId, vault, ...deployment }) => {
      const of = { chainId, vault: vault.address.toLowerCase(), usedFrom: 0, usedTo: Infinity }
      const versions = (['tellers', 'accountants', 'depositors', 'queues'] as const).flatMap(
        (kind) =>
          deployment[kind].map((entry, index, all) => {
            const next = all[index + 1]?.fromBlock
            const byNext = next === undefined ? Infinity : next - 1
            return {
              ...of,
              kind,
              address: entry.address.toLowerCase(),
              usedFrom: entry.fromBlock,
              usedTo: typeof entry.toBlock === 'number' ? entry.toBlock : byNext,
              abi: (VAULT_ABIS[kind] as Record<string, Abi>)[entry.generation] ?? [],
            }
          }),
      )
      const modules = (deployment.feeModules ?? []).map(({ address }) => ({
        ...of,
        kind: 'feeModules' as const,
        address: address.toLowerCase(),
        abi: feeModuleAbi,
      }))
      return [
        { ...of, kind: 'vault' as const, address: of.vault, abi: vaultAbi },
        ...versions,
        ...modules,
      ]
    }),
  )
}

type PlacedLog = Pick<Log, 'address' | 'data'> & {
  topics: readonly Hex[]
  blockNumber: number
  blockHash: Hex
  blockTimestamp: number
  transactionHash: Hex
  logIndex: number
}

/** The logs of one chain's vaults, decoded, in the chain's order. Logs of others are left out. */
export function readVaultEvents(
  chainId: number,
  logs: PlacedLog[],
  contracts: VaultContract[],
): VaultEvent[] {
  const known = new Map(
    contracts.filter((entry) => entry.chainId === chainId).map((entry) => [entry.address, entry]),
  )
  const events = logs.flatMap(({ address, topics, data, ...place }) => {
    const contract = known.get(address.toLowerCase())
    const decoded = contract && decode(contract.abi, topics, data)
    if (!decoded) return []
    const { vault, kind } = contract
    const { blockNumber, blockHash, blockTimestamp, transactionHash, logIndex } = place
    return [
      {
        chainId,
        vault,
        kind,
        contract: contract.address,
        ...decoded,
        blockNumber,
        blockHash,
        blockTimestamp,
        transactionHash,
        logIndex,
      },
    ]
  })
  return events.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/** Null for an event that the ABI does not have. */
function decode(abi: Abi, topics: readonly Hex[], data: Hex) {
  try {
    const { eventName = '', args } = decodeEventLog({ abi, topics: topics as [Hex], data })
    return { name: eventName, args: lower(args ?? {}) as Record<string, unknown> }
  } catch {
    return null
  }
}

function lower(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('0x') ? value.toLowerCase() : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, lower(part)]))
}
