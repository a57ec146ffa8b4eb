import { type Address, encodeFunctionData, type Hex } from 'viem'
import { smartDepositFactoryAbi as abi } from '../../abis/smartDeposit.ts'
import type { Attestation } from '../earn/deposits/prepareDeposit.ts'
import type { KeeperDeposit } from './keeperDeposit.ts'
import { customerHash } from './smartDepositAddress.ts'

/** The inputs of the smart deposit address that was paid, and its factory. */
export type Recipient = Pick<
  KeeperDeposit,
  | 'factory'
  | 'userDestinationAddress'
  | 'vaultAddress'
  | 'inputToken'
  | 'customerId'
  | 'organizationId'
>

export type FactoryCall = { to: Address; data: Hex }

export type ForwardTerms = {
  /** Base units of the input token. */
  amount: bigint
  /** Shares. */
  minimumMint: bigint
  distributorCode: Hex
  attestation: Attestation
}

/** The factory's call that deposits a payment into the vault; its destination gets the shares. */
export function forwardCall(recipient: Recipient, payment: Hex, terms: ForwardTerms): FactoryCall {
  const args = [keyOf(recipient), payment, terms] as const
  return {
    to: recipient.factory,
    data: encodeFunctionData({ abi, functionName: 'forward', args }),
  }
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
  const args = [keyOf(recipient), payment, token, amount] as const
  return { to: recipient.factory, data: encodeFunctionData({ abi, functionName, args }) }
}

function keyOf(recipient: Recipient) {
  const { userDestinationAddress, vaultAddress, inputToken } = recipient
  return {
    destination: userDestinationAddress,
    vault: vaultAddress,
    inputToken,
    customer: customerHash(recipient),
  }
}
