import { findChain } from '../chain/findChain.ts'
import {
  type DepositConditions,
  readDepositConditions,
} from '../earn/deposits/depositConditions.ts'
import type { EarnServices } from '../earn/earnContext.ts'
import type { EarnDeployment } from '../earn/vaults/deployments.ts'
import type { KeeperDeposit } from './keeperDeposit.ts'
import { screenDestination } from './screenDestination.ts'

/** A payment to a smart deposit address, made or expected. */
export type Payment = Pick<
  KeeperDeposit,
  'chainId' | 'address' | 'inputToken' | 'receivedAmount' | 'userDestinationAddress'
>

type Reading = Pick<EarnServices, 'addressBook' | 'chains' | 'knownAddresses'>

/** Everything that decides about the deposit of a payment by its address. Throws `RPC_UNAVAILABLE`. */
export function readPaymentConditions(
  { addressBook, chains, knownAddresses: known }: Reading,
  deployment: EarnDeployment,
  {
    chainId,
    address: sender,
    inputToken: asset,
    receivedAmount: amount,
    userDestinationAddress: to,
  }: Payment,
): Promise<DepositConditions> {
  const chain = findChain(addressBook, chainId)
  const question = { asset, amount, sender, to, withPermit: false }
  return chains.read(chainId, (client) =>
    readDepositConditions(client, { chain, deployment, known }, question),
  )
}

/** Screens the destination of a payment by `screenDestination`. Throws `RPC_UNAVAILABLE`. */
export function screenPayment(
  { addressBook, chains }: Pick<Reading, 'addressBook' | 'chains'>,
  {
    chainId,
    inputToken: token,
    userDestinationAddress: destination,
  }: Omit<Payment, 'receivedAmount'>,
): ReturnType<typeof screenDestination> {
  const { sanctionsOracle = null } = findChain(addressBook, chainId)
  return chains.read(chainId, (client) =>
    screenDestination(client, { destination, token, sanctionsOracle }),
  )
}
