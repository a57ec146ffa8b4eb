import type { Address } from 'viem'
import type { AppContext } from '../domain/appContext.ts'
import { tokenMetadata } from '../domain/token/tokenMetadata.ts'
import type { Token } from '../domain/token/tokenReader.ts'
import { builder } from './builder.ts'
import { type ExposedOf, nonNull, nullable, toPothosFields } from './fieldsOf.ts'

type PageType<Page> = {
  description: string
  fields: ExposedOf<Page>
  tokens?: {
    description?: string
    of(page: Page, context: AppContext): { chainId: number; address: Address }[]
    /** Tokens that need not be looked up. */
    known?(page: Page, context: AppContext): Token[]
  }
}

/** The type of a page of a list: its own fields, `nextPageToken`, and with `tokens` the `tokenMetadata` of its rows. */
export function pageRef<Page extends { nextPageToken: string | null }>(
  name: string,
  { description, fields, tokens }: PageType<Page>,
) {
  return builder.objectRef<Page>(name).implement({
    description,
    fields: (t) =>
      toPothosFields(t, {
        ...fields,
        nextPageToken: nullable.string('`pageToken` of the next page. Null on the last page.'),
        ...(tokens && {
          tokenMetadata: nonNull
            .of('TokenMetadataMap', tokens.description ?? 'The tokens of this page.')
            .by((page: Page, context) =>
              tokenMetadata(context, tokens.of(page, context), tokens.known?.(page, context)),
            ),
        }),
      }),
  })
}
