import { type Address, type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { encodePrepared } from '../../../abis/encodePrepared.ts'
import type { PreparedCall } from '../../../domain/call/preparedCall.ts'
import { prepareDeposit } from '../../../domain/earn/deposits/prepareDeposit.ts'
import {
  prepareAtomic,
  prepareRequest,
} from '../../../domain/earn/withdrawals/prepareWithdrawal.ts'
import { prepareTaking, prepareTakingRequest } from '../../../domain/smartDeposit/prepareTaking.ts'
import { inputsOf } from '../../../domain/smartDeposit/settlementCall.ts'
import { smartDepositAddress } from '../../../domain/smartDeposit/smartDepositAddress.ts'
import { prepareOrder } from '../../../domain/transit/quotes/prepareOrder.ts'
import {
  quoteOrderId,
  quoteTypedData,
  type TransitQuote,
} from '../../../domain/transit/terms/quoteTypedData.ts'
import type { OpenBook, ShieldBook } from '../../../sdk/src/shield/book.ts'
import type { checkPermit } from '../../../sdk/src/shield/checkPermit.ts'
import type { CallToCheck, CheckOptions } from '../../../sdk/src/shield/checks.ts'
import type {
  DepositAddressIntent,
  DepositFromIntent,
  Intent,
} from '../../../sdk/src/shield/intent.ts'
import type { ShieldReason } from '../../../sdk/src/shield/shieldError.ts'

export type PermitToCheck = Parameters<typeof checkPermit>[2]

/** Calls made by the server's own code, without nodes, and the only right verdict on each. */
export type OfflineCase = {
  name: string
  intent: Intent | DepositAddressIntent
  /** One of the three is checked. */
  call?: CallToCheck
  permit?: PermitToCheck
  address?: Address
  options?: CheckOptions
  /** Default: `BOOK`. */
  book?: OpenBook
  /** Null where it has to be accepted. */
  reason: ShieldReason | null
}

export const at = (byte: string): Address => `0x${byte.repeat(20)}`
export const [user, receiver, other] = [at('a1'), at('a2'), at('a3')]
export const [station, usdc, usdg, vault] = [at('51'), at('01'), at('02'), at('f0')]
export const [teller, depositor, queue, formerQueue] = [at('f1'), at('f2'), at('f3'), at('f4')]
export const [factory, implementation] = [at('e1'), at('e2')]
export const [factoryB, implementationB] = [at('e3'), at('e4')]
const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
export const thief = privateKeyToAccount(`0x${'12'.repeat(32)}`)
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
    smartDepositFactories: [
      { factory, implementation },
      { factory: factoryB, implementation: implementationB, generation: 'B' as const },
    ],
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

export const permit = {
  deadline: BigInt(NOW + 600),
  v: 27,
  r: `0x${'31'.repeat(32)}`,
  s: `0x${'32'.repeat(32)}`,
} as const
export const signedPermit = {
  permitSignature: `0x${'31'.repeat(32)}${'32'.repeat(32)}1b` as Hex,
  permitDeadline: permit.deadline,
}
export const shown = ({ to, value, data }: PreparedCall, chainId = 1): CallToCheck => ({
  chainId,
  to,
  value,
  data,
})

export const transit: Intent = {
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
export const quoted: TransitQuote = {
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
export async function order({
  by = signer,
  value = 500n,
  withPermit,
  ...change
}: OrderChange = {}) {
  const quote = { ...quoted, ...change }
  const signature = await by.signTypedData(quoteTypedData(quote, source))
  const call = prepareOrder({ source, quote, signature, permit: withPermit ? permit : null, value })
  return { call: shown(call), options: { orderId: quoteOrderId(quote, source) } }
}

export const deposit: Intent = {
  kind: 'deposit',
  account: user,
  chainId: 1,
  vaultAddress: vault,
  depositAsset: usdc,
  depositAmount: 1_000_000n,
  to: receiver,
  minimumShares: 990_000n,
}
export const deposited = {
  depositor,
  asset: usdc,
  amount: 1_000_000n,
  minimumMint: 995_000n,
  to: receiver,
  distributorCode: '0x',
  attestation: null,
  permit: null,
} as const
export const depositOf = (change: object = {}) => shown(prepareDeposit({ ...deposited, ...change }))
export const attestation = {
  uuid: '',
  expiration: 0n,
  attester: zeroAddress,
  signature: '0x',
} as const

export const withdraw: Intent = {
  kind: 'withdraw',
  account: user,
  chainId: 1,
  vaultAddress: vault,
  wantAsset: usdc,
  shareAmount: 500_000n,
  receiver,
  refundReceiver: user,
  minimumAssets: 490_000n,
  mayWait: true,
}
export const requested = {
  amountOffer: 500_000n,
  wantAsset: usdc,
  intendedDepositor: user,
  receiver,
  refundReceiver: user,
}
export const requestOf = (change: object = {}) =>
  shown(prepareRequest(queue, { ...requested, ...change }, 'submitOrder'))
export const unsigned = {
  approvalMethod: 0,
  approvalV: 0,
  approvalR: `0x${'00'.repeat(32)}`,
  approvalS: `0x${'00'.repeat(32)}`,
  submitWithSignature: false,
  deadline: 0n,
  eip2612Signature: '0x',
}
export const requestBy = (signatureParams: object): CallToCheck => ({
  ...requestOf(),
  data: encodePrepared('queue.submitOrder', [
    { ...requested, signatureParams: { ...unsigned, ...signatureParams } },
  ]),
})
export const paid = { wantAsset: usdc, shareAmount: 500_000n, minimumAssets: 495_000n, receiver }
export const atOnce = (change: object = {}) => shown(prepareAtomic(teller, { ...paid, ...change }))

export const cancel: Intent = {
  kind: 'cancel',
  account: user,
  chainId: 1,
  vaultAddress: vault,
  orderIndex: 7n,
}
export const cancelById: Intent = {
  kind: 'cancel',
  account: user,
  chainId: 1,
  vaultAddress: vault,
  requestId: `1:${formerQueue}:7`,
}

export const approve = (spender: Address, amount: bigint): CallToCheck => ({
  chainId: 1,
  to: usdc,
  value: 0n,
  data: encodePrepared('token.approve', [spender, amount]),
})

export const key = {
  userDestinationAddress: user,
  vaultAddress: vault,
  inputToken: usdc,
  chainId: 1,
}
export const addressOf = (more: { customerId: string | null; organizationId: string | null }) =>
  smartDepositAddress({ address: factory, implementation, generation: 'A' }, { ...key, ...more })
/** The same, of the factory whose addresses are the same on every chain. */
export const oneAddressOf = (more: { customerId: string | null; organizationId: string | null }) =>
  smartDepositAddress(
    { address: factoryB, implementation: implementationB, generation: 'B' },
    { ...key, ...more },
  )
export const depositFrom: DepositFromIntent = {
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
export async function journey(to: Address, wantAsset = usdc) {
  const there = { chainId: 2, station } as typeof source
  const route = { destEID: 101, offerAsset: usdg, wantAsset }
  const quote = { ...quoted, route, offerAmount: 10n ** 18n, protocolFee: 10n ** 15n, receiver: to }
  const signature = await signer.signTypedData(quoteTypedData(quote, there))
  return {
    call: shown(prepareOrder({ source: there, quote, signature, permit: null, value: 1n }), 2),
  }
}

export const addressIntent: DepositAddressIntent = { kind: 'depositAddress', ...key }

/** Taking back what lies on chain 2 at the user's address for the vault of chain 1. */
export const takeBack: Intent = {
  kind: 'takeBack',
  account: user,
  chainId: 2,
  token: usdg,
  inputs: { chainId: 1, vaultAddress: vault, inputToken: usdc },
}
const taken = { ...key, customerId: null, organizationId: null }
function inputsWith(change: object) {
  const changed = { ...taken, ...change }
  return inputsOf({ ...changed, addressChainId: changed.chainId })
}
export const requestOfTaking = (change: object = {}) =>
  shown(prepareTakingRequest(factoryB, inputsWith(change)), 2)
export const takingOf = (change: object = {}, token = usdg) =>
  shown(prepareTaking(factoryB, inputsWith(change), token), 2)

export const permitted: PermitToCheck = {
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

type Checked = CallToCheck | { call: CallToCheck; options?: CheckOptions }

/** Makes cases of one intent. */
export function casesOf(intent: Intent) {
  return (name: string, reason: ShieldReason | null, given: Checked): OfflineCase => ({
    name,
    reason,
    intent,
    ...('call' in given ? given : { call: given }),
  })
}
