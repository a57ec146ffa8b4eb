import type { Address } from 'viem'
import type { Connection } from '../connection/connection.ts'
import type { Parameters } from '../connection/operation.ts'
import { getDepositAuthorization } from '../generated/actions.ts'
import type { SpendingIntent } from '../shield/intent.ts'
import { authorizeToken, type Offered, type Signed } from './authorizeToken.ts'
import { addressOf, type Wallets } from './wallets.ts'

export type VaultAuthorization = {
  intent: SpendingIntent
  chainId: number
  vaultAddress: Address
  /** The asset to deposit, or the vault for its shares. */
  token: Address
  amount: bigint
  /** The chain and the token that the user pays with, if others than the vault takes: `amount` is of it. */
  from?: { chainId: number; asset: Address }
  /** For shares: the asset to receive. */
  wantAsset?: Address
  withPermit: boolean
}

/** Lets a vault's depositor take a deposit, or its queue take shares. */
export function authorizeVaultToken(
  connection: Connection,
  wallets: Wallets,
  { intent, chainId, vaultAddress, token, from, amount, wantAsset, withPermit }: VaultAuthorization,
): Promise<Signed> {
  const params: Parameters<'getDepositAuthorization'> = {
    chainId,
    vaultAddress,
    tokenAddress: token,
    amount,
    userAddress: addressOf(wallets),
    ...(from ? { sourceChainId: from.chainId, sourceAsset: from.asset } : {}),
    ...(wantAsset ? { wantAsset } : {}),
  }
  return authorizeToken(connection, wallets, {
    intent,
    chainId: from?.chainId ?? chainId,
    token: from?.asset ?? token,
    withPermit,
    ask: async (withPermit): Promise<Offered> => {
      const { signal } = wallets
      const prefer = withPermit ? 'permit' : 'approval'
      const asked = { ...params, prefer } as const
      const answer = await getDepositAuthorization(connection, asked, { signal })
      const { approvalTransaction: approval } = answer
      return {
        isApproved: answer.method === 'already_approved',
        permit: answer.permitData,
        approval: approval && {
          data: approval.encoded,
          requiresFollowUp: approval.requiresFollowUp === true,
        },
      }
    },
  })
}
