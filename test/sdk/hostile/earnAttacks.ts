import { parseUnits } from 'viem'
import { type Altered, ATTACKER, type Attack, type AttackedWorld } from './attack.ts'
import { type Args, encode, recode, withDirtyPadding, withTail } from './recode.ts'

function callAttack(
  flow: Attack['flow'],
  name: string,
  reason: Attack['reason'],
  change: (args: Args, world: AttackedWorld) => void,
): Attack {
  return placeAttack(flow, name, reason, (transaction, world) =>
    recode(transaction, (args) => change(args, world)),
  )
}

const PATHS: Partial<Record<Attack['flow'], string>> = {
  deposit: '/earn/deposit',
  withdraw: '/earn/withdraw',
  'withdraw at once': '/earn/withdraw',
  cancel: '/earn/withdraw/cancel',
}

function placeAttack(
  flow: Attack['flow'],
  name: string,
  reason: Attack['reason'],
  change: (transaction: Altered, world: AttackedWorld) => void,
): Attack {
  return {
    name: `a ${flow} ${name}`,
    flow,
    path: PATHS[flow] ?? '',
    reason,
    alter(answer, world) {
      change(answer.transaction, world)
      return answer
    },
  }
}

function registerAttack(name: string, address: (world: AttackedWorld) => string): Attack {
  return {
    name: `a deposit address ${name}`,
    flow: 'register',
    path: '/smartDepositAddresses',
    reason: 'WRONG_ADDRESS',
    alter: (answer, world) =>
      'smartDepositAddress' in answer ? { smartDepositAddress: address(world) } : answer,
  }
}

