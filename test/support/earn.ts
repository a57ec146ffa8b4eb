import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  type LocalAccount,
  maxUint256,
} from 'viem'
import { accountantAbi } from '../../abis/accountant.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import type { PreparedCall } from '../../domain/call/preparedCall.ts'
import { revertOf } from '../../domain/chain/revert.ts'
import { EARN_ERRORS } from '../../domain/earn/vaults/earnErrors.ts'
import type { PermitData } from '../../domain/token/detectAuthorization.ts'
import { getJson } from './getJson.ts'
import { encodeHandCall, type HandCall } from './handCall.ts'
import type { QuoteBody } from './quotes.ts'

export type PreparedBody = { transaction: QuoteBody['transaction'] }
/** A deposit or a withdrawal. */
export type PreviewedBody = PreparedBody & {
  preview: {
    expectedShares?: string
    minimumShares?: string
    expectedAssets?: string | null
    minimumAssets?: string | null
    fee: { amount: string; asset: Address } | null
    exchangeRateToBase: string | null
    validUntil: string | null
    gasLimit: string | null
  }
}

export type DepositAuthorizationBody = {
  spenderAddress: Address
  method: 'permit' | 'approval' | 'already_approved'
  permitData?: PermitData
  approvalTransaction?: { encoded: Hex; requiresFollowUp?: true }
}

/** A vault of the local world, seen through the API and on its chain. */
export function earnClient(
  { url, world }: { url: string; world: World },
  { name, chainId, apiKey }: { name: string; chainId: number; apiKey?: string },
) {
  const deployment = vaultDeployment(name, chainId)
  const client = worldClient(world, chainId)
  const headers = apiKey ? { 'x-api-key': apiKey } : undefined
  const tokenOf = (token: TokenSymbol) => DEPLOYMENT.tokens[token]
  const contract = (address: Address) => ({ address, abi: erc20Abi }) as const

  return {
    deployment,
    client,
    tokenOf,
    /** A GET of one of the endpoints, for this vault. */
    async ask<Answer>(path: string, parameters: Record<string, string>) {
      const query = new URLSearchParams({
        vaultAddress: deployment.vault,
        chainId: String(chainId),
        ...parameters,
      })
      const answer = await getJson(`${url}${path}?${query}`, headers)
      return { ...answer, body: answer.body as Answer }
    },
    /** Sends a call from an account, even if it reverts. */
    async send(
      account: LocalAccount,
      call: { to: Address; data: Hex; value?: string },
      { gasLimit }: { gasLimit: string | null } = { gasLimit: '3000000' },
    ) {
      const { to, data, value = '0' } = call
      const hash = await client.sendTransaction({
        account,
        to,
        data,
        value: BigInt(value),
        gas: BigInt(gasLimit ?? 0),
      })
      return client.waitForTransactionReceipt({ hash })
    },
    balance: (token: Address, account: Address) =>
      client.readContract({ ...contract(token), functionName: 'balanceOf', args: [account] }),
    approve(account: LocalAccount, token: Address, [spender, amount]: [Address, bigint]) {
      const data = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [spender, amount],
      })
      return this.send(account, { to: token, data })
    },
    /** Units of an asset per whole share. */
    rate: (asset: Address) =>
      client.readContract({
        address: deployment.current.accountant,
        abi: accountantAbi,
        functionName: 'getRateInQuoteSafe',
        args: [asset],
      }),
    /** Deposits directly at the contract, so that an account has shares to withdraw. */
    async giveShares(account: LocalAccount, token: TokenSymbol, amount: bigint) {
      const { body } = await this.ask<PreparedBody>('/v2/earn/deposit', {
        depositAsset: tokenOf(token),
        depositAmount: String(amount),
        userAddress: account.address,
      })
      await this.approve(account, tokenOf(token), [deployment.current.depositor, maxUint256])
      return this.send(account, body.transaction)
    },
  }
}

export type EarnClient = ReturnType<typeof earnClient>

/** Calls a contract of the local world as its owner; a revert throws. */
export function asOwner({ client }: Pick<EarnClient, 'client'>, address: Address, call: HandCall) {
  return callAs({ client }, DEVNET_ACTORS.vaultDeployer, { address, call })
}

/** Freezes an account in the hook of a vault: no shares move to, from or by it. */
export function freeze(client: Pick<EarnClient, 'client' | 'deployment'>, account: Address) {
  const { hook } = client.deployment
  if (!hook) throw new Error('the vault has no hook')
  return asOwner(client, hook, ['function setFrozen(address, bool)', account, true])
}

/** The name and arguments of the error with which a prepared call reverts on chain; null if it succeeds. */
export async function earnRevertOf(
  { client }: Pick<EarnClient, 'client'>,
  account: LocalAccount,
  { to, data }: Pick<PreparedCall, 'to' | 'data'>,
): Promise<unknown[] | null> {
  const revert = await client.call({ account, to, data }).then(
    () => null,
    (error: unknown) => {
      const found = revertOf(error, EARN_ERRORS)
      // A node that fails says nothing about the call.
      if (found === null) throw error
      return found
    },
  )
  return revert && [revert.errorName, ...revert.args]
}

/** Calls a contract of the local world from an account; a revert throws. */
export async function callAs(
  { client }: Pick<EarnClient, 'client'>,
  account: LocalAccount,
  { address: to, call }: { address: Address; call: HandCall },
) {
  const data = encodeHandCall(call)
  await client.call({ account, to, data })
  const hash = await client.sendTransaction({ account, to, data })
  return client.waitForTransactionReceipt({ hash })
}
