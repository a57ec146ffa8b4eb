import { indexedChains } from '../domain/addressBook/indexedChains.ts'
import { type ChainState, listChainStates } from '../domain/index/chainStates.ts'
import { builder } from './builder.ts'
import { listCost, readCost } from './fieldCost.ts'
import { fieldsOf, nonNull, nullable } from './fieldsOf.ts'

const IndexedBlockRef = builder
  .objectRef<NonNullable<ChainState['block']>>('IndexedBlock')
  .implement({
    description: 'The newest indexed block of a chain.',
    fields: fieldsOf(() => ({
      number: nonNull.blockNumber('The number of the block.'),
      timestamp: nonNull.unixTime('The time of the block.'),
    })),
  })

const ChainStateRef = builder.objectRef<ChainState>('ChainState').implement({
  description: 'The state of the index of one chain.',
  fields: fieldsOf(() => ({
    chainId: nonNull.int('The chain id.'),
    block: nullable.of(IndexedBlockRef, 'The newest indexed block. Null before the first.'),
    head: nullable.blockNumber("The node's newest block. Null while no node answers."),
    finalized: nullable.blockNumber(
      "The number of the newest finalized block: it lies the chain's finality depth below the newest indexed one. Null while that is unknown.",
    ),
    lagSeconds: nullable.int(
      "The age of the newest indexed block in seconds, or 0 if it is the node's newest one. Null while either is unknown.",
    ),
    isSynced: nonNull.boolean(
      'Whether the index is at the head of the chain: its history is indexed, it is not behind a block that was served before, and it lacks at most the last 60 seconds.',
    ),
  })),
})

const MetaRef = builder.objectRef<Record<string, never>>('Meta').implement({
  description: 'The state of the service.',
  fields: fieldsOf(() => ({
    chains: nonNull
      .of([ChainStateRef], 'Every indexed chain.', { complexity: listCost(6) })
      .by((_, context) =>
        listChainStates(
          context,
          indexedChains(context.addressBook).map(({ id }) => id),
        ),
      ),
  })),
})

builder.queryField('_meta', (t) =>
  t.field({
    type: MetaRef,
    complexity: readCost('chains'),
    description: 'The state of the service.',
    resolve: () => ({}),
  }),
)
