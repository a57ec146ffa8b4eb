import { type Address, type Hex, keccak256, toHex } from 'viem'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'

type Model = { name: string; chainId: number }

/**
 * An address book with more vaults. Each has one deployment per model: its own contracts, at other
 * addresses of the model's chain, which answer like the model's contracts.
 */
export async function withManyVaults(
  world: World,
  { models, count }: { models: Model[]; count: number },
): Promise<AddressBookFile> {
  const file: AddressBookFile = JSON.parse(JSON.stringify(world.addressBook))
  const copies = Array.from({ length: count }, (_, index) => index)
  const entries = await Promise.all(models.map((model) => copyModel(world, model, copies)))
  const vaults = copies.map((index) => ({
    name: `Copy ${String(index).padStart(3, '0')}`,
    yieldType: 'CORE' as const,
    deployments: entries.flatMap((ofModel) => ofModel[index] ?? []),
  }))
  return { ...file, vaults: [...(file.vaults ?? []), ...vaults] }
}

/** The same, in the service's form. */
export async function bookOfManyVaults(...options: Parameters<typeof withManyVaults>) {
  return parseAddressBook(await withManyVaults(...options), 'many vaults')
}

async function copyModel(world: World, { name, chainId }: Model, copies: number[]) {
  const client = worldClient(world, chainId)
  const { vault } = vaultDeployment(name, chainId)
  const entry = world.addressBook.vaults
    .flatMap(({ deployments }) => deployments)
    .filter((deployment) => deployment.chainId === chainId)
    .find((deployment) => deployment.vault.address === vault.toLowerCase())
  if (!entry) throw new Error(`no vault ${name} on chain ${chainId}`)

  return Promise.all(
    copies.map(async (index) => {
      const copy = async <Contract extends { address: Address }>(contract: Contract) => {
        const address = copyAddress(contract.address, index)
        await client.setCode({ address, bytecode: forwardTo(contract.address) })
        return { ...contract, address }
      }
      const copyAll = <Contract extends { address: Address }>(contracts: Contract[]) =>
        Promise.all(contracts.map(copy))
      return {
        ...entry,
        vault: await copy(entry.vault),
        tellers: await copyAll(entry.tellers),
        queues: await copyAll(entry.queues),
        accountants: await copyAll(entry.accountants),
        depositors: await copyAll(entry.depositors),
      }
    }),
  )
}

function copyAddress(model: Address, index: number): Address {
  const hash: Hex = keccak256(toHex(`copy ${index} of ${model}`))
  return `0x${hash.slice(-40)}`
}

/** Code that answers what another contract answers (EIP-1167's, with a call that changes nothing). */
function forwardTo(target: Address): Hex {
  return `0x363d3d373d3d3d363d73${target.slice(2)}5afa3d82803e903d91602b57fd5bf3`
}
