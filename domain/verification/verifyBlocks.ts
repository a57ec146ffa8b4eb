import type { Address } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { factoriesOf, factoryPlace } from '../addressBook/factories.ts'
import { VAULT_CONTRACTS } from '../addressBook/vaultFormat.ts'
import { contradiction, type Finding } from './finding.ts'
import { ask, type VerificationContext } from './verificationContext.ts'

export type NamedBlock = {
  chainId: number
  block: number
  place: string
  /** The contract that was created in it; null if it is another kind of block. */
  created: Address | null
}

/** Checks that the chain already has every block that the book names: otherwise logs would be missed. */
export async function verifyBlocks(context: VerificationContext): Promise<Finding[]> {
  const named = Map.groupBy(namedBlocks(context.book), ({ chainId }) => chainId)
  const found = await Promise.all(
    [...named].map(([chainId, blocks]) =>
      ask(context, {
        chainId,
        place: blocks[0]?.place ?? '',
        run: async () => {
          const head = await context.chains.head(chainId)
          return blocks
            .filter(({ block }) => BigInt(block) > head)
            .map(({ block, place }) =>
              contradiction(place, `the book has ${block}, chain ${chainId} is at ${head}`),
            )
        },
      }),
    ),
  )
  return found.flat()
}

/** Every block that the book names. */
export function namedBlocks({ chains, vaults }: AddressBook): NamedBlock[] {
  const ofChains = chains.flatMap((chain, index) => {
    const { id: chainId, transitStation } = chain
    const at = `chains.${index}`
    return [
      ...(transitStation
        ? [
            {
              chainId,
              block: transitStation.startBlock,
              place: `${at}.transitStation.startBlock`,
              created: transitStation.address,
            },
          ]
        : []),
      ...factoriesOf(chain).map(({ startBlock: block, address: created }, entry) => ({
        chainId,
        block,
        place: `${factoryPlace(at, entry)}.startBlock`,
        created,
      })),
    ]
  })
  const deployments = vaults.flatMap((vault, vaultIndex) =>
    vault.deployments.flatMap((deployment, index) => {
      const at = `vaults.${vaultIndex}.deployments.${index}`
      const { chainId } = deployment
      const versions = VAULT_CONTRACTS.flatMap((kind) =>
        deployment[kind].flatMap(({ address, fromBlock, toBlock }, version) => [
          {
            chainId,
            block: fromBlock,
            place: `${at}.${kind}.${version}.fromBlock`,
            created: address,
          },
          ...(typeof toBlock === 'number'
            ? [
                {
                  chainId,
                  block: toBlock,
                  place: `${at}.${kind}.${version}.toBlock`,
                  created: null,
                },
              ]
            : []),
        ]),
      )
      const modules = deployment.feeModules.map(
        ({ address: created, fromBlock: block }, entry) => ({
          chainId,
          block,
          place: `${at}.feeModules.${entry}.fromBlock`,
          created,
        }),
      )
      const { address: created, startBlock: block } = deployment.vault
      return [{ chainId, block, place: `${at}.vault.startBlock`, created }, ...versions, ...modules]
    }),
  )
  return [...ofChains, ...deployments]
}
