import { encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem'
import { ATTACKER, type Attack } from './attack.ts'
import { argsOf, encode, withDirtyPadding, withTail } from './recode.ts'

type Permit = {
  domain: Record<string, unknown>
  types: { Permit: { name: string; type: string }[] }
  value: Record<string, string>
  deadline: string
}

const CORE = '/core/authorization'
const inDays = (days: number) => String(Math.floor(Date.now() / 1_000) + days * 86_400)

function permitAttack(
  name: string,
  reason: Attack['reason'],
  change: (permit: Permit, world: Parameters<Attack['alter']>[1]) => void,
  flow: Attack['flow'] = 'transit',
): Attack {
  return {
    name: `a permit ${name}`,
    flow,
    path: CORE,
    reason,
    alter(answer, world) {
      const inList = answer.methods?.find(({ permitData }: { permitData?: Permit }) => permitData)
      change(answer.permitData ?? inList.permitData, world)
      return answer
    },
  }
}

type Approval = { encoded: Hex }

function approvalAttack(
  name: string,
  reason: Attack['reason'],
  change: (approval: Approval) => void,
  flow: Attack['flow'] = 'transit by approval',
): Attack {
  return {
    name: `an approval ${name}`,
    flow,
    path: CORE,
    reason,
    alter(answer) {
      const inList = answer.methods?.find(
        ({ transaction }: { transaction?: Approval }) => transaction,
      )
      change(answer.approvalTransaction ?? inList.transaction)
      return answer
    },
  }
}

/** Attacks on the authorization: what a contract may take, and which contract. */
export const PERMIT_ATTACKS: Attack[] = [
  permitAttack('to the attacker', 'WRONG_SPENDER', ({ value }) => {
    value.spender = ATTACKER
  }),
  permitAttack(
    'of a deposit to the station',
    'WRONG_SPENDER',
    ({ value }, { station }) => {
      value.spender = station
    },
    'deposit',
  ),
  permitAttack(
    'of shares to the queue of another vault',
    'WRONG_SPENDER',
    ({ value }, { otherVault }) => {
      value.spender = otherVault.queue
    },
    'withdraw',
  ),
  permitAttack(
    'of a deposit from elsewhere to the attacker',
    'WRONG_SPENDER',
    ({ value }) => {
      value.spender = ATTACKER
    },
    'deposit from',
  ),
  permitAttack('of everything', 'ALLOWANCE_TOO_HIGH', ({ value }) => {
    value.value = String(maxUint256)
  }),
  permitAttack('of one unit more', 'ALLOWANCE_TOO_HIGH', ({ value }) => {
    value.value = String(BigInt(value.value ?? 0) + 1n)
  }),
  permitAttack('of less', 'WRONG_AMOUNT', ({ value }) => {
    value.value = '1'
  }),
  permitAttack('of another owner', 'WRONG_ACCOUNT', ({ value }) => {
    value.owner = ATTACKER
  }),
  permitAttack('of another token', 'WRONG_PERMIT', ({ domain }, { tokens }) => {
    domain.verifyingContract = tokens.USDT
  }),
  permitAttack('of no token', 'WRONG_PERMIT', ({ domain }) => {
    delete domain.verifyingContract
  }),
  permitAttack('on another chain', 'WRONG_CHAIN', ({ domain }) => {
    domain.chainId = 4663
  }),
  permitAttack('on every chain', 'WRONG_CHAIN', ({ domain }) => {
    delete domain.chainId
  }),
  permitAttack('for ever', 'BAD_DEADLINE', (permit) => {
    permit.value.deadline = permit.deadline = String(maxUint256)
  }),
  permitAttack(
    'for three days',
    'BAD_DEADLINE',
    (permit) => {
      permit.value.deadline = permit.deadline = inDays(3)
    },
    'deposit',
  ),
  permitAttack('with two deadlines', 'BAD_DEADLINE', (permit) => {
    permit.value.deadline = inDays(0.05)
  }),
  permitAttack('with another field', 'WRONG_PERMIT', ({ types }) => {
    types.Permit.push({ name: 'allowed', type: 'bool' })
  }),
  approvalAttack('to the attacker', 'WRONG_SPENDER', (approval) => {
    approval.encoded = encode('token.approve', [ATTACKER, argsOf(approval.encoded)[1]])
  }),
  approvalAttack(
    'to the attacker',
    'WRONG_SPENDER',
    (approval) => {
      approval.encoded = encode('token.approve', [ATTACKER, argsOf(approval.encoded)[1]])
    },
    'deposit by approval',
  ),
  approvalAttack('of everything', 'ALLOWANCE_TOO_HIGH', (approval) => {
    approval.encoded = encode('token.approve', [argsOf(approval.encoded)[0], maxUint256])
  }),
  approvalAttack(
    'of one unit more',
    'ALLOWANCE_TOO_HIGH',
    (approval) => {
      const [spender, amount] = argsOf(approval.encoded)
      approval.encoded = encode('token.approve', [spender, amount + 1n])
    },
    'deposit by approval',
  ),
  approvalAttack('of less', 'WRONG_AMOUNT', (approval) => {
    approval.encoded = encode('token.approve', [argsOf(approval.encoded)[0], 1n])
  }),
  approvalAttack('that is a transfer', 'UNKNOWN_FUNCTION', (approval) => {
    const [, amount] = argsOf(approval.encoded)
    approval.encoded = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [ATTACKER, amount],
    })
  }),
  approvalAttack('that is a withdrawal', 'UNKNOWN_FUNCTION', (approval) => {
    approval.encoded = encode('teller.bulkWithdraw', [ATTACKER, 1n, 1n, ATTACKER])
  }),
  approvalAttack('with bytes behind it', 'MALFORMED_CALL', (approval) => {
    approval.encoded = withTail(approval.encoded)
  }),
  approvalAttack('with dirty padding', 'MALFORMED_CALL', (approval) => {
    approval.encoded = withDirtyPadding(approval.encoded, 0)
  }),
  approvalAttack('without calldata', 'MALFORMED_CALL', (approval) => {
    approval.encoded = '0x'
  }),
]
