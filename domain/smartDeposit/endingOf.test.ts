import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DepositConditions } from '../earn/deposits/depositConditions.ts'
import { depositError } from '../earn/deposits/depositError.ts'
import type { DepositRefusal } from '../earn/deposits/depositVerdict.ts'
import { judgeDeposit } from '../earn/deposits/judgeDeposit.ts'
import type { EarnDeployment } from '../earn/vaults/deployments.ts'
import type { Reason } from '../error/reason.ts'
import { describeRefusal, type Ending, endingOf } from './endingOf.ts'

const depositor = `0x${'de'.repeat(20)}` as const
const userAddress = `0x${'11'.repeat(20)}` as const
const to = `0x${'22'.repeat(20)}` as const
const params = { depositAsset: `0x${'aa'.repeat(20)}` as const, userAddress, to }
const deployment = { chainId: 1, vault: `0x${'bb'.repeat(20)}`, depositor } as EarnDeployment

type Facts = Omit<DepositRefusal, 'because'>
type Row = { facts?: Facts; reason: Reason; fields: readonly string[]; ending: Ending }

const paused = { reason: 'VAULT_PAUSED', fields: [], ending: 'retain' } as const
const amount = ['depositAmount']

/** A new cause does not compile until it has its row here too. */
const TABLE: { [Cause in DepositRefusal['because']]: Row } = {
  VAULT_DEPRECATED: { reason: 'VAULT_DEPRECATED', fields: ['vaultAddress'], ending: 'refund' },
  ASSET_NOT_DEPOSITABLE: {
    reason: 'ASSET_NOT_DEPOSITABLE',
    fields: ['depositAsset'],
    ending: 'refund',
  },
  PAYER_BLOCKED: {
    facts: { isReceiverFrozen: true },
    reason: 'ACCOUNT_FROZEN',
    fields: ['userAddress', 'to'],
    ending: 'retain',
  },
  RECEIVER_FROZEN: { reason: 'ACCOUNT_FROZEN', fields: ['to'], ending: 'recover' },
  CALLER_NOT_ALLOWED: paused,
  TELLER_PAUSED: paused,
  ACCOUNTANT_PAUSED: paused,
  NO_RATE: paused,
  DEPOSITOR_FROZEN: paused,
  FEE_MODULE_REFUSES: paused,
  VAULT_NOT_CONNECTED: { reason: 'VAULT_NOT_CONNECTED', fields: [], ending: 'retain' },
  FEE_TAKES_ALL: {
    facts: { fee: 5n },
    reason: 'DEPOSIT_TOO_SMALL',
    fields: amount,
    ending: 'refund',
  },
  MINTS_NO_SHARES: {
    facts: { fee: 0n },
    reason: 'DEPOSIT_TOO_SMALL',
    fields: amount,
    ending: 'refund',
  },
  CAP_REACHED: {
    facts: { remainingInBase: 1n, supplyCapInBase: 2n },
    reason: 'SUPPLY_CAP_EXCEEDED',
    fields: amount,
    ending: 'refund',
  },
  ATTESTATION_REFUSED: {
    reason: 'ATTESTATION_REFUSED',
    fields: ['userAddress', 'to'],
    ending: 'recover',
  },
  ATTESTATION_UNAVAILABLE: {
    facts: { cause: new Error('silence') },
    reason: 'ATTESTATION_UNAVAILABLE',
    fields: [],
    ending: 'wait',
  },
}
const rows = Object.entries(TABLE).map(([because, { facts, ...expected }]) => ({
  // The facts are those of this cause, which the table cannot express.
  refusal: { because, ...facts } as DepositRefusal,
  because,
  ...expected,
}))

/** Prices are 1: a share of six decimals for a unit of the asset. */
const GOOD: DepositConditions = {
  isAttesting: true,
  mayDeposit: true,
  isConnected: true,
  isTellerPaused: false,
  isAccountantPaused: false,
  depositable: true,
  rate: 1_000_000n,
  hasRateSource: true,
  rateInBase: 1_000_000n,
  decimals: 6,
  totalSupply: 1_000n,
  cap: { in: 'value', amount: 2_000n },
  fee: 0n,
  shareFeeBps: 0n,
  kyt: null,
  frozen: [],
  isPayerBlocked: false,
}

