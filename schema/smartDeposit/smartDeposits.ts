import {
  listSmartDeposits,
  SMART_DEPOSIT_FILTER_KEYS,
  type SmartDepositPage,
  smartDepositQuery,
} from '../../domain/smartDeposit/listSmartDeposits.ts'
import { checkedByQuery } from '../argumentChecks.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../fieldCost.ts'
import { listArguments, listParams } from '../listArguments.ts'
import { pageRef } from '../page.ts'
import { SmartDepositRef } from './smartDeposit.ts'

const SmartDepositPageRef = pageRef<SmartDepositPage>('SmartDepositPage', {
  description: 'A page of smart deposits, the newest first.',
  fields: (t) => ({
    smartDeposits: t.expose('smartDeposits', {
      type: [SmartDepositRef],
      description: 'The smart deposits.',
    }),
  }),
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

builder.queryField('smartDeposits', (t) =>
  t.field({
    type: SmartDepositPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description: 'The smart deposits of your organization, the newest first.',
    args: listArguments(SMART_DEPOSIT_FILTER_KEYS),
    extensions: checkedByQuery(smartDepositQuery),
    resolve: (_, list, context) => listSmartDeposits(context, listParams(list)),
  }),
)
