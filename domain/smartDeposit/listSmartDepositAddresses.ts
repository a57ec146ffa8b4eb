import type { Address } from 'viem'
import { requirePermission } from '../access/requirePermission.ts'
import type { AcceptingAddress } from '../addressBook/acceptedPayments.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { pageInSql } from '../page/pageInSql.ts'
import type { Page } from '../page/pageOfRows.ts'
import type { SmartDepositContext } from './smartDepositContext.ts'

/** An address that an organization registered. Addresses are lower case. */
export type RegisteredSmartDepositAddress = AcceptingAddress & {
  smartDepositAddress: Address
  userDestinationAddress: Address
  vaultAddress: Address
  customerId: string | null
  /** The organization that is part of the address; null if none is. */
  organizationId: string | null
  /** When the organization first registered it. */
  createdAt: Date
}

export type SmartDepositAddressPage = Page<'smartDepositAddresses', RegisteredSmartDepositAddress>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const smartDepositAddressQuery = listQuery({
  list: 'registrations',
  keys: {
    smartDepositAddress: { type: 'address' },
    userAddress: { type: 'address' },
    vaultAddress: { type: 'address' },
    inputToken: { type: 'address' },
    customerId: { type: 'string' },
    chainId: { type: 'integer' },
  },
  isOwn: true,
})

/** The addresses that the caller's organization registered, the newest first. Throws as `smartDepositAddressQuery`. */
export async function listSmartDepositAddresses(
  context: SmartDepositContext,
  params: ListParams,
): Promise<SmartDepositAddressPage> {
  const query = smartDepositAddressQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'smart-deposits')
  return pageInSql(context, query, {
    name: 'smartDepositAddresses',
    rows: (sql) => sql`
      select r.address as "smartDepositAddress", r.chain_id as "chainId",
        a.factory as "factoryAddress", a.generation, a.user_destination_address as "userDestinationAddress",
        a.vault_address as "vaultAddress", a.input_token as "inputToken",
        a.customer_id as "customerId", a.organization_id as "organizationId",
        r.created_at as "createdAt"
      from app.smart_deposit_registration r
      join app.smart_deposit_address a using (chain_id, address)
      where r.organization_id = ${organizationId}`,
    order: { createdAt: 'timestamptz', chainId: 'integer', smartDepositAddress: 'text' },
    columns: (sql) => ({ userAddress: sql`r."userDestinationAddress"` }),
  })
}
