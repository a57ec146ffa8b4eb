import {
  type Address,
  type ContractFunctionArgs,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  parseAbiParameters,
} from 'viem'
import {
  smartDepositFactoryAbi as abi,
  smartDepositFactoryBAbi as abiB,
} from '../../abis/smartDeposit.ts'
import { transitStationAbi } from '../../abis/transitStation.ts'
import type { Attestation } from '../earn/deposits/prepareDeposit.ts'
import type { KeeperDeposit } from './keeperDeposit.ts'
import { customerHash } from './smartDepositAddress.ts'

/** The inputs of the smart deposit address that was paid, and its factory. */
export type Recipient = Pick<
  KeeperDeposit,
  | 'factory'
  | 'generation'
  | 'userDestinationAddress'
  | 'vaultAddress'
  | 'inputToken'
  | 'addressChainId'
  | 'customerId'
  | 'organizationId'
>

export type FactoryCall = {
  to: Address
  data: Hex
  /** wei that it takes with it; none without. */
  value?: bigint
}

export type ForwardTerms = {
  /** Base units of the input token. */
  amount: bigint
  /** Shares. */
  minimumMint: bigint
  distributorCode: Hex
  attestation: Attestation
}

/** The kinds of a settlement; the same as `SettlementKind` in contracts/SmartDepositFactoryB.sol. */
const SETTLEMENT_KINDS = { forward: 0, convert: 1, refund: 2, recover: 3 } as const

/** The argument of `settle`, and of a part of `settleMany`, in a factory of generation B. */
type Settlement = {
  inputs: AccountInputs
  payment: Hex
  kind: number
  terms: Hex
}

const FORWARD_TERMS = parseAbiParameters([
  'struct Attestation { string uuid; uint256 expiration; address attester; bytes signature; }',
  'struct DepositTerms { uint256 amount; uint256 minimumMint; bytes distributorCode; Attestation attestation; }',
  'DepositTerms wanted',
])
const CONVERT_TERMS = getAbiItem({ abi: transitStationAbi, name: 'submitOrder' }).inputs
const RETURN_TERMS = parseAbiParameters('address token, uint256 amount')

/** The factory's call that deposits a payment into the vault; its destination gets the shares. */
export function forwardCall(recipient: Recipient, payment: Hex, terms: ForwardTerms): FactoryCall {
  if (recipient.generation === 'B')
    return settleCall(recipient, {
      payment,
      kind: SETTLEMENT_KINDS.forward,
      terms: encodeAbiParameters(FORWARD_TERMS, [terms]),
    })
  const args = [keyOf(recipient), payment, terms] as const
  return {
    to: recipient.factory,
    data: encodeFunctionData({ abi, functionName: 'forward', args }),
  }
}

type Submission = ContractFunctionArgs<typeof transitStationAbi, 'payable', 'submitOrder'>

/** A signed quote, and the coins for its message. */
export type Conversion = { quote: Submission[0]; signature: Hex; value: bigint }

/** The call that submits a payment as a Transit order to the address itself, in a factory of generation B. */
export function convertCall(
  recipient: Recipient,
  payment: Hex,
  { quote, signature, value }: Conversion,
): FactoryCall {
  const terms = encodeAbiParameters(CONVERT_TERMS, [quote, signature])
  return { ...settleCall(recipient, { payment, kind: SETTLEMENT_KINDS.convert, terms }), value }
}

export type Returned = {
  payment: Hex
  token: Address
  /** Base units of that token. */
  amount: bigint
}

/** The factory's call that sends a payment back to its destination, or to the recovery wallet. */
export function returnCall(
  functionName: 'refund' | 'recover',
  recipient: Recipient,
  { payment, token, amount }: Returned,
): FactoryCall {
  if (recipient.generation === 'B')
    return settleCall(recipient, {
      payment,
      kind: SETTLEMENT_KINDS[functionName],
      terms: encodeAbiParameters(RETURN_TERMS, [token, amount]),
    })
  const args = [keyOf(recipient), payment, token, amount] as const
  return { to: recipient.factory, data: encodeFunctionData({ abi, functionName, args }) }
}

function settleCall(recipient: Recipient, settlement: Omit<Settlement, 'inputs'>): FactoryCall {
  const args = [{ inputs: inputsOf(recipient), ...settlement }] as const
  return {
    to: recipient.factory,
    data: encodeFunctionData({ abi: abiB, functionName: 'settle', args }),
  }
}

/** One of several settlements in one transaction, with the gas that it may use. */
export type BatchPart = { call: FactoryCall; gas: bigint }

const SETTLE = [getAbiItem({ abi: abiB, name: 'settle' })] as const

/** One call of a factory of generation B that makes several of its calls, each by itself: one that reverts stops no other. */
export function batchCall(factory: Address, parts: readonly BatchPart[]): FactoryCall {
  const args = parts.map(({ call, gas: gasLimit }) => {
    const { args } = decodeFunctionData({ abi: SETTLE, data: call.data })
    return { settlement: args[0], value: 0n, gasLimit }
  })
  const data = encodeFunctionData({ abi: abiB, functionName: 'settleMany', args: [args] })
  return { to: factory, data }
}

type AccountInputs = ReturnType<typeof inputsOf>

/** The inputs of an address, as a factory of generation B takes them. */
export function inputsOf(recipient: Omit<Recipient, 'factory' | 'generation'>) {
  const { destination, vault, inputToken, customer } = keyOf(recipient)
  return { destination, vault, inputToken, chainId: BigInt(recipient.addressChainId), customer }
}

function keyOf(recipient: Omit<Recipient, 'factory' | 'generation' | 'addressChainId'>) {
  const { userDestinationAddress, vaultAddress, inputToken } = recipient
  return {
    destination: userDestinationAddress,
    vault: vaultAddress,
    inputToken,
    customer: customerHash(recipient),
  }
}
