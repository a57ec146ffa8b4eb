import type { Address } from 'viem'
import { getDepositAuthorization } from '../actions/earn.ts'
import type { Connection } from '../connection/connection.ts'
import type { Parameters } from '../connection/operation.ts'
import { authorizeToken, type Offered, type Signed } from './authorizeToken.ts'
import { addressOf, type Wallets } from './wallets.ts'

export type VaultAuthorization = {
  chainId: number
  vaultAddress: Address
  /** The asset to deposit, or the vault for its shares. */
  token: Address
  amount: bigint
  /** For shares: the asset to receive. */
  wantAsset?: Address
  withPermit: boolean
}

/** Lets a vault's depositor take a deposit, or its queue take shares. */
export function authorizeVaultToken(
  connection: Connection,
  wallets: Wallets,
  { chainId, vaultAddress, token, amount, wantAsset, withPermit }: VaultAuthorization,
): Promise<Signed> {
  const params: Parameters<'getDepositAuthorization'> = {
    chainId,
    vaultAddress,
    tokenAddress: token,
    amount,
    userAddress: addressOf(wallets),
    ...(wantAsset ? { wantAsset } : {}),
  }
  return authorizeToken(wallets, {
    chainId,
    token,
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
