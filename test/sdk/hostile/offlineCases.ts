import { type Address, type Hex, maxUint256, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { encodePrepared, type PreparedCall } from '../../../domain/call/preparedCall.ts'
import { prepareDeposit } from '../../../domain/earn/deposits/prepareDeposit.ts'
import {
  prepareAtomic,
  prepareCancellation,
  prepareRequest,
} from '../../../domain/earn/withdrawals/prepareWithdrawal.ts'
import { smartDepositAddress } from '../../../domain/smartDeposit/smartDepositAddress.ts'
import { prepareOrder } from '../../../domain/transit/quotes/prepareOrder.ts'
import {
  quoteOrderId,
  quoteTypedData,
  type TransitQuote,
} from '../../../domain/transit/quotes/quoteTypedData.ts'
import type { ShieldBook } from '../../../sdk/src/shield/book.ts'
import type { checkPermit } from '../../../sdk/src/shield/checkPermit.ts'
import type { CallToCheck, CheckOptions } from '../../../sdk/src/shield/checks.ts'
import type { DepositAddressIntent, Intent } from '../../../sdk/src/shield/intent.ts'
import type { ShieldReason } from '../../../sdk/src/shield/shieldError.ts'
import { withDirtyPadding, withTail } from './recode.ts'

type PermitToCheck = Parameters<typeof checkPermit>[2]

/** Calls made by the server's own code, without nodes, and the only right verdict on each. */
export type OfflineCase = {
  name: string
  intent: Intent | DepositAddressIntent
  /** One of the three is checked. */
  call?: CallToCheck
  permit?: PermitToCheck
  address?: Address
  options?: CheckOptions
  /** Null where it has to be accepted. */
  reason: ShieldReason | null
}

const at = (byte: string): Address => `0x${byte.repeat(20)}`
const [user, receiver, other] = [at('a1'), at('a2'), at('a3')]
const [station, usdc, usdg, vault] = [at('51'), at('01'), at('02'), at('f0')]
const [teller, depositor, queue, formerQueue] = [at('f1'), at('f2'), at('f3'), at('f4')]
const [factory, implementation] = [at('e1'), at('e2')]
const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const thief = privateKeyToAccount(`0x${'12'.repeat(32)}`)
export const NOW = 1_800_000_000

export const BOOK: ShieldBook = {
  format: 1,
  environment: 'DEVELOPMENT',
  issuedAt: NOW,
  expiresAt: 4_000_000_000,
  maxDeadlineSeconds: 7_200,
  chains: [1, 2].map((id) => ({
    id,
    name: `Chain ${id}`,
    station: {
      address: station,
      eid: 100 + id,
      quoteSigners: [signer.address],
      maxMessageFee: '1000',
    },
    smartDepositFactories: [{ factory, implementation }],
  })),
  tokens: [1, 2].flatMap((chainId) => [
    { chainId, address: usdc, symbol: 'USDC', decimals: 6 },
    { chainId, address: usdg, symbol: 'USDG', decimals: 18 },
  ]),
  vaults: [
    {
      chainId: 1,
      address: vault,
      name: 'Vault',
      decimals: 6,
      teller,
      accountant: at('f5'),
      depositor,
      depositorGeneration: 'D',
      queue,
      queues: [queue, formerQueue],
      assets: [usdc],
    },
  ],
}

const permit = {
  deadline: BigInt(NOW + 600),
  v: 27,
  r: `0x${'31'.repeat(32)}`,
  s: `0x${'32'.repeat(32)}`,
} as const
const signedPermit = {
  permitSignature: `0x${'31'.repeat(32)}${'32'.repeat(32)}1b` as Hex,
  permitDeadline: permit.deadline,
}
const shown = ({ to, value, data }: PreparedCall, chainId = 1): CallToCheck => ({
  chainId,
  to,
  value,
  data,
})

const transit: Intent = {
  kind: 'transit',
  account: user,
  sourceChainId: 1,
  offerAsset: usdc,
  offerAmount: 1_000_000n,
  destinationChainId: 2,
  wantAsset: usdg,
  receiver,
  minimumAmountOut: 999_000n * 10n ** 12n,
  distributorCode: `0x${'cc'.repeat(32)}`,
}
const quoted: TransitQuote = {
  route: { destEID: 102, offerAsset: usdc, wantAsset: usdg },
  offerAmount: 1_000_000n,
  receiver,
  protocolFee: 1_000n,
  integratorFee: 0n,
  integratorFeeReceiver: zeroAddress,
  distributorCode: `0x${'cc'.repeat(32)}`,
  deadline: BigInt(NOW + 600),
  salt: `0x${'dd'.repeat(32)}`,
}
const source = { chainId: 1, station } as Parameters<typeof quoteOrderId>[1]

type OrderChange = Partial<TransitQuote> & {
  by?: typeof signer
  value?: bigint
  withPermit?: boolean
}

/** An order whose station has signed all of it. */
async function order({ by = signer, value = 500n, withPermit, ...change }: OrderChange = {}) {
  const quote = { ...quoted, ...change }
  const signature = await by.signTypedData(quoteTypedData(quote, source))
  const call = prepareOrder({ source, quote, signature, permit: withPermit ? permit : null, value })
  return { call: shown(call), options: { orderId: quoteOrderId(quote, source) } }
}

const deposit: Intent = {
  kind: 'deposit',
  account: user,
  chainId: 1,
  vaultAddress: vault,
  depositAsset: usdc,
  depositAmount: 1_000_000n,
  to: receiver,
  minimumShares: 990_000n,
}
const deposited = {
  depositor,
  asset: usdc,
  amount: 1_000_000n,
  minimumMint: 995_000n,
  to: receiver,
  distributorCode: '0x',
  attestation: null,
  permit: null,
} as const
const depositOf = (change: object = {}) => shown(prepareDeposit({ ...deposited, ...change }))
const attestation = { uuid: '', expiration: 0n, attester: zeroAddress, signature: '0x' } as const

const withdraw: Intent = {
  kind: 'withdraw',
  account: user,
  chainId: 1,
  vaultAddress: vault,
  wantAsset: usdc,
  shareAmount: 500_000n,
  receiver,
  refundReceiver: user,
  minimumAssets: 490_000n,
}
const requested = {
  amountOffer: 500_000n,
  wantAsset: usdc,
  intendedDepositor: user,
  receiver,
  refundReceiver: user,
}
const requestOf = (change: object = {}) =>
  shown(prepareRequest(queue, { ...requested, ...change }, 'submitOrder'))
const unsigned = {
  approvalMethod: 0,
  approvalV: 0,
  approvalR: `0x${'00'.repeat(32)}`,
  approvalS: `0x${'00'.repeat(32)}`,
  submitWithSignature: false,
  deadline: 0n,
  eip2612Signature: '0x',
}
const requestBy = (signatureParams: object): CallToCheck => ({
  ...requestOf(),
  data: encodePrepared('queue.submitOrder', [
    { ...requested, signatureParams: { ...unsigned, ...signatureParams } },
  ]),
})
const paid = { wantAsset: usdc, shareAmount: 500_000n, minimumAssets: 495_000n, receiver }
const atOnce = (change: object = {}) => shown(prepareAtomic(teller, { ...paid, ...change }))

const cancel: Intent = {
  kind: 'cancel',
  account: user,
  chainId: 1,
  vaultAddress: vault,
  orderIndex: 7n,
}
const cancelById: Intent = {
  kind: 'cancel',
  account: user,
  chainId: 1,
  vaultAddress: vault,
  requestId: `1:${formerQueue}:7`,
}

const approve = (spender: Address, amount: bigint): CallToCheck => ({
  chainId: 1,
  to: usdc,
  value: 0n,
  data: encodePrepared('token.approve', [spender, amount]),
})

const key = { userDestinationAddress: user, vaultAddress: vault, inputToken: usdc, chainId: 1 }
const addressOf = (more: { customerId: string | null; organizationId: string | null }) =>
  smartDepositAddress({ address: factory, implementation }, { ...key, ...more })
const depositFrom: Intent = {
  kind: 'depositFrom',
  account: user,
  from: { chainId: 2, asset: usdg },
  offerAmount: 10n ** 18n,
  chainId: 1,
  vaultAddress: vault,
  depositAsset: usdc,
  to: user,
  minimumAmountOut: 999_000n,
}
async function journey(to: Address, wantAsset = usdc) {
  const there = { chainId: 2, station } as typeof source
  const route = { destEID: 101, offerAsset: usdg, wantAsset }
  const quote = { ...quoted, route, offerAmount: 10n ** 18n, protocolFee: 10n ** 15n, receiver: to }
  const signature = await signer.signTypedData(quoteTypedData(quote, there))
  return {
    call: shown(prepareOrder({ source: there, quote, signature, permit: null, value: 1n }), 2),
  }
}

const addressIntent: DepositAddressIntent = { kind: 'depositAddress', ...key }

const permitted: PermitToCheck = {
  domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: usdc },
  types: {
    Permit: [
      'owner address',
      'spender address',
      'value uint256',
      'nonce uint256',
      'deadline uint256',
    ].map((field) => {
      const [name = '', type = ''] = field.split(' ')
      return { name, type }
    }),
  },
  value: { owner: user, spender: station, value: 1_000_000n, nonce: 3n, deadline: permit.deadline },
  deadline: permit.deadline,
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

export async function offlineCases(): Promise<OfflineCase[]> {
  const good = await order()
  const byPermit = await order({ withPermit: true })
  const withPermit = { ...byPermit.options, permit: signedPermit }
  const ours = addressOf({ customerId: null, organizationId: null })
  const customer = { customerId: 'c', organizationId: 'o' }
  const depositCall = depositOf()
  const of =
    (intent: Intent) =>
    (
      name: string,
      reason: ShieldReason | null,
      given: CallToCheck | { call: CallToCheck; options?: CheckOptions },
    ): OfflineCase => ({ name, reason, intent, ...('call' in given ? given : { call: given }) })
  const [t, d, w, c, j] = [transit, deposit, withdraw, cancel, depositFrom].map(of) as [
    ReturnType<typeof of>,
    ReturnType<typeof of>,
    ReturnType<typeof of>,
    ReturnType<typeof of>,
    ReturnType<typeof of>,
  ]
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
    d('a deposit with dirty padding', 'MALFORMED_CALL', {
      ...depositCall,
      data: withDirtyPadding(depositCall.data as Hex, 0),
    }),
    of({ ...deposit, minimumShares: undefined } as Intent)(
      'a deposit without a node',
      'NODE_NEEDED',
      depositCall,
    ),
    of({ ...deposit, depositAsset: usdg } as Intent)(
      'a deposit of an unlisted asset',
      'NOT_IN_BOOK',
      depositOf({ asset: usdg }),
    ),
    of({ ...deposit, vaultAddress: other } as Intent)(
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
    w('a withdrawal at once', null, atOnce()),
    w('one elsewhere', 'WRONG_CONTRACT', { ...atOnce(), to: other }),
    w('one of another asset', 'WRONG_TOKEN', atOnce({ wantAsset: usdg })),
    w('one of more', 'WRONG_AMOUNT', atOnce({ shareAmount: 500_001n })),
    w('one to another', 'WRONG_RECEIVER', atOnce({ receiver: other })),
    w('one for too little', 'MINIMUM_TOO_LOW', atOnce({ minimumAssets: 489_999n })),
    c('a cancellation', null, shown(prepareCancellation(queue, 7n))),
    c('one of another request', 'WRONG_REQUEST', shown(prepareCancellation(queue, 8n))),
    c('one elsewhere', 'WRONG_CONTRACT', shown(prepareCancellation(other, 7n))),
    of(cancelById)('one by id', null, shown(prepareCancellation(formerQueue, 7n))),
    of(cancelById)(
      'one by the id of another queue',
      'WRONG_REQUEST',
      shown(prepareCancellation(queue, 7n)),
    ),
    j('a deposit from elsewhere', null, await journey(ours)),
    j('one to another address', 'WRONG_ADDRESS', await journey(other)),
    of({ ...depositFrom, ...customer })(
      'one of a customer',
      null,
      await journey(addressOf(customer)),
    ),
    of({ ...depositFrom, customerId: 'c' })(
      'one of a customer of nobody',
      'WRONG_ADDRESS',
      await journey(ours),
    ),
    of({ ...depositFrom, depositAsset: other })(
      'one of an unknown token',
      'NOT_IN_BOOK',
      await journey(ours, other),
    ),
    of({ ...depositFrom, from: { chainId: 3, asset: usdg } })(
      'one from an unknown chain',
      'NOT_IN_BOOK',
      await journey(ours),
    ),
    of({ ...depositFrom, vaultAddress: other })(
      'one into an unknown vault',
      'NOT_IN_BOOK',
      await journey(ours),
    ),
    ...permitCases(),
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
