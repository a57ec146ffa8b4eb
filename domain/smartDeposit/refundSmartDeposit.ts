import type { TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import { audited } from '../access/audit.ts'
import { callerAdministrator } from '../access/callerAdministrator.ts'
import { ServiceError } from '../error/serviceError.ts'
import { selectSmartDeposits, toSmartDeposit } from './selectSmartDeposits.ts'
import type { Remediation, SmartDeposit } from './smartDeposit.ts'
import type { SmartDepositContext } from './smartDepositContext.ts'

/**
 * Orders the refund of a retained payment to its user: from its next try on, the keeper sends it back and does not deposit it.
 * An order that is repeated makes the next try due now, and changes nothing else. Throws `SMART_DEPOSIT_NOT_FOUND`, or
 * `REFUND_NOT_POSSIBLE` for a payment that is not retained or that another organization answers for.
 */
export async function refundSmartDeposit(
  context: SmartDepositContext,
  depositId: Hex,
): Promise<SmartDeposit> {
  const { administrator, organizationId } = callerAdministrator(context, 'smart-deposits:refund')
  await audited(administrator, async (sql) => {
    const payment = await selectPayment(sql, { organizationId, depositId })
    if (!payment) throw notFound(depositId)
    if (payment.firstOrganizationId !== organizationId)
      throw notPossible(
        payment,
        'another organization registered its address first: that one decides',
      )
    const isNew = await order(sql, payment)
    const entry = { action: 'smart_deposit.refund', subject: depositId, organizationId } as const
    return { result: undefined, entry: isNew ? entry : null }
  })
  // By the connection of the change: under an `Idempotency-Key`, others do not see it yet.
  const [row] = await selectSmartDeposits(context.sql, [{ organizationId, depositId }])
  if (!row) throw notFound(depositId)
  return toSmartDeposit(row)
}

/** The newest attempt to settle a payment. */
type Payment = {
  paymentId: Hex
  status: string
  remediation: Remediation | null
  reason: string | null
  isOrdered: boolean
  /** The organization that registered the address first: its distributor code is in the deposits. */
  firstOrganizationId: string
}

async function selectPayment(
  sql: TransactionSql,
  { organizationId, depositId }: { organizationId: string; depositId: Hex },
) {
  const [payment] = await sql<Payment[]>`
    select newest.payment_id as "paymentId", newest.status, newest.remediation, newest.reason,
      newest.refund_ordered_at is not null as "isOrdered", (
        select first.organization_id from app.smart_deposit_registration first
        where first.chain_id = newest.address_chain_id and first.address = newest.address
        order by first.created_at, first.organization_id limit 1
      ) as "firstOrganizationId"
    from app.smart_deposit_report r join app.smart_deposit d using (deposit_id)
    join app.smart_deposit newest on newest.payment_id = d.payment_id
    where r.organization_id = ${organizationId} and r.deposit_id = ${depositId}
    order by newest.attempt desc limit 1`
  return payment
}

/** Whether it was not ordered before. What its Transit order paid to the vault's chain may wait there. A small payment is tried alone, because nobody knows when others come. */
async function order(sql: TransactionSql, payment: Payment): Promise<boolean> {
  const { paymentId, status, remediation, isOrdered } = payment
  if (isOrdered && status === 'failed' && remediation === 'refunded') return false
  const changed = await sql`
    update app.smart_deposit set refund_ordered_at = coalesce(refund_ordered_at, now()),
      is_small = false, retry_at = now()
    where status = 'retrying' and (payment_id = ${paymentId} or continues in (
      select order_id from app.smart_deposit where payment_id = ${paymentId}))`
  if (changed.count === 0)
    throw notPossible(
      payment,
      payment.reason === 'ORDER_REMOVED'
        ? 'the owner of the stations has it, because its Transit order was removed'
        : 'it is not retained',
    )
  return !isOrdered
}

function notFound(depositId: Hex) {
  return new ServiceError(
    'SMART_DEPOSIT_NOT_FOUND',
    `Your organization has no smart deposit ${depositId}`,
  )
}

function notPossible({ status, remediation }: Payment, why: string) {
  const state = remediation ?? (status === 'retrying' ? 'retained' : status)
  return new ServiceError('REFUND_NOT_POSSIBLE', `This payment cannot be refunded: ${why}`, {
    metadata: { state },
  })
}
