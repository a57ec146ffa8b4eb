import type { AddressBookDeployment } from '../../../domain/addressBook/addressBook.ts'
import { builder } from '../../builder.ts'

export type Slas = AddressBookDeployment['assets'][number]['withdrawalSlas']

export const WithdrawalSlasRef = builder.objectRef<Slas>('WithdrawalSLAs').implement({
  description: 'Delays of a withdrawal. Each is a number of seconds with an `s`: `86400s`.',
  fields: (t) => {
    const duration = (key: keyof Slas, description: string) =>
      t.string({ description, resolve: (slas) => `${slas[key]}s` })
    return {
      expectedDelay: duration('expectedDelay', 'The usual time from the request to its payment.'),
      expiryBuffer: duration(
        'expiryBuffer',
        'The extra time that is allowed beyond `expectedDelay`.',
      ),
      internalWithdrawalQueueDelaySLA: duration(
        'internalWithdrawalQueueDelaySLA',
        'The time in the queue that the operator aims at.',
      ),
      externalWithdrawalQueueDelaySLA: duration(
        'externalWithdrawalQueueDelaySLA',
        'The time in the queue that the operator promises.',
      ),
      internalAccountantRateUpdateDelaySLA: duration(
        'internalAccountantRateUpdateDelaySLA',
        'The time between two updates of the share price that the operator aims at.',
      ),
      externalAccountantRateUpdateSLA: duration(
        'externalAccountantRateUpdateSLA',
        'The time between two updates of the share price that the operator promises.',
      ),
    }
  },
})
