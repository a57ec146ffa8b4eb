import type { Acceptance, AcceptanceWay } from '../../domain/capability/acceptances.ts'
import { amountOf } from '../amountOf.ts'
import { builder } from '../builder.ts'
import { ClosedReasonRef } from '../capability/capabilities.ts'
import { enumType } from '../enumType.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'

const AcceptanceWayRef = enumType<AcceptanceWay>('SmartDepositAcceptanceWay', {
  description: 'How a payment gets into the vault of its smart deposit address.',
  values: {
    DIRECT: 'It is deposited as it is.',
    TRANSIT:
      'The keeper sends it on to the same address by a Transit order, in `inputToken` on the chain of the vault. The user pays the fee of the order.',
  },
})

export const AcceptanceRef = builder.objectRef<Acceptance>('SmartDepositAcceptance').implement({
  description: 'A token on a chain that can be paid to a smart deposit address.',
  fields: fieldsOf(() => ({
    chainId: nonNull.int('The chain of the payment.'),
    asset: nonNull.address('The token to pay.'),
    minimum: nonNull.amount(
      'The least payment that is deposited alone, in base units of `asset`. Of TRANSIT it follows the cost of an execution.',
      { extensions: amountOf('asset') },
    ),
    via: nonNull.of(AcceptanceWayRef, 'How it gets into the vault.'),
    isOpen: nonNull.boolean(
      'Whether such a payment would be deposited now. What is paid meanwhile waits at the address.',
    ),
    reason: nullable.of(
      ClosedReasonRef,
      'Why not, as the capabilities say it. Null while it is open.',
    ),
  })),
})
