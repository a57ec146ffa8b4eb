import { zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import type { IndexProgress } from '../../index/indexProgress.ts'
import type { Delivery, JoinedSides, Submission } from './joinSides.ts'
import { orderTimeline } from './orderTimeline.ts'

const hashAt = (blockNumber: number) => `0x${String(blockNumber).padStart(64, '0')}` as const
const at = (chainId: number, blockNumber: number, blockTimestamp = blockNumber) => ({
  chainId,
  transactionHash: hashAt(blockNumber),
  blockNumber,
  blockTimestamp,
  blockHash: zeroHash,
  logIndex: 0,
  orderId: zeroHash,
})
const logAt = (blockNumber: number, remaining: string) => ({
  transactionHash: hashAt(blockNumber),
  blockNumber,
  timestamp: blockNumber,
  blockHash: zeroHash,
  logIndex: 0,
  remaining,
})
const paid = (blockNumber: number, amount: string, remaining: string) => ({
  ...logAt(blockNumber, remaining),
  amount,
})

const submission: Submission = {
  ...at(1, 10),
  sourceEid: 1,
  destinationEid: 2,
  userAddress: zeroAddress,
  transactionSender: zeroAddress,
  offerAsset: zeroAddress,
  wantAsset: zeroAddress,
  offerAmount: '100',
  receiver: zeroAddress,
  protocolFee: '1',
  integratorFee: '0',
  integratorFeeReceiver: zeroAddress,
  distributorCode: zeroHash,
  deadline: '99',
  salt: zeroHash,
  messageGuid: zeroHash,
  bridgedNormalized18: '99',
}
const delivery: Delivery = {
  ...at(4663, 20),
  status: 'PROCESSING',
  offerAsset: zeroAddress,
  wantAsset: zeroAddress,
  receiver: zeroAddress,
  amountDue: '99',
  remaining: '99',
  queuedAt: 20,
  sourceEid: 1,
  messageGuid: zeroHash,
  executions: [],
  removals: [],
  usedAgain: [],
  lastBlockNumber: 20,
  lastBlockTimestamp: 20,
}

/** Submitted and bridged on chain 1. */
function sides(changes: Partial<JoinedSides> = {}): JoinedSides {
  const places = { sourceChainId: 1, destinationChainId: 4663 }
  return { ...places, submission, delivery: null, tombstone: null, ...changes }
}

/** The blocks of chain 1 are final up to 15; those of chain 4663 up to 25. */
const progress = [
  [1, 15],
  [4663, 25],
].map(
  ([chain_id = 0, finalized_block = 0]): IndexProgress => ({
    build: 1,
    chain_id,
    finalized_block,
    block_number: 99,
    block_hash: zeroHash,
    block_timestamp: 99,
    last_change_hash: zeroHash,
    is_ready: true,
    high_water: 99,
  }),
)

/** `STEP amount/remaining`, `*` for a finalized one. */
function drawn(changes: Partial<JoinedSides> = {}, heads = progress): string[] {
  return orderTimeline(sides(changes), heads).map(
    ({ step, amount, remaining, finalized }) =>
      `${step} ${amount ?? '-'}/${remaining ?? '-'}${finalized ? '*' : ''}`,
  )
}

describe('orderTimeline', () => {
  test('default', () => {
    expect(drawn()).toEqual(['SUBMITTED 100/-*', 'BRIDGED -/-*'])
    const [submitted] = orderTimeline(sides(), progress)
    expect(submitted).toEqual({
      step: 'SUBMITTED',
      chainId: 1,
      transactionHash: hashAt(10),
      blockNumber: 10,
      timestamp: 10,
      amount: 100n,
      remaining: null,
      finalized: true,
    })
  })

  test('behavior: paid in parts, each step as final as its own block', () => {
    const executions = [paid(24, '9', '90'), paid(30, '90', '0')]
    expect(drawn({ delivery: { ...delivery, executions } })).toEqual([
      'SUBMITTED 100/-*',
      'BRIDGED -/-*',
      'RECEIVED 99/99*',
      'EXECUTED 9/90*',
      'EXECUTED 90/0',
      'PROCESSED -/0',
    ])
  })

  test('behavior: removed after a part', () => {
    const executions = [paid(24, '9', '90')]
    const steps = drawn({ delivery: { ...delivery, executions, removals: [logAt(31, '90')] } })
    expect(steps.slice(3)).toEqual(['EXECUTED 9/90*', 'REMOVED -/90'])
  })

  test('behavior: on one chain', () => {
    const here = {
      submission: { ...submission, messageGuid: null },
      delivery: { ...delivery, ...at(1, 10) },
      destinationChainId: 1,
    }
    expect(drawn(here)).toEqual(['SUBMITTED 100/-*', 'RECEIVED 99/99*'])
  })

  test('behavior: seen on its destination only', () => {
    expect(drawn({ submission: null, delivery })).toEqual(['RECEIVED 99/99*'])
  })

  test('behavior: an arrival that the clock of its chain puts before the submission stays behind it', () => {
    expect(drawn({ delivery: { ...delivery, blockTimestamp: 9 } })[2]).toBe('RECEIVED 99/99*')
  })

  test('behavior: a tombstone after the submission, at its second, and before it', () => {
    const order = (time: number) =>
      drawn({ tombstone: { ...delivery, ...at(4663, 26, time), amountDue: null } }).map(
        (text) => text.split(' ')[0],
      )
    expect(order(11)).toEqual(['SUBMITTED', 'BRIDGED', 'TOMBSTONED'])
    expect(order(10)).toEqual(['SUBMITTED', 'BRIDGED', 'TOMBSTONED'])
    expect(order(9)).toEqual(['TOMBSTONED', 'SUBMITTED', 'BRIDGED'])
  })

  test('behavior: no step of a chain that is not indexed is final', () => {
    expect(drawn({}, progress.slice(1))[0]).toBe('SUBMITTED 100/-')
  })
})