const reads = fc.record<DepositConditions>({
  ...Object.fromEntries(Object.entries(GOOD).map(([key, value]) => [key, fc.constant(value)])),
  mayDeposit: mostly(true, false),
  isConnected: mostly(true, false),
  isTellerPaused: mostly(false, true),
  isAccountantPaused: mostly(false, true),
  depositable: mostly(true, false),
  hasRateSource: mostly(true, false),
  rate: mostly<bigint | null>(1_000_000n, null, 0n),
  totalSupply: fc.bigInt(0n, 3_000n),
  fee: fc.option(fc.bigInt(0n, 500n)),
  shareFeeBps: fc.bigInt(0n, 10_000n),
  frozen: mostly<`0x${string}`[]>([], [depositor], [to]),
  isPayerBlocked: mostly(false, true),
} as { [Key in keyof DepositConditions]: fc.Arbitrary<DepositConditions[Key]> })

function mostly<Value>(usual: Value, ...others: Value[]) {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))
}

describe('each refusal of a deposit', () => {
  test.each(rows)('default: $because', ({ refusal, reason, fields, ending }) => {
    const error = depositError(refusal, deployment, params)
    expect(error.reason).toBe(reason)
    expect(error.fieldViolations.map(({ field }) => field)).toEqual(fields)
    expect(endingOf(refusal)).toBe(ending)
    expect(describeRefusal(refusal)).toMatch(/^[a-z].*[a-z)]$/)
  })

  test('behavior: whatever is read, a refusal has the reason and the ending of the table', () => {
    fc.assert(
      fc.property(reads, fc.bigInt(1n, 2_000n), (read, units) => {
        const verdict = judgeDeposit(deployment, { amount: units, to }, read)
        if (verdict.kind === 'depositable') {
          expect(verdict.shares).toBeGreaterThan(0n)
          return
        }
        const { refusal } = verdict
        const { reason, ending } = TABLE[refusal.because]
        expect(depositError(refusal, deployment, params).reason).toBe(reason)
        expect(endingOf(refusal)).toBe(ending)
      }),
    )
  })
})

describe('judgeDeposit', () => {
  const judge = (read: Partial<DepositConditions>, units = 100n) =>
    judgeDeposit(deployment, { amount: units, to }, { ...GOOD, ...read })

  test('default: shares after both fees, which round up', () => {
    expect(judge({ fee: 1n, shareFeeBps: 1n })).toEqual({
      kind: 'depositable',
      shares: 98n,
      assetFee: 1n,
      shareFee: 1n,
    })
  })

  test('behavior: exactly the rest below the cap, and not a unit more', () => {
    expect(judge({}, 1_000n)).toMatchObject({ kind: 'depositable', shares: 1_000n })
    const refusal = { because: 'CAP_REACHED', remainingInBase: 1_000n, supplyCapInBase: 2_000n }
    expect(judge({}, 1_001n)).toEqual({ kind: 'refused', refusal })
  })

  test('behavior: a cap in shares ignores the rate; what it leaves in base is exact', () => {
    const read: Partial<DepositConditions> = {
      cap: { in: 'shares', amount: 2_000n },
      rateInBase: 1_500_000n,
    }
    expect(judge(read, 1_000n)).toMatchObject({ kind: 'depositable', shares: 1_000n })
    const refusal = { because: 'CAP_REACHED', remainingInBase: 1_501n, supplyCapInBase: 3_000n }
    expect(judge(read, 1_001n)).toEqual({ kind: 'refused', refusal })
  })

  test.each<[string, Partial<DepositConditions>]>([
    ['PAYER_BLOCKED', { isPayerBlocked: true, frozen: [to] }],
    ['RECEIVER_FROZEN', { frozen: [to], mayDeposit: false }],
    ['CALLER_NOT_ALLOWED', { mayDeposit: false, isTellerPaused: true }],
    ['VAULT_NOT_CONNECTED', { isConnected: false, isTellerPaused: true }],
    ['TELLER_PAUSED', { isTellerPaused: true, isAccountantPaused: true }],
    ['ACCOUNTANT_PAUSED', { isAccountantPaused: true, depositable: false }],
    ['ASSET_NOT_DEPOSITABLE', { depositable: false, rate: null }],
    ['ASSET_NOT_DEPOSITABLE', { hasRateSource: false, rate: null }],
    ['NO_RATE', { rate: null, frozen: [depositor] }],
    ['NO_RATE', { rate: 0n }],
    ['DEPOSITOR_FROZEN', { frozen: [depositor], fee: null }],
    ['FEE_MODULE_REFUSES', { fee: null }],
    ['FEE_TAKES_ALL', { fee: 100n }],
    ['MINTS_NO_SHARES', { shareFeeBps: 10_000n, cap: { in: 'value', amount: 0n } }],
    ['CAP_REACHED', { cap: { in: 'value', amount: 0n } }],
  ])('behavior: of several causes the first is reported: %s', (because, read) => {
    expect(judge(read)).toMatchObject({ kind: 'refused', refusal: { because } })
  })
})
