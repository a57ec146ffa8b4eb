import { required } from './arguments.ts'
import { builder } from './builder.ts'
import { queryField } from './declareRootField.ts'
import { fieldsOf, nonNull, nullable } from './fieldsOf.ts'
import { pageArguments } from './listArguments.ts'
import { listField } from './listField.ts'
import { pageRef } from './page.ts'

/** Right and wrong declarations. `npm run check:types` fails if a wrong one compiles. Nothing runs them. */
type Row = { id: string; count: number; note: string | null; tags: (string | null)[] }

export const declareRow = () =>
  builder.objectRef<Row>('Row').implement({
    fields: fieldsOf(() => ({
      id: nonNull.string('The id.'),
      note: nullable.string('A note, or null.'),
      remark: nullable.string('The same as `note`.').from('note'),
      own: nonNull.int('Made of the row.').by(({ count }) => count + 1),
    })),
  })

export const declareWrongRows = () => {
  builder.objectRef<Row>('NullAsNonNull').implement({
    // @ts-expect-error: `note` can be null, and `nonNull` says it cannot.
    fields: fieldsOf(() => ({ note: nonNull.string('A note.') })),
  })
  builder.objectRef<Row>('OtherScalar').implement({
    // @ts-expect-error: `id` is a string, and not a number.
    fields: fieldsOf(() => ({ id: nonNull.int('The id.') })),
  })
  builder.objectRef<Row>('NoProperty').implement({
    // @ts-expect-error: a row has no property `name`.
    fields: fieldsOf(() => ({ name: nonNull.string('The name.') })),
  })
  builder.objectRef<Row>('RenamedNull').implement({
    // @ts-expect-error: `note` can be null under another name too.
    fields: fieldsOf(() => ({ remark: nonNull.string('A note.').from('note') })),
  })
  builder.objectRef<Row>('RenamedNothing').implement({
    // @ts-expect-error: a row has no property `name`.
    fields: fieldsOf(() => ({ title: nonNull.string('The name.').from('name') })),
  })
  builder.objectRef<Row>('MadeNull').implement({
    // @ts-expect-error: what is made of `note` can be null.
    fields: fieldsOf(() => ({ remark: nonNull.string('A note.').by(({ note }: Row) => note) })),
  })
  builder.objectRef<Row>('MadeOfNothing').implement({
    fields: fieldsOf(() => ({
      // @ts-expect-error: a row has no property `name`.
      title: nonNull.string('The name.').by(({ name }) => name),
    })),
  })
  builder.objectRef<Row>('NullItems').implement({
    // @ts-expect-error: the items of `tags` can be null.
    fields: fieldsOf(() => ({ tags: nonNull.of(['String'], 'The tags.') })),
  })
}

export const declareWrongList = () => {
  type Page = { nextPageToken: string | null }
  listField('wrongList', {
    type: pageRef<Page>('WrongPage', { description: 'A page.', fields: {} }),
    reads: 'index',
    description: 'A list.',
    args: { id: required.string('An id.'), ...pageArguments() },
    query: (_, { id, pageSize }) => [id.length, pageSize],
    // @ts-expect-error: it has no argument `name`.
    list: (_, { name }) => ({ nextPageToken: name }),
  })
}

export const declareWrongArguments = () => {
  // @ts-expect-error: the default of a text is a text.
  required.string('A text.', { defaultValue: 1 })
  queryField('noArguments', {
    type: 'String',
    description: 'Has no arguments.',
    // @ts-expect-error: a field without `args` has no argument `name`.
    resolve: (_parent, { name }) => String(name),
  })
}
