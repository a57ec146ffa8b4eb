import type { FilterKeys } from '../domain/filter/filter.ts'
import type { ListParams } from '../domain/page/listQuery.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../domain/page/pageParameters.ts'
import { builder } from './builder.ts'

/** What every list takes: a filter over these keys, a page size and a page token. */
export function listArguments(keys: FilterKeys) {
  return builder.args((t) => ({
    filter: t.string({ description: `Keys: ${Object.keys(keys).join(', ')}.` }),
    ...pageArguments(),
  }))
}

/** What a list without a filter takes. */
export function pageArguments() {
  return builder.args((t) => ({
    pageSize: t.int({
      required: true,
      defaultValue: DEFAULT_PAGE_SIZE,
      description: `1 to ${MAX_PAGE_SIZE}.`,
    }),
    pageToken: t.string({ description: 'From the page before, with the same arguments.' }),
  }))
}

type Given = {
  filter?: string | null | undefined
  pageSize: number
  pageToken?: string | null | undefined
}

/** Those arguments as the domain takes them: what was not given is absent. */
export function listParams({ filter, pageSize, pageToken }: Given): ListParams {
  return { pageSize, filter: filter ?? undefined, pageToken: pageToken ?? undefined }
}
