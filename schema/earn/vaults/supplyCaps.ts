import { DEPLOYMENT_FILTER_KEYS } from '../../../domain/earn/vaults/deploymentFilter.ts'
import {
  listSupplyCaps,
  type SupplyCap,
  type SupplyCapPage,
  supplyCapQuery,
} from '../../../domain/earn/vaults/listSupplyCaps.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { pageCost } from '../../fieldCost.ts'
import { listArguments, listParams } from '../../listArguments.ts'

const SupplyCapRef = builder.objectRef<SupplyCap>('SupplyCap').implement({
  description:
    'How full a vault is on one chain. Amounts are whole units of its base, with all of its decimals.',
  fields: (t) => ({
    vaultAddress: t.expose('vaultAddress', { type: 'Address', description: 'The vault.' }),
    chainId: t.exposeInt('chainId', { description: 'The chain.' }),
    totalSupplyInBase: t.exposeString('totalSupplyInBase', {
      description: 'What all of its shares are worth, as the depositor counts them for the cap.',
    }),
    supplyCap: t.exposeString('supplyCap', {
      nullable: true,
      description: 'What they may be worth after a deposit; null where it takes any amount.',
    }),
    percentageFilled: t.exposeString('percentageFilled', {
      nullable: true,
      description: 'In percent, four decimals; 100.0000 of a cap of 0; null without a cap.',
    }),
  }),
})

const SupplyCapPageRef = builder.objectRef<SupplyCapPage>('SupplyCapPage').implement({
  description: 'A page of supply caps, by chain and vault.',
  fields: (t) => ({
    supplyCaps: t.expose('supplyCaps', { type: [SupplyCapRef], description: 'The caps.' }),
    nextPageToken: t.exposeString('nextPageToken', {
      nullable: true,
      description: 'What asks for the next page; null on the last.',
    }),
  }),
})

builder.queryField('supplyCaps', (t) =>
  t.field({
    type: SupplyCapPageRef,
    nullable: true,
    complexity: pageCost('chains'),
    description:
      'How full every vault is that takes deposits, as their chains say, at most 30 s old.',
    args: listArguments(DEPLOYMENT_FILTER_KEYS),
    extensions: checkedByQuery(supplyCapQuery),
    resolve: (_, list, context) => listSupplyCaps(context, listParams(list)),
  }),
)
