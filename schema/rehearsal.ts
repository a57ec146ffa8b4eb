import { getRehearsal } from '../domain/rehearsal/getRehearsal.ts'
import type { RehearsalReport } from '../domain/rehearsal/rehearsalReport.ts'
import { builder } from './builder.ts'
import { queryField } from './declareRootField.ts'
import { listCost, readCost } from './fieldCost.ts'
import { fieldsOf, nonNull, nullable } from './fieldsOf.ts'

const RehearsalLevelRef = builder.enumType('RehearsalLevel', {
  description: 'How grave a line of a rehearsal is.',
  values: {
    OK: { value: 'ok', description: 'It holds.' },
    WARNING: { value: 'warning', description: 'The service would work, but worse than it could.' },
    ERROR: { value: 'error', description: 'A part of the service would not work.' },
  } as const,
})

const RehearsalLineRef = builder
  .objectRef<RehearsalReport['lines'][number]>('RehearsalLine')
  .implement({
    description: 'A thing that a rehearsal tried. A node may have written a part of its texts.',
    fields: fieldsOf(() => ({
      level: nonNull.of(RehearsalLevelRef, 'How grave it is.'),
      check: nonNull.string('The tried part, as in `node of chain 1`.'),
      message: nonNull.string('What holds, or what differs.'),
      advice: nullable.string('What to do. Null where it holds.'),
    })),
  })

const RehearsalCallsRef = builder
  .objectRef<{ host: string; count: number }>('RehearsalCalls')
  .implement({
    description: 'The calls of a rehearsal to one host.',
    fields: fieldsOf(() => ({
      host: nonNull.string('The host of the node.'),
      count: nonNull.int('The number of calls.'),
    })),
  })

const RehearsalUseRef = builder
  .objectRef<RehearsalReport['use'][number]>('RehearsalUse')
  .implement({
    description: 'How often an indexer calls the nodes of a chain.',
    fields: fieldsOf(() => ({
      chainId: nonNull.int('The chain id.'),
      method: nonNull.string('The method of JSON-RPC.'),
      callsPerDay: nonNull.int('The calls in a day.'),
    })),
  })

const RehearsalRef = builder.objectRef<RehearsalReport>('Rehearsal').implement({
  description: 'The report of `npm run rehearse`.',
  fields: fieldsOf(() => ({
    ranAt: nonNull.dateTime('The time at which it began.').by(({ ranAt }) => new Date(ranAt)),
    seconds: nonNull.int('How long it took, in seconds.'),
    chainIds: nonNull.of(['Int'], 'The ids of the chains of its book.'),
    blocks: nullable.int('How many of the newest blocks of each chain it indexed. Null for all.'),
    lines: nonNull.of(
      [RehearsalLineRef],
      'Everything that was tried: errors first, then warnings.',
      { complexity: listCost(100) },
    ),
    calls: nonNull
      .of([RehearsalCallsRef], 'Its calls, without those of its indexer.', {
        complexity: listCost(10),
      })
      .by(({ calls }) => Object.entries(calls).map(([host, count]) => ({ host, count }))),
    use: nonNull.of([RehearsalUseRef], 'The calls of one indexer in a day, as measured.', {
      complexity: listCost(50),
    }),
    callsPerDay: nonNull.int('Their sum.'),
    usdPerDay: nonNull.float(
      'Their price in USD, by the price of a call that was given (`--call-price`).',
    ),
  })),
})

queryField('rehearsal', {
  type: RehearsalRef,
  complexity: readCost('index'),
  description: 'The report of the last rehearsal on public chains. For operators.',
  resolve: (_, __, context) => getRehearsal(context),
})
