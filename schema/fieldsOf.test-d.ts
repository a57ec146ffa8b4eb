import { required } from './arguments.ts'
import { builder } from './builder.ts'
import { queryField } from './declareRootField.ts'
import { fieldsOf, nonNull, nullable } from './fieldsOf.ts'

/** Declarations that `npm run check:types` refuses. Nothing runs them. */
type Row = { id: string; count: number; note: string | null; tags: (string | null)[] }

export const declareRow = () =>
  builder.objectRef<Row>('Row').implement({
    fields: fieldsOf((t) => ({
      id: nonNull.string('The id.'),
      note: nullable.string('A note, or null.'),
      own: t.int({ description: 'Made here.', resolve: ({ count }) => count }),
    })),
  })

export const declareWrongRows = () => {
  builder.objectRef<Row>('NullAsNonNull').implement({
    // @ts-expect-error: it can be null.
    fields: fieldsOf(() => ({ note: nonNull.string('A note.') })),
  })
  builder.objectRef<Row>('OtherScalar').implement({
    // @ts-expect-error: it is a string.
    fields: fieldsOf(() => ({ id: nonNull.int('The id.') })),
  })
  builder.objectRef<Row>('NoProperty').implement({
    // @ts-expect-error: a row has none of this name.
    fields: fieldsOf(() => ({ name: nonNull.string('The name.') })),
  })
  builder.objectRef<Row>('NullItems').implement({
    // @ts-expect-error: its items can be null.
    fields: fieldsOf(() => ({ tags: nonNull.of(['String'], 'The tags.') })),
  })
}

export const declareWrongArguments = () => {
  // @ts-expect-error: a number is no text.
  required.string('A text.', { defaultValue: 1 })
  queryField('noArguments', {
    type: 'String',
    description: 'Has no arguments.',
    // @ts-expect-error: so there is none of this name.
    resolve: (_parent, { name }) => String(name),
  })
}
