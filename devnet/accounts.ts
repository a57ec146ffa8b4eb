import { keccak256, toHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'

/** Anvil's ten default accounts: the users of the local world. */
export const DEVNET_USERS = Array.from({ length: 10 }, (_, addressIndex) =>
  mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex,
  }),
)

/** The accounts that operate the local world. Their keys are public: never send them anything of value. */
export const DEVNET_ACTORS = {
  deployer: actor('deployer'),
  quoteSigner: actor('quote signer'),
  executor: actor('executor'),
  relayer: actor('relayer'),
  integrator: actor('integrator'),
  /** Owns all vault contracts. */
  vaultDeployer: actor('vault deployer'),
  /** Signs the attestations that deposits of some assets need. */
  attester: actor('attester'),
  rateUpdater: actor('rate updater'),
  queueProcessor: actor('queue processor'),
  feeRecipient: actor('fee recipient'),
  /** Gets the shares of refunds that fail. */
  recovery: actor('recovery'),
  /** Blocked by tokens and vaults, so that payments to it fail. */
  outcast: actor('outcast'),
  /** The bots leave withdrawal requests alone that are refunded to this account. */
  holder: actor('holder'),
  /** Forwards payments at smart deposit addresses into the vault. */
  keeper: actor('keeper'),
  /** Signs the shield book, by which clients check what they sign. */
  operator: actor('operator'),
  /** Receives deposits that may not go back to their sender. */
  recoveryWallet: actor('recovery wallet'),
  /** Creates and owns the factory of smart deposit addresses that are the same on every chain. */
  factoryOwner: actor('factory owner'),
}

/** One of the users. Throws if there is no such user. */
export function userAt(index: number) {
  const account = DEVNET_USERS[index]
  if (!account) throw new Error(`Invariant(userAt): anvil has no default account ${index}`)
  return account
}

/** The user that may withdraw at once, by the tellers' `bulkWithdraw`. */
export const DEVNET_SOLVER = userAt(7)
/** The user that may call `submitOrderAndProcessAll`. */
export const DEVNET_DIRECT_WITHDRAWER = userAt(8)
/** The attestation server refuses this user until its refusals are changed. */
export const DEVNET_REFUSED_USER = userAt(9)

/** The local stations accept quotes signed with this key. */
export const DEVNET_QUOTE_SIGNER_KEY = actorKey('quote signer')

/** The keeper key of the local smart deposit factories. */
export const DEVNET_KEEPER_KEY = actorKey('keeper')

/** The API key with which the local api asks its attestation provider. */
export const DEVNET_ATTESTATION_KEY = 'causeway-devnet-attestations'

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
