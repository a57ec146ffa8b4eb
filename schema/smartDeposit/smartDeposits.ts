import {
  listSmartDeposits,
  type SmartDepositPage,
  smartDepositQuery,
} from '../../domain/smartDeposit/listSmartDeposits.ts'
import { nonNull } from '../fieldsOf.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { SmartDepositRef } from './smartDeposit.ts'

const SmartDepositPageRef = pageRef<SmartDepositPage>('SmartDepositPage', {
  description: 'A page of smart deposits, the newest first.',
  fields: { smartDeposits: nonNull.of([SmartDepositRef], 'The smart deposits.') },
  tokens: {
    description:
      'The tokens of this page, and the shares. A token that names no symbol is left out.',
    of: ({ smartDeposits }) =>
      smartDeposits.flatMap(({ chainId, inputToken, vaultAddress, origin }) => [
        ...[inputToken, vaultAddress].map((address) => ({ chainId, address })),
        ...(origin ? [{ chainId: origin.chainId, address: origin.asset }] : []),
      ]),
  },
})

listField('smartDeposits', {
  type: SmartDepositPageRef,
  reads: 'index',
  description: 'The smart deposits of your organization, the newest first.',
  query: smartDepositQuery,
  list: listSmartDeposits,
})
