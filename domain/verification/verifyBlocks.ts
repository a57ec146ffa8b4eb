import type { AddressBook } from '../addressBook/addressBook.ts'
import { VAULT_CONTRACTS } from '../addressBook/vaultFormat.ts'
import { contradiction, type Finding } from './finding.ts'
import { ask, type VerificationContext } from './verificationContext.ts'

type NamedBlock = { chainId: number; block: number; place: string }

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

function namedBlocks({ chains, vaults }: AddressBook): NamedBlock[] {
  const stations = chains.flatMap(({ id: chainId, transitStation }, index) =>
    transitStation
      ? [
          {
            chainId,
            block: transitStation.startBlock,
            place: `chains.${index}.transitStation.startBlock`,
          },
        ]
      : [],
  )
  const deployments = vaults.flatMap((vault, vaultIndex) =>
    vault.deployments.flatMap((deployment, index) => {
      const at = `vaults.${vaultIndex}.deployments.${index}`
      const { chainId } = deployment
      const versions = VAULT_CONTRACTS.flatMap((kind) =>
        deployment[kind].flatMap(({ fromBlock, toBlock }, version) => [
          { chainId, block: fromBlock, place: `${at}.${kind}.${version}.fromBlock` },
          ...(typeof toBlock === 'number'
            ? [{ chainId, block: toBlock, place: `${at}.${kind}.${version}.toBlock` }]
            : []),
        ]),
      )
      const { startBlock } = deployment.vault
      return [{ chainId, block: startBlock, place: `${at}.vault.startBlock` }, ...versions]
    }),
  )
  return [...stations, ...deployments]
}
