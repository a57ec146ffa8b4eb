import type { Connection } from '../connection/connection.ts'
import type { Parameters } from '../connection/operation.ts'
import { getDepositAuthorization } from '../generated/actions.ts'
import type { DepositFromIntent, DepositIntent, WithdrawIntent } from '../shield/intent.ts'
import { authorizeToken, type Offered, type Signed } from './authorizeToken.ts'
import { addressOf, type Wallets } from './wallets.ts'

type VaultIntent = DepositIntent | DepositFromIntent | WithdrawIntent

/** The parameters by which the API is asked how the token can be taken. */
function askedFor(intent: VaultIntent): Omit<Parameters<'getDepositAuthorization'>, 'userAddress'> {
  const { chainId, vaultAddress } = intent
  if (intent.kind === 'withdraw') {
    const { shareAmount: amount, wantAsset } = intent
    return { chainId, vaultAddress, tokenAddress: vaultAddress, amount, wantAsset }
  }
  const vault = { chainId, vaultAddress, tokenAddress: intent.depositAsset }
  if (intent.kind === 'deposit') return { ...vault, amount: intent.depositAmount }
  const { from, offerAmount: amount } = intent
  return { ...vault, amount, sourceChainId: from.chainId, sourceAsset: from.asset }
}

/** Lets a vault's depositor take a deposit, its queue take shares, or a station what is deposited from elsewhere. */
export function authorizeVaultToken(
  connection: Connection,
  wallets: Wallets,
  { intent, withPermit }: { intent: VaultIntent; withPermit: boolean },
): Promise<Signed> {
  const asked = { ...askedFor(intent), userAddress: addressOf(wallets) }
  return authorizeToken(connection, wallets, {
    intent,
    chainId: asked.sourceChainId ?? asked.chainId,
    token: asked.sourceAsset ?? asked.tokenAddress,
    withPermit,
    ask: async (withPermit): Promise<Offered> => {
      const { signal } = wallets
      const prefer = withPermit ? 'permit' : 'approval'
      const answer = await getDepositAuthorization(connection, { ...asked, prefer }, { signal })
      return {
        isApproved: answer.method === 'already_approved',
        permit: answer.permitData,
        approval: answer.approvalTransaction,
      }
    },
  })
}
