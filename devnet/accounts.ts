import { keccak256, toHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'

/** Anvil's ten default accounts: the users of the local world. */
export const DEVNET_USERS = Array.from({ length: 10 }, (_, addressIndex) =>
  mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex,
  }),
)

/** Who runs the local world. Their keys are public: nothing of worth may ever be sent to them. */
export const DEVNET_ACTORS = {
  deployer: actor('deployer'),
  quoteSigner: actor('quote signer'),
  executor: actor('executor'),
  relayer: actor('relayer'),
  integrator: actor('integrator'),
}

/** The key that the local stations take quotes of. */
export const DEVNET_QUOTE_SIGNER_KEY = actorKey('quote signer')

/** Anvil's default accounts with their keys, as the run file lists them. */
export function devnetUserKeys(): { address: string; privateKey: string }[] {
  return DEVNET_USERS.map((account) => {
    const key = account.getHdKey().privateKey
    if (!key) throw new Error('Invariant(devnetUserKeys): an account of a mnemonic has a key')
    return { address: account.address, privateKey: toHex(key) }
  })
}

function actor(name: string) {
  return privateKeyToAccount(actorKey(name))
}

function actorKey(name: string) {
  return keccak256(toHex(`causeway devnet ${name}`))
}
