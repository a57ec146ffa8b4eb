import {
  type Abi,
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  type LocalAccount,
  maxUint256,
} from 'viem'
import { accountantAbi } from '../../abis/accountant.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { type VaultDeployment, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import type { PermitData } from '../../domain/token/detectAuthorization.ts'
import { getJson } from './getJson.ts'
import type { QuoteBody } from './quotes.ts'

export type PreparedBody = { transaction: QuoteBody['transaction'] }

export type DepositAuthorizationBody = {
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
    ask<Answer>(path: string, parameters: Record<string, string>) {
      const query = new URLSearchParams({
        ...{ vaultAddress: deployment.vault, chainId: String(chainId), ...parameters },
      })
      return getJson<Answer>(`${url}${path}?${query}`, headers)
    },
    /** Sends a call from an account, whatever becomes of it. */
    async send(account: LocalAccount, call: { to: Address; data: Hex; value?: string }) {
      const { to, data, value = '0' } = call
      const hash = await client.sendTransaction({
        ...{ account, to, data, value: BigInt(value), gas: 3_000_000n },
      })
      return client.waitForTransactionReceipt({ hash })
    },
    balance: (token: Address, account: Address) =>
      client.readContract({ ...contract(token), functionName: 'balanceOf', args: [account] }),
    approve(account: LocalAccount, token: Address, [spender, amount]: [Address, bigint]) {
      const data = encodeFunctionData({
        ...{ abi: erc20Abi, functionName: 'approve', args: [spender, amount] },
      })
      return this.send(account, { to: token, data })
    },
    /** Units of an asset per whole share. */
    rate: (asset: Address) =>
      client.readContract({
        ...{ address: deployment.current.accountant, abi: accountantAbi },
        ...{ functionName: 'getRateInQuoteSafe', args: [asset] },
      }),
    /** Shares for somebody to withdraw, deposited by the contract's own call. */
    async giveShares(account: LocalAccount, token: TokenSymbol, amount: bigint) {
      const { body } = await this.ask<PreparedBody>('/v2/earn/deposit', {
        ...{ depositAsset: tokenOf(token), depositAmount: String(amount) },
        userAddress: account.address,
      })
      await this.approve(account, tokenOf(token), [deployment.current.depositor, maxUint256])
      return this.send(account, body.transaction)
    },
  }
}

export type EarnClient = ReturnType<typeof earnClient>

/** Calls one of a vault's contracts as somebody of the local world; a revert throws. */
export async function callAs(
  world: World,
  { chainId }: Pick<VaultDeployment, 'chainId'>,
  call: {
    account: LocalAccount
    address: Address
    abi: Abi
    functionName: string
    args: unknown[]
  },
) {
  const client = worldClient(world, chainId)
  const { account, address: to, abi, functionName, args } = call
  const data = encodeFunctionData({ abi, functionName, args })
  await client.call({ account, to, data })
  const hash = await client.sendTransaction({ account, to, data })
  return client.waitForTransactionReceipt({ hash })
}
