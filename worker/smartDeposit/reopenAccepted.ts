import type { Keeper } from './keeper.ts'

/**
 * Makes retained payments due again whose token a route of the address book now takes. Only a new address book changes that, and a worker
 * reads one when it starts.
 */
export async function reopenAccepted({ chain, service, lease }: Keeper): Promise<void> {
  const offered = service.addressBook.transitRoutes.flatMap(({ sourceChainId, offerAsset }) =>
    sourceChainId === chain.id ? [offerAsset] : [],
  )
  if (offered.length === 0) return
  await lease.write(
    (sql) => sql`
      update app.smart_deposit set retry_at = now()
      where chain_id = ${chain.id} and status = 'retrying' and reason is not null
        and retry_at is null and token = any(${offered}::text[])`,
  )
}
