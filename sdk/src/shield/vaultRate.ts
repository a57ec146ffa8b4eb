import type { Address, PublicClient } from 'viem'
import type { BookVault } from './book.ts'

/** The user's own node. The rate of a vault is never asked of the API. */
export type VaultNode = Pick<PublicClient, 'readContract'>

const BPS = 10_000n
const ADDRESS = [{ name: '', type: 'address' }] as const
const NUMBER = [{ name: '', type: 'uint256' }] as const
const view = { type: 'function', stateMutability: 'view' } as const
const abi = [
  { ...view, name: 'getRateInQuoteSafe', inputs: ADDRESS, outputs: NUMBER },
  { ...view, name: 'feeModule', inputs: [], outputs: ADDRESS },
  { ...view, name: 'offerFeePercentage', inputs: [], outputs: NUMBER },
  {
    ...view,
    name: 'calculateOfferFees',
    inputs: [...NUMBER, ...ADDRESS, ...ADDRESS, ...ADDRESS],
    outputs: NUMBER,
  },
] as const

type Deposit = { asset: Address; amount: bigint; to: Address }

/** The shares of a deposit at the vault's present rate and fee. */
export async function sharesAtRate(
  node: VaultNode,
  vault: BookVault,
  deposit: Deposit,
): Promise<bigint> {
  const [rate, fees] = await Promise.all([
    rateOf(node, vault, deposit.asset),
    feesOf(node, vault, deposit),
  ])
  if (rate === 0n) return 0n
  const minted = ((deposit.amount - fees.ofAsset) * unitOf(vault)) / rate
  return minted - (minted * fees.shareBps + BPS - 1n) / BPS
}

/** The assets of shares at the vault's present rate. */
export async function assetsAtRate(
  node: VaultNode,
  vault: BookVault,
  { asset, shares }: { asset: Address; shares: bigint },
): Promise<bigint> {
  return (shares * (await rateOf(node, vault, asset))) / unitOf(vault)
}

/** Less what may be lost. */
export function lessSlippage(amount: bigint, maxSlippageBps = 100): bigint {
  return (amount * (BPS - BigInt(maxSlippageBps))) / BPS
}

function unitOf({ decimals }: BookVault): bigint {
  return 10n ** BigInt(decimals)
}

/** Base units of the asset per whole share. */
function rateOf(node: VaultNode, { accountant }: BookVault, asset: Address): Promise<bigint> {
  return node.readContract({
    address: accountant,
    abi,
    functionName: 'getRateInQuoteSafe',
    args: [asset],
  })
}

/** Generation A has no fee, and B takes it from the shares. A fee module that reverts counts as none: the check is then stricter. */
async function feesOf(
  node: VaultNode,
  { address: vault, depositor, depositorGeneration: generation }: BookVault,
  { asset, amount, to }: Deposit,
): Promise<{ ofAsset: bigint; shareBps: bigint }> {
  const none = { ofAsset: 0n, shareBps: 0n }
  if (generation === 'A') return none
  try {
    const module = await node.readContract({ address: depositor, abi, functionName: 'feeModule' })
    const call = { address: module, abi } as const
    if (generation === 'B') {
      const shareBps = await node.readContract({ ...call, functionName: 'offerFeePercentage' })
      return { ...none, shareBps }
    }
    const args = [amount, asset, vault, to] as const
    const fee = { ...call, functionName: 'calculateOfferFees', args } as const
    return { ...none, ofAsset: await node.readContract(fee) }
  } catch (error) {
    if (isRevert(error)) return none
    throw error
  }
}

/** By their names: an app may have two copies of viem. */
const REVERTS = ['ContractFunctionRevertedError', 'ContractFunctionZeroDataError']

/** Whether a contract refused a read, and not the node. */
function isRevert(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (REVERTS.includes(at.name)) return true
  return false
}
