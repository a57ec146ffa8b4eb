import type { Account, Address, Hash, PublicClient, WalletClient } from 'viem'
import { CausewayError } from '../error/causewayError.ts'
import type { Checked } from '../shield/checks.ts'

/** The user's wallet and a node of the chain, as viem's clients. */
export type Wallets = {
  walletClient: WalletClient
  publicClient: PublicClient
  /** Default: the account of the wallet client. */
  account?: Account | Address
  /** Ends the flow. A transaction that was sent cannot be taken back: only the wait for it ends. */
  signal?: AbortSignal | undefined
  /** Gets what signing does, in one sentence, before the wallet is asked. Not called with `shield: 'trust-server'`. */
  onChecked?: ((checked: Checked) => void | Promise<void>) | undefined
  /** Gets each transaction once it is sent, approvals of tokens included. `to` is the called contract. */
  onSent?: ((sent: { hash: Hash; to: Address }) => void) | undefined
  /** How long a transaction is awaited. Default 180,000. */
  receiptTimeoutMs?: number | undefined
}

/** The account that sends, as viem takes it. Throws `INVALID_INPUT` without one. */
export function accountOf({
  walletClient,
  account = walletClient.account,
}: Wallets): Account | Address {
  if (account) return account
  throw new CausewayError({
    reason: 'INVALID_INPUT',
    metadata: { field: 'account' },
    message: 'account: the wallet client has no account, and none is given',
  })
}

export function addressOf(wallets: Wallets): Address {
  const account = accountOf(wallets)
  return typeof account === 'string' ? account : account.address
}

/** Throws `WRONG_CHAIN` unless the wallet and the node are on this chain. */
export async function requireChain(
  { walletClient, publicClient }: Wallets,
  expected: number,
): Promise<void> {
  const ids = await Promise.all([walletClient.getChainId(), publicClient.getChainId()])
  const actual = ids.find((id) => id !== expected)
  if (actual === undefined) return
  throw new CausewayError({
    reason: 'WRONG_CHAIN',
    metadata: { expected, actual },
    message: `expected a wallet and a node on chain ${expected}, got chain ${actual}`,
  })
}
