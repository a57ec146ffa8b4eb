import type { Address, Hex } from 'viem'
import { checksummed } from '../token/checksummed.ts'
import type { NewEvent } from '../webhook/recordEvents.ts'
import type { KeeperDeposit } from './keeperDeposit.ts'
import { depositIdOf } from './paymentId.ts'
import { RESOURCE } from './selectSmartDeposits.ts'

/** Names in a deposit's events that the deposit does not contain. */
export type DepositNames = {
  chainName: string
  tokenSymbol: string
  tokenDecimals: number
  /** The Transit order that made the payment; null for any other payment, and while the index lacks its execution. */
  transitOrderId: Hex | null
}

type Kind = 'pending' | 'confirmed' | 'finalized' | 'failed'

/** The resource of a deposit's events. */
export function depositResource(depositId: Hex): string {
  return RESOURCE + depositId
}

/**
 * All events of a deposit up to its current state, for each of the organizations: one that registered the
 * address later gets them from the beginning. Known events are not recorded again.
 */
export function depositEvents(
  deposit: KeeperDeposit,
  names: DepositNames,
  organizationIds: readonly string[],
): NewEvent[] {
  return organizationIds.flatMap((organizationId) =>
    kindsOf(deposit).map((kind) => ({
      organizationId,
      resource: depositResource(deposit.depositId),
      type: `smart_deposit.deposit.${kind}` as const,
      name: nameOf(kind, deposit),
      fields: {
        ...commonFields(deposit, names, organizationId),
        ...fieldsOf(kind, deposit),
      },
    })),
  )
}

export type EmittedEvent = { id: string; organizationId: string }

/** A `reverted` event for each event of a deposit that is no longer true. */
export function revertedEvents(
  deposit: KeeperDeposit,
  names: DepositNames,
  emitted: readonly EmittedEvent[],
): NewEvent[] {
  return emitted.map(({ id, organizationId }) => ({
    organizationId,
    resource: depositResource(deposit.depositId),
    type: 'smart_deposit.deposit.reverted',
    name: `reverted:${id}`,
    fields: { ...commonFields(deposit, names, organizationId), reverted_event_id: id },
  }))
}

function kindsOf({ status }: KeeperDeposit): Kind[] {
  switch (status) {
    case 'pending':
      return ['pending']
    case 'confirmed':
      return ['pending', 'confirmed']
    case 'finalized':
      return ['pending', 'confirmed', 'finalized']
    case 'failed':
      return ['pending', 'failed']
    case 'retrying':
    case 'reverted':
      return []
  }
}

/** The same fact after a reorganization is another event. */
function nameOf(kind: Kind, { paymentReverts, settleReverts }: KeeperDeposit): string {
  return kind === 'pending'
    ? `pending:${paymentReverts}`
    : `${kind}:${paymentReverts}:${settleReverts}`
}

function commonFields(deposit: KeeperDeposit, names: DepositNames, organizationId: string) {
  const address = (account: Address | null) => account && checksummed(account)
  return {
    deposit_id: deposit.depositId,
    ...(deposit.attempt === 1
      ? {}
      : { retry_of: depositIdOf(deposit.paymentId, deposit.attempt - 1) }),
    ...(names.transitOrderId === null ? {} : { transit_order_id: names.transitOrderId }),
    ...(deposit.customerId === null ? {} : { customer_id: deposit.customerId }),
    chain_id: String(deposit.chainId),
    chain_name: names.chainName,
    organization_id: organizationId,
    smart_deposit_address: address(deposit.address),
    user_destination_address: address(deposit.userDestinationAddress),
    distributor_code_depositor_address: address(deposit.depositorAddress),
    vault_address: address(deposit.vaultAddress),
    input_token_symbol: names.tokenSymbol,
    input_token_address: address(deposit.inputToken),
    input_token_decimals: names.tokenDecimals,
    received_amount: String(deposit.receivedAmount),
    receipt_tx_hash: deposit.paymentTxHash,
    receipt_tx_block_hash: deposit.paymentBlock.hash,
  }
}

function fieldsOf(kind: Kind, deposit: KeeperDeposit): Record<string, unknown> {
  const { settleTxHash, settleBlock, mintedAmount, remediation, error, payerRefusal } = deposit
  if (kind === 'pending') return {}
  if (kind !== 'failed')
    return {
      minted_amount: String(mintedAmount),
      forward_tx_hash: settleTxHash,
      forward_tx_block_hash: settleBlock?.hash,
    }
  return {
    remediation,
    error,
    ...(remediation === 'refunded' ? { forward_tx_hash: settleTxHash } : {}),
    ...(remediation === 'recovered' ? { recovery_tx_hash: settleTxHash } : {}),
    ...(remediation === 'recovered' && payerRefusal !== null ? { reason: payerRefusal } : {}),
  }
}
