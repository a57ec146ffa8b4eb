import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'

type Listed = { fromBlock: number; toBlock?: number | 'unknown' | undefined }

/**
 * The book with later first blocks, so that only the newest part of each chain is indexed. Contracts that were replaced before
 * are left out. `firstBlocks` is by chain; a chain without one is indexed whole.
 */
export function bookOfRange(
  book: AddressBookFile,
  firstBlocks: ReadonlyMap<number, number>,
): AddressBookFile {
  const later = (chainId: number, block: number) => Math.max(block, firstBlocks.get(chainId) ?? 0)
  return {
    ...book,
    // A stamp and the limits of production are not for a rehearsal.
    environment: 'STAGING',
    verified: undefined,
    chains: book.chains.map((chain) => {
      const { transitStation } = chain
      if (!transitStation) return chain
      const startBlock = later(chain.id, transitStation.startBlock)
      return { ...chain, transitStation: { ...transitStation, startBlock } }
    }),
    vaults: (book.vaults ?? []).map((vault) => ({
      ...vault,
      deployments: vault.deployments.map((deployment) => {
        const first = firstBlocks.get(deployment.chainId) ?? 0
        const of = <Version extends Listed>(versions: Version[]) =>
          versions
            .filter(({ toBlock }) => typeof toBlock !== 'number' || toBlock >= first)
            .map((version) => ({ ...version, fromBlock: Math.max(first, version.fromBlock) }))
        const startBlock = later(deployment.chainId, deployment.vault.startBlock)
        return {
          ...deployment,
          vault: { ...deployment.vault, startBlock },
          tellers: of(deployment.tellers),
          accountants: of(deployment.accountants),
          depositors: of(deployment.depositors),
          queues: of(deployment.queues),
        }
      }),
    })),
  }
}
