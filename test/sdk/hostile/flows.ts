import { type Address, erc20Abi, type LocalAccount, parseUnits } from 'viem'
import { DEVNET_SOLVER, userAt } from '../../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../../devnet/deployment.ts'
import { vaultDeployment } from '../../../devnet/vaults/deployment.ts'
import type { World } from '../../../devnet/world.ts'
import type { CausewayClient } from '../../../sdk/src/createCausewayClient.ts'
import { sdkWallets } from '../../support/sdkWallets.ts'

export type FlowName =
  | 'transit'
  | 'transit by approval'
  | 'transit by what is wanted'
  | 'deposit'
  | 'deposit by approval'
  | 'withdraw'
  | 'withdraw at once'
  | 'cancel'
  | 'deposit from'
  | 'deposit from for shares'
  | 'register'

const { vault } = vaultDeployment('Harbor Dollar', 1)
const { USDC, USDT, USDG, USDP } = DEPLOYMENT.tokens
const place = { chainId: 1, vaultAddress: vault } as const
const quoted = {
  sourceChainId: 1,
  wantAsset: USDG,
  destinationChainId: 4663,
} as const

/** The users of the flows. Each has its own, so that an allowance of one is not there for another. */
const USERS: Record<FlowName, LocalAccount> = {
  transit: userAt(0),
  'transit by approval': userAt(1),
  'transit by what is wanted': userAt(8),
  deposit: userAt(2),
  'deposit by approval': userAt(3),
  withdraw: userAt(4),
  'withdraw at once': DEVNET_SOLVER,
  cancel: userAt(4),
  'deposit from': userAt(5),
  'deposit from for shares': userAt(5),
  register: userAt(6),
}

/** What the wallet was asked to sign. A transaction is never signed here. */
export type Asked = { permits: Record<string, unknown>[]; transactions: number }

const REFUSED = new Error('The wallet was asked to sign the transaction')

/** The clients of a flow's user, whose wallet notes what it is asked and signs no transaction unless told to. */
export function watchedWallets(world: World, flow: FlowName, asked: Asked, signs = false) {
  const user = USERS[flow]
  const account: LocalAccount = {
    ...user,
    signTypedData: (data) => {
      asked.permits.push(data.message as Record<string, unknown>)
      return user.signTypedData(data)
    },
    signTransaction: (...given) => {
      asked.transactions += 1
      if (!signs) throw REFUSED
      return user.signTransaction(...given)
    },
  }
  return sdkWallets(world, account, flow.startsWith('deposit from') ? 4663 : 1)
}

export type Wallets = ReturnType<typeof watchedWallets>
type Given = { causeway: CausewayClient; wallets: Wallets; requestId: string }

/** Every flow of the client, in the words of its user. */
export const FLOWS: Record<FlowName, (given: Given) => Promise<unknown>> = {
  async transit({ causeway, wallets }) {
    const { userAddress } = userOf('transit')
    const words = { ...quoted, userAddress, offerAsset: USDC, offerAmount: parseUnits('2500', 6) }
    const quote = await causeway.transit.indicativeQuote(words)
    return causeway.transit.send({ ...wallets, quote })
  },
  async 'transit by approval'({ causeway, wallets }) {
    const { userAddress } = userOf('transit by approval')
    const words = { ...quoted, userAddress, offerAsset: USDP, offerAmount: parseUnits('2500', 18) }
    const quote = await causeway.transit.indicativeQuote(words)
    return causeway.transit.send({ ...wallets, quote })
  },
  async 'transit by what is wanted'({ causeway, wallets }) {
    const { userAddress } = userOf('transit by what is wanted')
    const words = { ...quoted, userAddress, offerAsset: USDC, wantAmount: parseUnits('2500', 6) }
    const quote = await causeway.transit.indicativeQuote(words)
    return causeway.transit.send({ ...wallets, quote, maxOfferAmount: parseUnits('2550', 6) })
  },
  deposit: ({ causeway, wallets }) =>
    causeway.earn.deposit({
      ...wallets,
      ...place,
      depositAsset: USDC,
      depositAmount: parseUnits('500', 6),
    }),
  'deposit by approval': ({ causeway, wallets }) =>
    causeway.earn.deposit({
      ...wallets,
      ...place,
      depositAsset: USDT,
      depositAmount: parseUnits('500', 6),
    }),
  withdraw: ({ causeway, wallets }) =>
    causeway.earn.withdraw({
      ...wallets,
      ...place,
      wantAsset: USDC,
      shareAmount: parseUnits('20', 6),
    }),
  'withdraw at once': ({ causeway, wallets }) =>
    causeway.earn.withdraw({
      ...wallets,
      ...place,
      wantAsset: USDC,
      shareAmount: parseUnits('20', 6),
    }),
  cancel: ({ causeway, wallets, requestId }) =>
    causeway.earn.cancel({ ...wallets, ...place, requestId }),
  'deposit from': ({ causeway, wallets }) =>
    causeway.earn.depositFrom({
      ...wallets,
      ...place,
      from: { chainId: 4663, asset: USDG },
      depositAsset: USDC,
      depositAmount: parseUnits('300', 6),
      minimumAmountOut: parseUnits('290', 6),
      customerId: 'hostile_test',
    }),
  'deposit from for shares': ({ causeway, wallets }) =>
    causeway.earn.depositFrom({
      ...wallets,
      ...place,
      from: { chainId: 4663, asset: USDG },
      depositAsset: USDC,
      wantShares: parseUnits('100', 6),
      maxDepositAmount: parseUnits('120', 6),
      minimumAmountOut: parseUnits('99', 6),
    }),
  register: ({ causeway }) =>
    causeway.smartDeposits.register({
      ...place,
      userDestinationAddress: userOf('register').userAddress,
      inputToken: USDC,
      customerId: 'hostile_test',
    }),
}

export function userOf(flow: FlowName): { userAddress: Address } {
  return { userAddress: USERS[flow].address }
}

export function accountOf(flow: FlowName): LocalAccount {
  return USERS[flow]
}

/** What each permit of a flow may let whom take: the oracle, which knows nothing of the shield. */
export function isAgreedPermit(flow: FlowName, permit: Record<string, unknown>): boolean {
  const { current } = vaultDeployment('Harbor Dollar', 1)
  const spenders: Partial<Record<FlowName, [Address, bigint]>> = {
    transit: [DEPLOYMENT.station, parseUnits('2500', 6)],
    'transit by what is wanted': [DEPLOYMENT.station, parseUnits('2550', 6)],
    deposit: [current.depositor, parseUnits('500', 6)],
    withdraw: [current.queue, parseUnits('20', 6)],
    'deposit from': [DEPLOYMENT.station, parseUnits('300', 6)],
    'deposit from for shares': [DEPLOYMENT.station, parseUnits('120', 6)],
  }
  const [spender = '0x', most = 0n] = spenders[flow] ?? []
  const latest = BigInt(Math.floor(Date.now() / 1_000)) + 8_000n
  return (
    String(permit.spender).toLowerCase() === spender.toLowerCase() &&
    (permit.value as bigint) <= most &&
    (permit.deadline as bigint) <= latest &&
    String(permit.owner) === userOf(flow).userAddress
  )
}

/** Gives an account of the world tokens of another one. */
export async function give(
  world: World,
  { token, to, amount }: { token: Address; to: Address; amount: bigint },
) {
  const { walletClient, publicClient } = sdkWallets(world, userAt(9))
  const hash = await walletClient.writeContract({
    chain: null,
    address: token,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to, amount],
  })
  await publicClient.waitForTransactionReceipt({ hash })
}
