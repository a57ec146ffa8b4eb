import { type Address, encodeFunctionData, type Hex } from 'viem'
import { smartDepositFactoryAbi as abi } from '../../abis/smartDeposit.ts'
import type { Attestation } from '../earn/deposits/prepareDeposit.ts'
import type { KeeperDeposit } from './keeperDeposit.ts'
import { customerHash } from './smartDepositAddress.ts'

/** Whose address it is that something came to. */
export type Recipient = Pick<
  KeeperDeposit,
  'factory' | 'userDestinationAddress' | 'vaultAddress' | 'inputToken' | 'customerId'
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

/** The factory's call that puts a receipt into the vault, the shares to its destination. */
export function forwardCall(recipient: Recipient, receipt: Hex, terms: ForwardTerms): FactoryCall {
  const args = [keyOf(recipient), receipt, terms] as const
  return {
    to: recipient.factory,
    data: encodeFunctionData({ abi, functionName: 'forward', args }),
  }
}

export type Returned = {
  receipt: Hex
  token: Address
  /** Base units of that token. */
  amount: bigint
}

/** The factory's call that sends a receipt back to its destination, or to the recovery wallet. */
export function returnCall(
  functionName: 'refund' | 'recover',
  recipient: Recipient,
  { receipt, token, amount }: Returned,
): FactoryCall {
  const args = [keyOf(recipient), receipt, token, amount] as const
  return { to: recipient.factory, data: encodeFunctionData({ abi, functionName, args }) }
}

function keyOf({ userDestinationAddress, vaultAddress, inputToken, customerId }: Recipient) {
  return {
    destination: userDestinationAddress,
    vault: vaultAddress,
    inputToken,
    customer: customerHash(customerId),
  }
}
