import type { Hex } from 'viem'
import {
  prepareCancellation,
  prepareRequest,
} from '../../../domain/earn/withdrawals/prepareWithdrawal.ts'
import type { Intent } from '../../../sdk/src/shield/intent.ts'
import {
  addressIntent,
  addressOf,
  approve,
  atOnce,
  attestation,
  cancel,
  cancelById,
  casesOf,
  deposit,
  depositOf,
  formerQueue,
  type OfflineCase,
  other,
  permit,
  queue,
  requestBy,
  requested,
  requestOf,
  shown,
  signedPermit,
  usdg,
  vault,
  withdraw,
} from './offlineWorld.ts'
import { withDirtyPadding } from './recode.ts'

/** Deposits, withdrawals, cancellations and deposit addresses. */
export function earnCases(): OfflineCase[] {
  const d = casesOf(deposit)
  const w = casesOf(withdraw)
  const atOnceOnly = casesOf({ ...withdraw, mayWait: false } as Intent)
  const c = casesOf(cancel)
  const depositCall = depositOf()
  const ours = addressOf({ customerId: null, organizationId: null })
  return [
    d('a deposit', null, depositCall),
    d('a deposit with an attestation', null, depositOf({ attestation })),
    d('a deposit by permit', null, {
      call: depositOf({ permit }),
      options: { permit: signedPermit },
    }),
    d('an attested deposit by permit', null, {
      call: depositOf({ attestation, permit }),
      options: { permit: signedPermit },
    }),
    d('a deposit by another permit', 'WRONG_PERMIT', depositOf({ permit })),
    d('an attested deposit by another permit', 'WRONG_PERMIT', depositOf({ attestation, permit })),
    d('a deposit elsewhere', 'WRONG_CONTRACT', { ...depositCall, to: other }),
    d('a deposit of another asset', 'WRONG_TOKEN', depositOf({ asset: usdg })),
    d('a deposit of more', 'WRONG_AMOUNT', depositOf({ amount: 1_000_001n })),
    d('a deposit for another', 'WRONG_RECEIVER', depositOf({ to: other })),
    d('a deposit for too few shares', 'MINIMUM_TOO_LOW', depositOf({ minimumMint: 989_999n })),
    d(
      'a deposit with a distributor code of 4 kB',
      'MALFORMED_CALL',
      depositOf({ distributorCode: `0x${'ab'.repeat(4_096)}` }),
    ),
    d('a deposit with dirty padding', 'MALFORMED_CALL', {
      ...depositCall,
      data: withDirtyPadding(depositCall.data as Hex, 0),
    }),
    casesOf({ ...deposit, minimumShares: undefined } as Intent)(
      'a deposit without a node',
      'NODE_NEEDED',
      depositCall,
    ),
    casesOf({ ...deposit, depositAsset: usdg } as Intent)(
      'a deposit of an unlisted asset',
      'NOT_IN_BOOK',
      depositOf({ asset: usdg }),
    ),
    casesOf({ ...deposit, vaultAddress: other } as Intent)(
      'a deposit into an unknown vault',
      'NOT_IN_BOOK',
      depositCall,
    ),
    w('a request', null, requestOf()),
    w(
      'a request that is settled',
      null,
      shown(prepareRequest(queue, requested, 'submitOrderAndProcessAll')),
    ),
    w('a request by permit', null, {
      call: requestOf({ permit }),
      options: { permit: signedPermit },
    }),
    w('a request by another permit', 'WRONG_PERMIT', requestOf({ permit })),
    w('a request elsewhere', 'WRONG_CONTRACT', { ...requestOf(), to: formerQueue }),
    w('a request for another asset', 'WRONG_TOKEN', requestOf({ wantAsset: usdg })),
    w('a request of more', 'WRONG_AMOUNT', requestOf({ amountOffer: 500_001n })),
    w('a request of another account', 'WRONG_ACCOUNT', requestOf({ intendedDepositor: other })),
    w('a request to another', 'WRONG_RECEIVER', requestOf({ receiver: other })),
    w(
      'a request that is refunded to another',
      'WRONG_REFUND_RECEIVER',
      requestOf({ refundReceiver: other }),
    ),
    w(
      'a request in the name of a signature',
      'WRONG_PERMIT',
      requestBy({ submitWithSignature: true }),
    ),
    w('a request with another signature', 'WRONG_PERMIT', requestBy({ eip2612Signature: '0x12' })),
    w('a request by an unknown method', 'WRONG_PERMIT', requestBy({ approvalMethod: 9 })),
    atOnceOnly('a request that promises no minimum', 'MINIMUM_TOO_LOW', requestOf()),
    atOnceOnly(
      'a settled request that promises no minimum',
      'MINIMUM_TOO_LOW',
      shown(prepareRequest(queue, requested, 'submitOrderAndProcessAll')),
    ),
    atOnceOnly('an approval of shares for the queue', 'MINIMUM_TOO_LOW', {
      ...approve(queue, 500_000n),
      to: vault,
    }),
    w('an approval of shares', null, { ...approve(queue, 500_000n), to: vault }),
    w('an approval in place of the withdrawal', 'UNKNOWN_FUNCTION', {
      call: { ...approve(queue, 500_000n), to: vault },
      options: { mayApprove: false },
    }),
    atOnceOnly('a withdrawal that may not wait', null, atOnce()),
    w('a withdrawal at once', null, atOnce()),
    w('one elsewhere', 'WRONG_CONTRACT', { ...atOnce(), to: other }),
    w('one of another asset', 'WRONG_TOKEN', atOnce({ wantAsset: usdg })),
    w('one of more', 'WRONG_AMOUNT', atOnce({ shareAmount: 500_001n })),
    w('one to another', 'WRONG_RECEIVER', atOnce({ receiver: other })),
    w('one for too little', 'MINIMUM_TOO_LOW', atOnce({ minimumAssets: 489_999n })),
    c('a cancellation', null, shown(prepareCancellation(queue, 7n))),
    c('one in a former queue', 'WRONG_CONTRACT', shown(prepareCancellation(formerQueue, 7n))),
    c('one of another request', 'WRONG_REQUEST', shown(prepareCancellation(queue, 8n))),
    c('one elsewhere', 'WRONG_CONTRACT', shown(prepareCancellation(other, 7n))),
    casesOf(cancelById)('one by id', null, shown(prepareCancellation(formerQueue, 7n))),
    casesOf(cancelById)(
      'one by the id of another queue',
      'WRONG_REQUEST',
      shown(prepareCancellation(queue, 7n)),
    ),
    { name: 'a deposit address', reason: null, intent: addressIntent, address: ours },
    {
      name: 'another deposit address',
      reason: 'WRONG_ADDRESS',
      intent: addressIntent,
      address: other,
    },
    {
      name: 'a deposit address with an expired book',
      reason: 'BOOK_EXPIRED',
      intent: addressIntent,
      address: ours,
      options: { now: 4_000_000_001 },
    },
    c('a cancellation with an expired book', 'BOOK_EXPIRED', {
      call: shown(prepareCancellation(queue, 7n)),
      options: { now: 4_000_000_001 },
    }),
  ]
}