/** Attacks on deposits, withdrawals, cancellations and deposit addresses. */
export const EARN_ATTACKS: Attack[] = [
  callAttack('deposit', 'for the attacker', 'WRONG_RECEIVER', (args) => {
    args[3] = ATTACKER
  }),
  callAttack('deposit', 'without a minimum', 'MINIMUM_TOO_LOW', (args) => {
    args[2] = 0n
  }),
  callAttack('deposit', 'for half of the shares at least', 'MINIMUM_TOO_LOW', (args) => {
    args[2] /= 2n
  }),
  callAttack('deposit', 'of twice the amount', 'WRONG_AMOUNT', (args) => {
    args[1] *= 2n
  }),
  callAttack('deposit', 'of another asset', 'WRONG_TOKEN', (args, { tokens }) => {
    args[0] = tokens.USDT
  }),
  callAttack('deposit', 'with the permit of another deadline', 'WRONG_PERMIT', (args) => {
    args[6] -= 1n
  }),
  placeAttack('deposit', 'at the attacker', 'WRONG_CONTRACT', (transaction) => {
    transaction.to = ATTACKER
  }),
  placeAttack('deposit', 'in another vault', 'WRONG_CONTRACT', (transaction, { otherVault }) => {
    transaction.to = otherVault.depositor
  }),
  placeAttack('deposit', 'with a wei', 'VALUE_TOO_HIGH', (transaction) => {
    transaction.value = '1'
  }),
  placeAttack('deposit', 'that is a withdrawal', 'UNKNOWN_FUNCTION', (transaction, { tokens }) => {
    transaction.data = encode('teller.bulkWithdraw', [tokens.USDC, 1n, 0n, ATTACKER])
  }),
  placeAttack(
    'deposit',
    'that is an approval',
    'UNKNOWN_FUNCTION',
    (transaction, { tokens, depositor }) => {
      transaction.to = tokens.USDC
      transaction.data = encode('token.approve', [depositor, parseUnits('500', 6)])
    },
  ),
  placeAttack('deposit', 'with bytes behind it', 'MALFORMED_CALL', (transaction) => {
    transaction.data = withTail(transaction.data)
  }),
  placeAttack('deposit', 'with dirty padding', 'MALFORMED_CALL', (transaction) => {
    transaction.data = withDirtyPadding(transaction.data, 3)
  }),
  callAttack('withdraw', 'to the attacker', 'WRONG_RECEIVER', ([params]) => {
    params.receiver = ATTACKER
  }),
  callAttack('withdraw', 'refunded to the attacker', 'WRONG_REFUND_RECEIVER', ([params]) => {
    params.refundReceiver = ATTACKER
  }),
  callAttack(
    'withdraw',
    'refunded to the vault',
    'WRONG_REFUND_RECEIVER',
    ([params], { vault }) => {
      params.refundReceiver = vault
    },
  ),
  callAttack('withdraw', 'of another account', 'WRONG_ACCOUNT', ([params]) => {
    params.intendedDepositor = ATTACKER
  }),
  callAttack('withdraw', 'of more shares', 'WRONG_AMOUNT', ([params]) => {
    params.amountOffer += 1n
  }),
  callAttack('withdraw', 'in another asset', 'WRONG_TOKEN', ([params], { tokens }) => {
    params.wantAsset = tokens.USDT
  }),
  callAttack('withdraw', 'that stands for a signature', 'WRONG_PERMIT', ([params]) => {
    params.signatureParams.submitWithSignature = true
  }),
  callAttack('withdraw', 'with the signature of another', 'WRONG_PERMIT', ([params]) => {
    params.signatureParams.eip2612Signature = '0x1234'
  }),
  callAttack('withdraw', 'by an unknown method', 'WRONG_PERMIT', ([params]) => {
    params.signatureParams.approvalMethod = 2
  }),
  placeAttack(
    'withdraw',
    'at the queue of another vault',
    'WRONG_CONTRACT',
    (transaction, { otherVault }) => {
      transaction.to = otherVault.queue
    },
  ),
  placeAttack('withdraw', 'with coins', 'VALUE_TOO_HIGH', (transaction) => {
    transaction.value = String(10n ** 18n)
  }),
  placeAttack('withdraw', 'that is a cancellation', 'UNKNOWN_FUNCTION', (transaction) => {
    transaction.data = encode('queue.cancelOrder', [1n])
  }),
  placeAttack(
    'withdraw',
    'that is an approval',
    'UNKNOWN_FUNCTION',
    (transaction, { vault, queue }) => {
      transaction.to = vault
      transaction.data = encode('token.approve', [queue, parseUnits('20', 6)])
    },
  ),
  callAttack('withdraw at once', 'to the attacker', 'WRONG_RECEIVER', (args) => {
    args[3] = ATTACKER
  }),
  callAttack('withdraw at once', 'without a minimum', 'MINIMUM_TOO_LOW', (args) => {
    args[2] = 0n
  }),
  callAttack('withdraw at once', 'of all shares', 'WRONG_AMOUNT', (args) => {
    args[1] *= 10n
  }),
  callAttack('withdraw at once', 'in another asset', 'WRONG_TOKEN', (args, { tokens }) => {
    args[0] = tokens.USDT
  }),
  placeAttack('withdraw at once', 'at the attacker', 'WRONG_CONTRACT', (transaction) => {
    transaction.to = ATTACKER
  }),
  callAttack('cancel', 'of another request', 'WRONG_REQUEST', (args) => {
    args[0] += 1n
  }),
  callAttack('cancel', 'of the first request', 'WRONG_REQUEST', (args) => {
    args[0] = 0n
  }),
  placeAttack(
    'cancel',
    'at the queue of another vault',
    'WRONG_CONTRACT',
    (transaction, { otherVault }) => {
      transaction.to = otherVault.queue
    },
  ),
  placeAttack('cancel', 'with coins', 'VALUE_TOO_HIGH', (transaction) => {
    transaction.value = '5'
  }),
  placeAttack('cancel', 'that is an approval', 'UNKNOWN_FUNCTION', (transaction) => {
    transaction.data = encode('token.approve', [ATTACKER, 2n ** 200n])
  }),
  registerAttack('of the attacker', () => ATTACKER),
  registerAttack("for the attacker's shares", (world) => world.attackersDepositAddress),
  registerAttack('of another vault', (world) => world.depositAddressOfOtherVault),
]
