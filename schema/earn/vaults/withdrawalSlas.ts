import type { AddressBookDeployment } from '../../../domain/addressBook/addressBook.ts'
import { builder } from '../../builder.ts'

export type Slas = AddressBookDeployment['assets'][number]['withdrawalSlas']

export const WithdrawalSlasRef = builder.objectRef<Slas>('WithdrawalSLAs').implement({
  description: 'Durations in seconds, with an `s`: `86400s`.',
  fields: (t) => {
    const duration = (key: keyof Slas, description: string) =>
      t.string({ description, resolve: (slas) => `${slas[key]}s` })
    return {
      expectedDelay: duration('expectedDelay', 'From order to payment, as a rule.'),
      expiryBuffer: duration('expiryBuffer', 'What is allowed on top of it.'),
      internalWithdrawalQueueDelaySLA: duration(
        'internalWithdrawalQueueDelaySLA',
        'What the operator aims at for the queue.',
      ),
      externalWithdrawalQueueDelaySLA: duration(
        'externalWithdrawalQueueDelaySLA',
        'What the operator promises for the queue.',
      ),
      internalAccountantRateUpdateDelaySLA: duration(
        'internalAccountantRateUpdateDelaySLA',
        'What the operator aims at between updates of the rate.',
      ),
      externalAccountantRateUpdateSLA: duration(
        'externalAccountantRateUpdateSLA',
        'What the operator promises between updates of the rate.',
      ),
    }
  },
})
