import type { Address, Hex } from 'viem'
import { checksummed } from '../token/checksummed.ts'
import type { NewEvent } from '../webhook/recordEvents.ts'
import type { KeeperDeposit } from './keeperDeposit.ts'
import { RESOURCE } from './selectSmartDeposits.ts'

/** What is said of a deposit that the deposit itself does not know. */
export type DepositNames = { chainName: string; tokenSymbol: string; tokenDecimals: number }

type Kind = 'pending' | 'confirmed' | 'finalized' | 'failed'

/** What a deposit's events are told of. */
export function depositResource(depositId: Hex): string {
  return RESOURCE + depositId
}

/**
 * All that has to have been told of a deposit as it is now, to each of the organizations: who registered
 * its address since learns of it from its beginning. Telling it again records nothing.
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

export type ToldEvent = { id: string; organizationId: string }

/** That events which were told of a deposit are true no more. */
export function revertedEvents(
  deposit: KeeperDeposit,
  names: DepositNames,
  told: readonly ToldEvent[],
): NewEvent[] {
  return told.map(({ id, organizationId }) => ({
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

/** The same fact after a reorganisation is another event. */
function nameOf(kind: Kind, { paymentReverts, settleReverts }: KeeperDeposit): string {
  return kind === 'pending'
    ? `pending:${paymentReverts}`
    : `${kind}:${paymentReverts}:${settleReverts}`
}

function commonFields(deposit: KeeperDeposit, names: DepositNames, organizationId: string) {
  const address = (of: Address | null) => of && checksummed(of)
  return {
    deposit_id: deposit.depositId,
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
  const { settleTxHash, settleBlock, mintedAmount, remediation, error } = deposit
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
  }
}
