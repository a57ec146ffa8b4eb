import {
  type Address,
  erc20Abi,
  getAddress,
  type Hex,
  isAddressEqual,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { owedByStation } from './owedByStation.ts'

/** Written down from the contract's description, not from our ABIs. */
const station = parseAbi([
  'event OrderSubmitted(bytes32 indexed uuid, uint32 sourceEID, ((uint32 destEID, address offerAsset, address wantAsset) route, uint256 offerAmount, address receiver, uint256 protocolFee, uint256 integratorFee, address integratorFeeReceiver, bytes32 distributorCode, uint256 deadline, bytes32 salt) quote, address indexed user, bytes32 indexed distributorCode)',
  'event OrderExecuted(bytes32 indexed uuid, uint256 amount, uint256 remaining)',
])

export type JourneyPlaces = {
  orderId: Hex
  from: number
  to: number
  /** The account of the vault's user, which gets refunds. */
  user: Address
  vault: Address
  /** Used by this journey alone. */
  smartDepositAddress: Address
}

/** Base units: the first two of the offered asset, the others of the asset that the vault gets. */
export type JourneySum = {
  paid: bigint
  transitFees: bigint
  /** What the order owes for the rest of the offer. */
  due: bigint
  /** The part of it that no execution paid. */
  unpaid: bigint
  inVault: bigint
  vaultFees: bigint
  refunded: bigint
  recovered: bigint
  /** What is at the smart deposit address. */
  retained: bigint
}

/**
 * Where the money of a journey is, by the logs and balances of the nodes alone. Throws where it does not add up: what left the
 * payer is the fees and what is unpaid, in the vault, returned, recovered or retained. All is zero without an order.
 */
export async function journeySum(world: World, places: JourneyPlaces): Promise<JourneySum> {
  const { from, to, orderId, smartDepositAddress } = places
  const submission = await submissionOf(world, from, orderId)
  if (!submission) return { ...NOTHING }
  const { offerAsset, wantAsset, payer, transitFees, receipt } = submission
  const paid = -changeOf(changes([receipt], offerAsset), payer)
  const [offerDecimals, wantDecimals] = await Promise.all([
    decimalsOf(world, from, offerAsset),
    decimalsOf(world, to, wantAsset),
  ])
  const due = owedByStation(paid - transitFees, offerDecimals, wantDecimals)

  const client = worldClient(world, to)
  const executions = await client.getContractEvents({
    address: DEPLOYMENT.station,
    abi: station,
    eventName: 'OrderExecuted',
    args: { uuid: orderId },
    fromBlock: 0n,
    strict: true,
  })
  const executed = executions.reduce((sum, { args }) => sum + args.amount, 0n)
  const moved = await movesOf(world, to, { token: wantAsset, account: smartDepositAddress })
  const retained = await client.readContract({
    address: wantAsset,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [smartDepositAddress],
  })
  const settled = changes(moved.out, wantAsset)
  const inVault = changeOf(settled, places.vault)
  const refunded = changeOf(settled, places.user)
  const recovered = changeOf(settled, DEVNET_ACTORS.recoveryWallet.address)
  const gone = -changeOf(settled, smartDepositAddress)
  const sum = {
    paid,
    transitFees,
    due,
    unpaid: due - executed,
    inVault,
    vaultFees: gone - inVault - refunded - recovered,
    refunded,
    recovered,
    retained,
  }
  if (moved.arrived !== executed || gone + retained !== executed)
    throw new Error(`${orderId} does not add up: ${text(sum)}, executed ${executed}`)
  if (Object.values(sum).some((amount) => amount < 0n))
    throw new Error(`${orderId} has an amount below 0: ${text(sum)}`)
  return sum
}

const NOTHING: JourneySum = {
  paid: 0n,
  transitFees: 0n,
  due: 0n,
  unpaid: 0n,
  inVault: 0n,
  vaultFees: 0n,
  refunded: 0n,
  recovered: 0n,
  retained: 0n,
}

async function submissionOf(world: World, chainId: number, uuid: Hex) {
  const client = worldClient(world, chainId)
  const [log] = await client.getContractEvents({
    address: DEPLOYMENT.station,
    abi: station,
    eventName: 'OrderSubmitted',
    args: { uuid },
    fromBlock: 0n,
    strict: true,
  })
  if (!log) return null
  const receipt = await client.getTransactionReceipt({ hash: log.transactionHash })
  const { route, protocolFee, integratorFee } = log.args.quote
  const { offerAsset, wantAsset } = route
  const transitFees = protocolFee + integratorFee
  return { offerAsset, wantAsset, payer: log.args.user, transitFees, receipt }
}

/** What arrived at an account, and the transactions that took something away from it. */
async function movesOf(
  world: World,
  chainId: number,
  { token, account }: { token: Address; account: Address },
) {
  const client = worldClient(world, chainId)
  const transfers = { address: token, abi: erc20Abi, eventName: 'Transfer', fromBlock: 0n } as const
  const [into, outOf] = await Promise.all([
    client.getContractEvents({ ...transfers, args: { to: account }, strict: true }),
    client.getContractEvents({ ...transfers, args: { from: account }, strict: true }),
  ])
  const hashes = [...new Set(outOf.map(({ transactionHash }) => transactionHash))]
  return {
    arrived: into.reduce((sum, { args }) => sum + args.value, 0n),
    out: await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash }))),
  }
}

/** By how much these transactions changed the balance of each account in the token. */
function changes(receipts: TransactionReceipt[], token: Address): Map<Address, bigint> {
  const found = new Map<Address, bigint>()
  const add = (account: Address, amount: bigint) =>
    found.set(getAddress(account), (found.get(getAddress(account)) ?? 0n) + amount)
  const logs = receipts.flatMap((receipt) => receipt.logs)
  for (const { args, address } of parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })) {
    if (!isAddressEqual(address, token)) continue
    add(args.from, -args.value)
    add(args.to, args.value)
  }
  return found
}

const changeOf = (found: Map<Address, bigint>, account: Address) =>
  found.get(getAddress(account)) ?? 0n

async function decimalsOf(world: World, chainId: number, address: Address): Promise<bigint> {
  const read = { address, abi: erc20Abi, functionName: 'decimals' } as const
  return BigInt(await worldClient(world, chainId).readContract(read))
}

function text(sum: JourneySum): string {
  return JSON.stringify(sum, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}
