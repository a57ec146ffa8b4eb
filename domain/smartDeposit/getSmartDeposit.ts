import type { Hex } from 'viem'
import { requirePermission } from '../access/requirePermission.ts'
import type { RequestScope } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'
import type { SmartDeposit } from './smartDeposit.ts'
import type { SmartDepositContext } from './smartDepositContext.ts'
import type { SmartDepositPlaceId } from './smartDepositReads.ts'

/** The id of a deposit together with the caller's organization. */
export function depositOfCaller(
  { caller }: Pick<RequestScope, 'caller'>,
  depositId: Hex,
): SmartDepositPlaceId {
  return `${requirePermission(caller, 'smart-deposits').organizationId}/${depositId}`
}

/** One deposit by its id. Throws `SMART_DEPOSIT_NOT_FOUND` if the caller's organization has no event of it. */
export async function getSmartDeposit(
  context: SmartDepositContext,
  depositId: Hex,
): Promise<SmartDeposit> {
  const deposit = await context.smartDepositReads.read(depositOfCaller(context, depositId))
  if (deposit) return deposit
  throw new ServiceError(
    'SMART_DEPOSIT_NOT_FOUND',
    `Your organization has no smart deposit ${depositId}`,
  )
}
