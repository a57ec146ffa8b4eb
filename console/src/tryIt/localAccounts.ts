import { mnemonicToAccount } from 'viem/accounts'

/** Anvil's default mnemonic: everybody knows it, so its accounts are worth something on local chains only. */
const MNEMONIC = 'test test test test test test test test test test test junk'
const COUNT = 5

/** The first accounts of the local world, which has given them a million of each token. */
export const LOCAL_ACCOUNTS = Array.from({ length: COUNT }, (_, addressIndex) =>
  mnemonicToAccount(MNEMONIC, { addressIndex }),
)
