import { type OpenBook, requireCurrent } from './book.ts'
import { checkOrder } from './checkOrder.ts'
import { checkApproval, requirePermit } from './checkPermit.ts'
import {
  type CallToCheck,
  type Checked,
  type Checking,
  type CheckOptions,
  nowOf,
} from './checks.ts'
import { checkTakeBack, checkTakeBackRequest } from './checkTakeBack.ts'
import {
  checkCancellation,
  checkDeposit,
  checkRequest,
  checkWithdrawalAtOnce,
  isByPermit,
} from './checkVault.ts'
import { type ArgumentsOf, decodeCall, type PreparedFunction } from './decodeCall.ts'
import type { Intent } from './intent.ts'
import { must, ShieldError } from './shieldError.ts'

type Check<Name extends PreparedFunction> = (
  checking: Checking,
  args: ArgumentsOf<Name>,
) => Checked | Promise<Checked>

/** The check of every function that the API prepares. One without a check fails the build. */
const CHECKS: { [Name in PreparedFunction]: Check<Name> } = {
  'token.approve': (checking, args) => {
    const { intent } = of(checking, 'transit', 'depositFrom', 'deposit', 'withdraw')
    const { mayApprove = true } = checking.options
    must(mayApprove, 'UNKNOWN_FUNCTION', `the call is an approval, and no ${intent.kind}`)
    return checkApproval(checking, intent, args)
  },
  'station.submitOrder': (checking, [quote, signature]) =>
    checkOrder(of(checking, 'transit', 'depositFrom'), quote, signature),
  'station.submitOrderWithPermit': (checking, [quote, signature, ...permit]) => {
    const order = of(checking, 'transit', 'depositFrom')
    requirePermit(checking.options, permit)
    return checkOrder(order, quote, signature)
  },
  'depositor.deposit': (checking, args) => checkDeposit(of(checking, 'deposit'), args),
  'depositor.depositWithPermit': (checking, args) => {
    const [, , , , , , ...permit] = args
    requirePermit(checking.options, permit)
    return checkDeposit(of(checking, 'deposit'), args)
  },
  'depositorA.deposit': (checking, args) => checkDeposit(of(checking, 'deposit'), args),
  'depositorA.depositWithPermit': (checking, args) => {
    const [, , , , , ...permit] = args
    requirePermit(checking.options, permit)
    return checkDeposit(of(checking, 'deposit'), args)
  },
  'teller.bulkWithdraw': (checking, args) => checkWithdrawalAtOnce(of(checking, 'withdraw'), args),
  'queue.submitOrder': checkRequestAndPermit,
  'queue.submitOrderAndProcessAll': checkRequestAndPermit,
  'queue.cancelOrder': (checking, args) => checkCancellation(of(checking, 'cancel'), args),
  'depositFactory.requestWithdrawal': (checking, args) =>
    checkTakeBackRequest(of(checking, 'takeBack'), args),
  'depositFactory.withdraw': (checking, args) => checkTakeBack(of(checking, 'takeBack'), args),
}

/**
 * Checks a transaction before the wallet is asked: it does what the user's words say, by contracts of the book. Returns
 * what signing does, in one sentence. An approval passes too, unless `mayApprove` is false. Throws `ShieldError`.
 *
 * @example
 * const options = { node: wallets.publicClient, mayApprove: false }
 * const { ok } = await checkCall(book, intent, transaction, options)
 * console.log(ok)
 */
export async function checkCall(
  book: OpenBook,
  intent: Intent,
  call: CallToCheck,
  options: CheckOptions = {},
): Promise<Checked> {
  requireCurrent(book, nowOf(options))
  const { name, args } = decodeCall(call.data ?? '0x')
  const check = CHECKS[name] as Check<PreparedFunction> // The arguments are those of the name.
  return check({ book, intent, call, options }, args)
}

function checkRequestAndPermit(
  checking: Checking,
  [request]: ArgumentsOf<'queue.submitOrder'>,
): Checked {
  const withdrawal = of(checking, 'withdraw')
  const { deadline, approvalV, approvalR, approvalS } = request.signatureParams
  if (isByPermit(request))
    requirePermit(checking.options, [deadline, approvalV, approvalR, approvalS])
  return checkRequest(withdrawal, request)
}

/** Throws `UNKNOWN_FUNCTION` for a function that no such intent needs. */
function of<Kind extends Intent['kind']>(
  checking: Checking,
  ...kinds: Kind[]
): Checking<Extract<Intent, { kind: Kind }>> {
  const { intent } = checking
  const isOne = (kinds as string[]).includes(intent.kind)
  if (!isOne) throw new ShieldError('UNKNOWN_FUNCTION', `the call is not for a ${intent.kind}`)
  return checking as Checking<Extract<Intent, { kind: Kind }>> // Its kind is one of them.
}
