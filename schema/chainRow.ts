import type { RowAge } from '../domain/chain/chainRows.ts'
import { builder } from './builder.ts'

/** The fields of every row of a list that can need a read of a chain. */
export const ChainRowRef = builder.interfaceRef<RowAge>('ChainRow').implement({
  description: 'A row of a list, with the age of what was read from its chain.',
  fields: (t) => ({
    stale: t.exposeBoolean('stale', {
      description:
        'Whether the row shows the last known state of its chain, because its nodes answer late or not at all.',
    }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      nullable: true,
      description: 'When the chain was read for this row. Null where the index alone has the row.',
    }),
  }),
})
