import type { Address } from 'viem'
import { type BookVault, type OpenBook, tokenOf, vaultOf } from './book.ts'
import { type Checked, type Checking, requireMayWait, requirePlace } from './checks.ts'
import type { ArgumentsOf } from './decodeCall.ts'
import type { CancelIntent, DepositIntent, WithdrawIntent } from './intent.ts'
import { inWords, onChain } from './sentence.ts'
import { isSame, must, mustBe, ShieldError } from './shieldError.ts'
import { assetsAtRate, lessSlippage, sharesAtRate, type VaultNode } from './vaultRate.ts'

/** The first arguments of every form of a deposit. */
type Deposited = readonly [
  asset: Address,
  amount: bigint,
  minimum: bigint,
  to: Address,
  ...more: unknown[],
]
type Requested = ArgumentsOf<'queue.submitOrder'>[0]

const BY_APPROVAL = 0
const BY_PERMIT = 1

/** Checks a deposit into a vault on its own chain. */
export async function checkDeposit(
  checking: Checking<DepositIntent>,
  [asset, amount, minimum, to]: Deposited,
): Promise<Checked> {
  const { book, intent, options } = checking
  const { chainId } = intent
  const vault = vaultOf(book, chainId, intent.vaultAddress)
  requirePlace(checking, { chainId, contract: vault.depositor })
  const token = listed(book, vault, intent.depositAsset)
  mustBe(asset, intent.depositAsset, 'WRONG_TOKEN', 'the deposited token')
  requireAmount(amount, intent.depositAmount, 'the deposit takes')
  mustBe(to, intent.to, 'WRONG_RECEIVER', 'the receiver of the shares')
  const { minimumShares: agreed, maxSlippageBps } = intent
  const least =
    agreed ??
    lessSlippage(
      await sharesAtRate(nodeOf(options.node), vault, { asset, amount, to }),
      maxSlippageBps,
    )
  requireMinimum(minimum, least, 'shares')
  const shares = inWords(minimum, { symbol: 'shares', decimals: vault.decimals })
  return {
    ok: `Deposit ${inWords(amount, token)} into ${vault.name} ${onChain(book, chainId)}. ${to} gets at least ${shares}.`,
  }
}

/** Checks a withdrawal that is paid in its own transaction. */
export async function checkWithdrawalAtOnce(
  checking: Checking<WithdrawIntent>,
  [asset, shares, minimum, to]: ArgumentsOf<'teller.bulkWithdraw'>,
): Promise<Checked> {
  const { book, intent, options } = checking
  const { chainId } = intent
  const vault = vaultOf(book, chainId, intent.vaultAddress)
  requirePlace(checking, { chainId, contract: vault.teller })
  const token = listed(book, vault, intent.wantAsset)
  mustBe(asset, intent.wantAsset, 'WRONG_TOKEN', 'the asset')
  requireAmount(shares, intent.shareAmount, 'the withdrawal takes')
  mustBe(to, intent.receiver, 'WRONG_RECEIVER', 'the receiver')
  const { minimumAssets: agreed, maxSlippageBps } = intent
  const least =
    agreed ??
    lessSlippage(await assetsAtRate(nodeOf(options.node), vault, { asset, shares }), maxSlippageBps)
  requireMinimum(minimum, least, 'assets')
  const burnt = inWords(shares, { symbol: 'shares', decimals: vault.decimals })
  return {
    ok: `Give ${burnt} of ${vault.name} ${onChain(book, chainId)}. ${to} gets at least ${inWords(minimum, token)} at once.`,
  }
}

/** Checks a withdrawal request. Its permit is checked with those of other calls. */
export function checkRequest(checking: Checking<WithdrawIntent>, request: Requested): Checked {
  const { book, intent } = checking
  const { chainId } = intent
  const vault = vaultOf(book, chainId, intent.vaultAddress)
  requirePlace(checking, { chainId, contract: vault.queue })
  requireMayWait(intent)
  const token = listed(book, vault, intent.wantAsset)
  const { amountOffer, wantAsset, intendedDepositor, receiver, refundReceiver } = request
  mustBe(wantAsset, intent.wantAsset, 'WRONG_TOKEN', 'the asset')
  requireAmount(amountOffer, intent.shareAmount, 'the request takes')
  mustBe(intendedDepositor, intent.account, 'WRONG_ACCOUNT', 'the account whose shares are taken')
  mustBe(receiver, intent.receiver, 'WRONG_RECEIVER', 'the receiver')
  mustBe(refundReceiver, intent.refundReceiver, 'WRONG_REFUND_RECEIVER', 'the receiver of a refund')
  const { submitWithSignature, eip2612Signature, approvalMethod } = request.signatureParams
  must(
    !submitWithSignature &&
      eip2612Signature === '0x' &&
      (approvalMethod === BY_APPROVAL || approvalMethod === BY_PERMIT),
    'WRONG_PERMIT',
    'the request is not sent in the name of its sender alone',
  )
  const shares = inWords(amountOffer, { symbol: 'shares', decimals: vault.decimals })
  return {
    ok: `Ask ${vault.name} ${onChain(book, chainId)} to pay ${receiver} in ${token.symbol} for ${shares}. After a refund, ${refundReceiver} gets the shares back.`,
  }
}

/** Whether a request has a permit in it. */
export function isByPermit({ signatureParams }: Requested): boolean {
  return signatureParams.approvalMethod === BY_PERMIT
}

/** Checks the cancellation of a withdrawal request. */
export function checkCancellation(
  checking: Checking<CancelIntent>,
  [index]: ArgumentsOf<'queue.cancelOrder'>,
): Checked {
  const { book, intent, call } = checking
  const { chainId, requestId } = intent
  const vault = vaultOf(book, chainId, intent.vaultAddress)
  // An index is one of the present queue. The id of a request names its queue.
  const known = requestId === undefined ? [] : vault.queues
  const queue = known.find((one) => isSame(one, call.to)) ?? vault.queue
  requirePlace(checking, { chainId, contract: queue })
  const wanted =
    requestId === undefined
      ? index === intent.orderIndex
      : isSame(requestId, `${chainId}:${queue}:${index}`)
  must(wanted, 'WRONG_REQUEST', `the call cancels request ${index} of ${queue}`)
  return {
    ok: `Cancel withdrawal request ${index} in the queue ${queue} of ${vault.name} ${onChain(book, chainId)}.`,
  }
}

function listed(book: OpenBook, { chainId, assets, name }: BookVault, asset: Address) {
  const isListed = assets.some((one) => isSame(one, asset))
  must(isListed, 'NOT_IN_BOOK', `the book has no asset ${asset} of ${name}`)
  return tokenOf(book, chainId, asset)
}

function requireAmount(actual: bigint, expected: bigint, what: string): void {
  must(actual === expected, 'WRONG_AMOUNT', `${what} ${actual}, expected ${expected}`)
}

function requireMinimum(minimum: bigint, least: bigint, what: string): void {
  must(
    minimum >= least,
    'MINIMUM_TOO_LOW',
    `the call accepts ${minimum} ${what}, at least ${least} are due`,
  )
}

function nodeOf(node: VaultNode | undefined): VaultNode {
  if (node) return node
  throw new ShieldError('NODE_NEEDED', "the vault's rate is read by the user's node: give one")
}
