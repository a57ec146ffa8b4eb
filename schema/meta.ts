import { indexedChains } from '../domain/addressBook/indexedChains.ts'
import { type ChainState, listChainStates } from '../domain/index/chainStates.ts'
import { builder } from './builder.ts'
import { listCost, readCost } from './fieldCost.ts'

const IndexedBlockRef = builder
  .objectRef<NonNullable<ChainState['block']>>('IndexedBlock')
  .implement({
    description: 'The newest indexed block of a chain.',
    fields: (t) => ({
      number: t.expose('number', { type: 'BlockNumber', description: 'The number of the block.' }),
      timestamp: t.expose('timestamp', { type: 'UnixTime', description: 'The time of the block.' }),
    }),
  })

const ChainStateRef = builder.objectRef<ChainState>('ChainState').implement({
  description: 'The state of the index of one chain.',
  fields: (t) => ({
    chainId: t.exposeInt('chainId', { description: 'The chain id.' }),
    block: t.expose('block', {
      type: IndexedBlockRef,
      nullable: true,
      description: 'The newest indexed block. Null before the first.',
    }),
    head: t.expose('head', {
      type: 'BlockNumber',
      nullable: true,
      description: "The node's newest block. Null while no node answers.",
    }),
    finalized: t.expose('finalized', {
      type: 'BlockNumber',
      nullable: true,
      description:
        "The number of the newest finalized block: it lies the chain's finality depth below the newest indexed one. Null while that is unknown.",
    }),
    lagSeconds: t.exposeInt('lagSeconds', {
      nullable: true,
      description:
        "The age of the newest indexed block in seconds, or 0 if it is the node's newest one. Null while either is unknown.",
    }),
    isSynced: t.exposeBoolean('isSynced', {
      description:
        'Whether the index is at the head of the chain: its history is indexed, it is not behind a block that was served before, and it lacks at most the last 60 seconds.',
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
