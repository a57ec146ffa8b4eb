import { type Hex, keccak256, type LocalAccount, parseEther, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import type { DevnetClient } from '../../devnet/world.ts'
import type { AddressBookChain } from '../../domain/addressBook/addressBook.ts'
import { factoriesOf } from '../../domain/addressBook/factories.ts'
import { encodeHandCall } from './handCall.ts'

const OWNERS = { A: DEVNET_ACTORS.vaultDeployer, B: DEVNET_ACTORS.factoryOwner }

/** A key besides that of the local world's keeper. */
export function keeperKey(number: number): Hex {
  return keccak256(toHex(`keeper ${number} of the tests`))
}

/** Makes the account of a key a keeper of all factories of a chain, with coins for gas. The node must mine. */
export async function addKeeper(
  client: DevnetClient,
  chain: AddressBookChain,
  key: Hex,
): Promise<LocalAccount> {
  const keeper = privateKeyToAccount(key)
  await client.setBalance({ address: keeper.address, value: parseEther('10000') })
  for (const { address: to, generation } of factoriesOf(chain)) {
    const data = encodeHandCall(['function setKeeper(address,bool)', keeper.address, true])
    const hash = await client.sendTransaction({ account: OWNERS[generation], to, data })
    await client.waitForTransactionReceipt({ hash })
  }
  return keeper
}
