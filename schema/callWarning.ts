import type { CallWarning } from '../domain/call/preparedCall.ts'
import { builder } from './builder.ts'
import { enumType } from './enumType.ts'
import { listCost } from './fieldCost.ts'
import { fieldsOf, nonNull, nullable } from './fieldsOf.ts'

const CallWarningReasonRef = enumType<CallWarning['reason']>('CallWarningReason', {
  description: 'What could not be found out about a prepared transaction.',
  values: {
    SIMULATION_UNAVAILABLE:
      'It was not simulated, because the balance of this token cannot be assumed.',
  },
})

const CallWarningRef = builder.objectRef<CallWarning>('CallWarning').implement({
  description: 'What could not be found out about a prepared transaction. It may well work.',
  fields: fieldsOf(() => ({
    reason: nonNull.of(CallWarningReasonRef, 'For programs.'),
    message: nonNull.string('In words. The text may change.'),
  })),
})

/** The field `warnings` of a prepared transaction. */
export const warningsField = nullable
  .of([CallWarningRef], 'What could not be found out about the transaction. Null if nothing.', {
    complexity: listCost(1),
  })
  .by(({ warnings }: { warnings: CallWarning[] }) => (warnings.length > 0 ? warnings : null))
