import { type Address, type Hex, keccak256, toHex } from 'viem'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'

type Model = { name: string; chainId: number }

/**
 * An address book with so many more vaults, each with a deployment after each of the models: the code of
 * that vault at another address of its chain, with the model's other contracts.
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

/** The same, as the service takes it. */
export async function bookOfManyVaults(...options: Parameters<typeof withManyVaults>) {
  return parseAddressBook(await withManyVaults(...options), 'many vaults')
}

async function copyModel(world: World, { name, chainId }: Model, copies: number[]) {
  const client = worldClient(world, chainId)
  const { vault } = vaultDeployment(name, chainId)
  const bytecode = await client.getCode({ address: vault })
  const entry = world.addressBook.vaults
    .flatMap(({ deployments }) => deployments)
    .filter((deployment) => deployment.chainId === chainId)
    .find((deployment) => deployment.vault.address === vault.toLowerCase())
  if (!bytecode || !entry) throw new Error(`no vault ${name} on chain ${chainId}`)
  const made = copies.map((index) => ({ index, address: copyAddress(name, index) }))
  await Promise.all(made.map(({ address }) => client.setCode({ address, bytecode })))
  return made.map(({ address }) => ({ ...entry, vault: { ...entry.vault, address } }))
}

function copyAddress(name: string, index: number): Address {
  const hash: Hex = keccak256(toHex(`copy ${index} of ${name}`))
  return `0x${hash.slice(-40)}`
}
