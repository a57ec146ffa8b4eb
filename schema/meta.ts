import { indexedChains } from '../domain/addressBook/indexedChains.ts'
import { type ChainState, listChainStates } from '../domain/chain/chainStates.ts'
import { builder } from './builder.ts'
import { listCost, readCost } from './fieldCost.ts'

const IndexedBlockRef = builder
  .objectRef<NonNullable<ChainState['block']>>('IndexedBlock')
  .implement({
    description: 'The newest block that answers stand on.',
    fields: (t) => ({
      number: t.expose('number', { type: 'BlockNumber', description: 'Its number.' }),
      timestamp: t.expose('timestamp', { type: 'UnixTime', description: 'Its time.' }),
    }),
  })

const ChainStateRef = builder.objectRef<ChainState>('ChainState').implement({
  description: 'How far the index of one chain is.',
  fields: (t) => ({
    chainId: t.exposeInt('chainId', { description: 'The chain.' }),
    block: t.expose('block', {
      type: IndexedBlockRef,
      nullable: true,
      description: 'The newest indexed block; null until the chain is indexed.',
    }),
    head: t.expose('head', {
      type: 'BlockNumber',
      nullable: true,
      description: "The node's newest block; null while no node answers.",
    }),
    finalized: t.expose('finalized', {
      type: 'BlockNumber',
      nullable: true,
      description: "The newest block below the chain's finality depth.",
    }),
    lagSeconds: t.exposeInt('lagSeconds', {
      nullable: true,
      description: "How far the index is behind the node's head; null while either is unknown.",
    }),
    isSynced: t.exposeBoolean('isSynced', {
      description: 'Its history is indexed, and it is not behind a block served before.',
    }),
  }),
})

const MetaRef = builder.objectRef<Record<string, never>>('Meta').implement({
  description: 'The state of the service.',
  fields: (t) => ({
    chains: t.field({
      type: [ChainStateRef],
      complexity: listCost(6),
      description: 'Every indexed chain.',
      resolve: (_parent, _args, context) =>
        listChainStates(
          context,
          indexedChains(context.addressBook).map(({ id }) => id),
        ),
    }),
  }),
})

builder.queryField('_meta', (t) =>
  t.field({
    type: MetaRef,
    complexity: readCost('chains'),
    description: 'The state of the service.',
    resolve: () => ({}),
  }),
)
