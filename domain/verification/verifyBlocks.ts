import type { Address } from 'viem'
import type {
  AddressBook,
  AddressBookChain,
  AddressBookDeployment,
} from '../addressBook/addressBook.ts'
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
  const ofChains = chains.flatMap((chain, index) => [...blocksOfChain(chain, `chains.${index}`)])
  const ofDeployments = vaults.flatMap(({ deployments }, vault) =>
    deployments.flatMap((deployment, index) => [
      ...blocksOfDeployment(deployment, `vaults.${vault}.deployments.${index}`),
    ]),
  )
  return [...ofChains, ...ofDeployments]
}

function* blocksOfChain(chain: AddressBookChain, at: string): Generator<NamedBlock> {
  const { id: chainId, transitStation } = chain
  if (transitStation) {
    const { startBlock: block, address: created } = transitStation
    yield { chainId, block, place: `${at}.transitStation.startBlock`, created }
  }
  for (const [entry, { startBlock: block, address: created }] of factoriesOf(chain).entries())
    yield { chainId, block, place: `${factoryPlace(at, entry)}.startBlock`, created }
}

function* blocksOfDeployment(deployment: AddressBookDeployment, at: string): Generator<NamedBlock> {
  const { chainId, vault, feeModules } = deployment
  const place = `${at}.vault.startBlock`
  yield { chainId, block: vault.startBlock, place, created: vault.address }
  for (const kind of VAULT_CONTRACTS)
    for (const [version, contract] of deployment[kind].entries()) {
      const { address: created, fromBlock, toBlock } = contract
      const listed = `${at}.${kind}.${version}`
      yield { chainId, block: fromBlock, place: `${listed}.fromBlock`, created }
      if (typeof toBlock === 'number')
        yield { chainId, block: toBlock, place: `${listed}.toBlock`, created: null }
    }
  for (const [entry, { address: created, fromBlock: block }] of feeModules.entries())
    yield { chainId, block, place: `${at}.feeModules.${entry}.fromBlock`, created }
}
