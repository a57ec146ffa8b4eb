import type { Address, Hex } from 'viem'
import { checksummed } from '../token/checksummed.ts'
import type { NewEvent } from '../webhook/recordEvents.ts'
import { isForeign, type KeeperDeposit } from './keeperDeposit.ts'
import { depositIdOf } from './paymentId.ts'
import { RESOURCE } from './selectSmartDeposits.ts'

/** Names in a deposit's events that the deposit does not contain. */
export type DepositNames = {
  chainName: string
  tokenSymbol: string
  tokenDecimals: number
  /** Of what was paid, if that is not the input token on the vault's chain; null otherwise. */
  origin: OriginNames | null
  /**
   * The Transit order that made the payment, or that sent it on; null for any other payment, and while the index lacks the
   * execution of the one that made it.
   */
  transitOrderId: Hex | null
}

/** Null where the token does not answer. */
export type OriginNames = { symbol: string | null; decimals: number | null }

type Kind = 'pending' | 'converting' | 'confirmed' | 'finalized' | 'failed'

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

function kindsOf({ status, orderId }: KeeperDeposit): Kind[] {
  const before: Kind[] = orderId === null ? ['pending'] : ['pending', 'converting']
  switch (status) {
    case 'pending':
    case 'converting':
      return before
    case 'confirmed':
      return [...before, 'confirmed']
    case 'finalized':
      return [...before, 'confirmed', 'finalized']
    case 'failed':
      return [...before, 'failed']
    case 'retrying':
    case 'reverted':
      return []
  }
}

/** The same fact after a reorganization is another event. */
function nameOf(kind: Kind, deposit: KeeperDeposit): string {
  const { paymentReverts, settleReverts, settleBlock } = deposit
  if (kind === 'pending') return `pending:${paymentReverts}`
  // Later events of its order on the vault's chain do not make it another event.
  if (kind === 'converting') return `converting:${paymentReverts}:${settleBlock?.hash}`
  return `${kind}:${paymentReverts}:${settleReverts}`
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
    chain_id: String(deposit.addressChainId),
    chain_name: names.chainName,
    organization_id: organizationId,
    smart_deposit_address: address(deposit.address),
    user_destination_address: address(deposit.userDestinationAddress),
    distributor_code_depositor_address: address(deposit.depositorAddress),
    vault_address: address(deposit.vaultAddress),
    input_token_symbol: names.tokenSymbol,
    input_token_address: address(deposit.inputToken),
    input_token_decimals: names.tokenDecimals,
    received_amount: String(
      isForeign(deposit) ? (deposit.homeAmount ?? 0n) : deposit.receivedAmount,
    ),
    ...originFields(deposit, names),
    receipt_tx_hash: deposit.paymentTxHash,
    receipt_tx_block_hash: deposit.paymentBlock.hash,
  }
}

function originFields(deposit: KeeperDeposit, { origin }: DepositNames) {
  if (origin === null) return {}
  return {
    origin_chain_id: String(deposit.chainId),
    origin_token_symbol: origin.symbol,
    origin_token_address: checksummed(deposit.token),
    origin_token_decimals: origin.decimals,
    origin_amount: String(deposit.receivedAmount),
  }
}

function fieldsOf(kind: Kind, deposit: KeeperDeposit): Record<string, unknown> {
  const { settleTxHash, settleBlock, mintedAmount, remediation, error, payerRefusal } = deposit
  if (kind === 'pending') return {}
  if (kind === 'converting')
    return { convert_tx_hash: settleTxHash, convert_tx_block_hash: settleBlock?.hash }
  const isHome = deposit.homeTxHash !== null
  const endTxHash = isHome ? deposit.homeTxHash : settleTxHash
  if (kind !== 'failed')
    return {
      minted_amount: String(mintedAmount),
      forward_tx_hash: endTxHash,
      forward_tx_block_hash: isHome ? deposit.homeBlockHash : settleBlock?.hash,
    }
  return {
    remediation,
    error,
    ...(remediation === 'refunded' ? { forward_tx_hash: endTxHash } : {}),
    ...(remediation === 'recovered' ? { recovery_tx_hash: endTxHash } : {}),
    ...(remediation === 'recovered' && payerRefusal !== null ? { reason: payerRefusal } : {}),
    ...(remediation === 'retained' && deposit.reason !== null ? { reason: deposit.reason } : {}),
  }
}
