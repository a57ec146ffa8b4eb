import { type Hex, maxUint256 } from 'viem'
import { prepareCancellation } from '../../../domain/earn/withdrawals/prepareWithdrawal.ts'
import type { ShieldReason } from '../../../sdk/src/shield/shieldError.ts'
import {
  addressOf,
  approve,
  casesOf,
  depositFrom,
  journey,
  NOW,
  type OfflineCase,
  oneAddressOf,
  order,
  other,
  type PermitToCheck,
  permit,
  permitted,
  queue,
  quoted,
  shown,
  signedPermit,
  station,
  thief,
  transit,
  usdc,
  usdg,
} from './offlineWorld.ts'
import { withTail } from './recode.ts'

/** Orders, their approvals and permits, and deposits from elsewhere. */
export async function transitCases(): Promise<OfflineCase[]> {
  const t = casesOf(transit)
  const j = casesOf(depositFrom)
  const good = await order()
  const byPermit = await order({ withPermit: true })
  const withPermit = { ...byPermit.options, permit: signedPermit }
  const ours = addressOf({ customerId: null, organizationId: null })
  const customer = { customerId: 'c', organizationId: 'o' }
  return [
    t('an order', null, good),
    t('an order by permit', null, { call: byPermit.call, options: withPermit }),
    t('an order on another chain', 'WRONG_CHAIN', { ...good, call: { ...good.call, chainId: 2 } }),
    t('an order at another contract', 'WRONG_CONTRACT', {
      ...good,
      call: { ...good.call, to: other },
    }),
    t('an order with too many coins', 'VALUE_TOO_HIGH', await order({ value: 1_001n })),
    t('an order to another receiver', 'WRONG_RECEIVER', await order({ receiver: other })),
    t(
      'an order to another chain',
      'WRONG_DESTINATION',
      await order({ route: { ...quoted.route, destEID: 101 } }),
    ),
    t(
      'an order of another token',
      'WRONG_TOKEN',
      await order({ route: { ...quoted.route, offerAsset: usdg } }),
    ),
    t(
      'an order for another token',
      'WRONG_TOKEN',
      await order({ route: { ...quoted.route, wantAsset: usdc } }),
    ),
    t('an order of more', 'WRONG_AMOUNT', await order({ offerAmount: 1_000_001n })),
    t('an order with a higher fee', 'TERMS_WORSE', await order({ protocolFee: 1_001n })),
    t('an order whose fee takes all', 'TERMS_WORSE', await order({ protocolFee: 1_000_000n })),
    t('an order with a fee', 'WRONG_FEE', await order({ integratorFee: 1n, protocolFee: 0n })),
    t(
      'an order with a receiver of a fee',
      'WRONG_FEE',
      await order({ integratorFeeReceiver: other }),
    ),
    t(
      'an order of another distributor',
      'WRONG_FEE',
      await order({ distributorCode: `0x${'00'.repeat(32)}` }),
    ),
    t('an order for ever', 'BAD_DEADLINE', await order({ deadline: maxUint256 })),
    t('an order of long ago', 'BAD_DEADLINE', await order({ deadline: BigInt(NOW - 1_000) })),
    t('an order of another id', 'WRONG_ORDER_ID', {
      ...good,
      options: { orderId: `0x${'00'.repeat(32)}` },
    }),
    t('an order of another signer', 'WRONG_SIGNER', await order({ by: thief })),
    t('an order with bytes behind it', 'MALFORMED_CALL', {
      ...good,
      call: { ...good.call, data: withTail(good.call.data as Hex) },
    }),
    t('an order by a permit that nobody signed', 'WRONG_PERMIT', byPermit),
    t('no calldata', 'MALFORMED_CALL', { ...good, call: { ...good.call, data: '0x' } }),
    t('half a byte', 'MALFORMED_CALL', {
      ...good,
      call: { ...good.call, data: `${good.call.data}0` },
    }),
    t('an unknown function', 'UNKNOWN_FUNCTION', {
      ...good,
      call: { ...good.call, data: '0xdeadbeef' },
    }),
    t(
      'a cancellation instead of an order',
      'UNKNOWN_FUNCTION',
      shown(prepareCancellation(queue, 7n)),
    ),
    t('an approval', null, approve(station, 1_000_000n)),
    t('a reset', null, approve(station, 0n)),
    t('an approval for another', 'WRONG_SPENDER', approve(other, 1_000_000n)),
    t('an approval of more', 'ALLOWANCE_TOO_HIGH', approve(station, 1_000_001n)),
    t('an approval of less', 'WRONG_AMOUNT', approve(station, 999_999n)),
    t('an approval of another token', 'WRONG_CONTRACT', {
      ...approve(station, 1_000_000n),
      to: usdg,
    }),
    j('a deposit from elsewhere', null, await journey(ours)),
    j('one to another address', 'WRONG_ADDRESS', await journey(other)),
    casesOf({ ...depositFrom, ...customer })(
      'one of a customer',
      null,
      await journey(addressOf(customer)),
    ),
    casesOf({ ...depositFrom, ...customer })(
      'one to an address that is the same on every chain',
      null,
      await journey(oneAddressOf(customer)),
    ),
    casesOf({ ...depositFrom, customerId: 'c' })(
      'one of a customer of nobody',
      'WRONG_ADDRESS',
      await journey(ours),
    ),
    casesOf({ ...depositFrom, depositAsset: other })(
      'one of an unknown token',
      'NOT_IN_BOOK',
      await journey(ours, other),
    ),
    casesOf({ ...depositFrom, from: { chainId: 3, asset: usdg } })(
      'one from an unknown chain',
      'NOT_IN_BOOK',
      await journey(ours),
    ),
    casesOf({ ...depositFrom, vaultAddress: other })(
      'one into an unknown vault',
      'NOT_IN_BOOK',
      await journey(ours),
    ),
    ...permitCases(),
  ]
}

/** Permits, each with another part changed. */
function permitCases(): OfflineCase[] {
  const { value, domain } = permitted
  const of = (name: string, reason: ShieldReason | null, change: Partial<PermitToCheck>) => ({
    name: `a permit ${name}`,
    reason,
    intent: transit,
    permit: { ...permitted, ...change },
  })
  const forEver = maxUint256
  return [
    of('as agreed', null, {}),
    of('with another field', 'WRONG_PERMIT', { types: { Permit: [] } }),
    of('on another chain', 'WRONG_CHAIN', { domain: { ...domain, chainId: 2 } }),
    of('of another token', 'WRONG_PERMIT', { domain: { ...domain, verifyingContract: usdg } }),
    of('of another owner', 'WRONG_ACCOUNT', { value: { ...value, owner: other } }),
    of('for another spender', 'WRONG_SPENDER', { value: { ...value, spender: other } }),
    of('of more', 'ALLOWANCE_TOO_HIGH', { value: { ...value, value: 1_000_001n } }),
    of('of less', 'WRONG_AMOUNT', { value: { ...value, value: 1n } }),
    of('with two deadlines', 'BAD_DEADLINE', { deadline: permit.deadline + 1n }),
    { ...of('with an expired book', 'BOOK_EXPIRED', {}), options: { now: 4_000_000_001 } },
    of('for ever', 'BAD_DEADLINE', { value: { ...value, deadline: forEver }, deadline: forEver }),
  ]
}
