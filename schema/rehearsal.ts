import { getRehearsal } from '../domain/rehearsal/getRehearsal.ts'
import type { RehearsalReport } from '../domain/rehearsal/rehearsalReport.ts'
import { builder } from './builder.ts'
import { queryField } from './declareRootField.ts'
import { listCost, readCost } from './fieldCost.ts'

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
    fields: (t) => ({
      level: t.expose('level', { type: RehearsalLevelRef, description: 'How grave it is.' }),
      check: t.exposeString('check', { description: 'The tried part, as in `node of chain 1`.' }),
      message: t.exposeString('message', { description: 'What holds, or what differs.' }),
      advice: t.exposeString('advice', {
        nullable: true,
        description: 'What to do. Null where it holds.',
      }),
    }),
  })

const RehearsalCallsRef = builder
  .objectRef<{ host: string; count: number }>('RehearsalCalls')
  .implement({
    description: 'The calls of a rehearsal to one host.',
    fields: (t) => ({
      host: t.exposeString('host', { description: 'The host of the node.' }),
      count: t.exposeInt('count', { description: 'The number of calls.' }),
    }),
  })

const RehearsalUseRef = builder
  .objectRef<RehearsalReport['use'][number]>('RehearsalUse')
  .implement({
    description: 'How often an indexer calls the nodes of a chain.',
    fields: (t) => ({
      chainId: t.exposeInt('chainId', { description: 'The chain id.' }),
      method: t.exposeString('method', { description: 'The method of JSON-RPC.' }),
      callsPerDay: t.exposeInt('callsPerDay', { description: 'The calls in a day.' }),
    }),
  })

const RehearsalRef = builder.objectRef<RehearsalReport>('Rehearsal').implement({
  description: 'The report of `npm run rehearse`.',
  fields: (t) => ({
    ranAt: t.field({
      type: 'DateTime',
      description: 'The time at which it began.',
      resolve: ({ ranAt }) => new Date(ranAt),
    }),
    seconds: t.exposeInt('seconds', { description: 'How long it took, in seconds.' }),
    chainIds: t.exposeIntList('chainIds', { description: 'The ids of the chains of its book.' }),
    blocks: t.exposeInt('blocks', {
      nullable: true,
      description: 'How many of the newest blocks of each chain it indexed. Null for all.',
    }),
    lines: t.expose('lines', {
      complexity: listCost(100),
      type: [RehearsalLineRef],
      description: 'Everything that was tried: errors first, then warnings.',
    }),
    calls: t.field({
      complexity: listCost(10),
      type: [RehearsalCallsRef],
      description: 'Its calls, without those of its indexer.',
      resolve: ({ calls }) => Object.entries(calls).map(([host, count]) => ({ host, count })),
    }),
    use: t.expose('use', {
      complexity: listCost(50),
      type: [RehearsalUseRef],
      description: 'The calls of one indexer in a day, as measured.',
    }),
    callsPerDay: t.exposeInt('callsPerDay', { description: 'Their sum.' }),
    usdPerDay: t.exposeFloat('usdPerDay', {
      description: 'Their price in USD, by the price of a call that was given (`--call-price`).',
    }),
  }),
})

queryField('rehearsal', {
  type: RehearsalRef,
  complexity: readCost('index'),
  description: 'The report of the last rehearsal on public chains. For operators.',
  resolve: (_, __, context) => getRehearsal(context),
})
