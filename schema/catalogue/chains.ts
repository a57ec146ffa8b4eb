import { type ListedChain, listChains } from '../../domain/catalogue/listChains.ts'
import type { ChainState } from '../../domain/index/chainStates.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { listCost, readCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { ProductRef } from './product.ts'

const ChainIndexRef = builder.objectRef<ChainState>('ChainIndex').implement({
  description: 'How far the index of a chain is.',
  fields: fieldsOf(() => ({
    block: nullable
      .blockNumber('The newest indexed block. Null before the first.')
      .by(({ block }) => block?.number ?? null),
    head: nullable.blockNumber("The node's newest block. Null while no node answers."),
    lagSeconds: nullable.int(
      "The age of the newest indexed block in seconds, or 0 if it is the node's newest one. Null while either is unknown.",
    ),
    isSynced: nonNull.boolean(
      'Whether the index is at the head of the chain: it lacks at most 60 seconds.',
    ),
  })),
})

const ChainRef = builder.objectRef<ListedChain>('Chain').implement({
  description: 'A chain that this service serves.',
  fields: fieldsOf(() => ({
    chainId: nonNull.int('The chain id.'),
    name: nonNull.string('The name of the chain, for people.'),
    endpointId: nullable.int('The LayerZero endpoint id of the chain. Null if it is not known.'),
    explorerUrl: nullable.string(
      'The URL of a block explorer, without a slash at its end: append `/tx/<hash>` or `/address/<address>`. Null without one.',
    ),
    blockTimeSeconds: nonNull.float('The usual seconds between two blocks.'),
    finalityDepth: nonNull.int(
      'The number of blocks below the head at which a block counts as final.',
    ),
    offers: nonNull.of([ProductRef], 'The products that are offered on this chain.'),
    index: nullable.of(
      ChainIndexRef,
      'How far the index of the chain is. Null if nothing of it is indexed.',
    ),
  })),
})

const ChainListRef = builder.objectRef<{ chains: ListedChain[] }>('ChainList').implement({
  description: 'All chains, by their ids.',
  fields: fieldsOf(() => ({
    chains: nonNull.of([ChainRef], 'The chains.', { complexity: listCost(6) }),
  })),
})

queryField('chains', {
  type: ChainListRef,
  complexity: readCost('chains'),
  description:
    'Every chain of this service: what is offered on it, and how far its index is. A chain whose nodes do not answer is listed too.',
  resolve: async (_parent, _args, context) => ({ chains: await listChains(context) }),
})
