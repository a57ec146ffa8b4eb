import type { FilterKeys } from '../domain/filter/filter.ts'
import { MOST_CHARACTERS } from '../domain/filter/parseFilter.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, pageSizeParam } from '../domain/page/pageParameters.ts'
import { optional, required } from './arguments.ts'

/** The filter of a list over these keys. */
export function filterArgument(keys: FilterKeys) {
  return {
    filter: optional.string(
      `A filter expression (docs/filters.md). Keys: ${Object.keys(keys).join(', ')}.`,
      { extensions: { filterKeys: keys, described: { maxLength: MOST_CHARACTERS } } },
    ),
  }
}

/** The arguments of every list: a filter over these keys, a page size and a page token. */
export function listArguments(keys: FilterKeys) {
  return { ...filterArgument(keys), ...pageArguments() }
}

/** How many rows a page has at most. */
export function pageSizeArgument() {
  return {
    pageSize: required.int(`Rows per page, 1 to ${MAX_PAGE_SIZE}.`, {
      defaultValue: DEFAULT_PAGE_SIZE,
      extensions: { value: pageSizeParam },
    }),
  }
}

/** The arguments of every list, without a filter. */
export function pageArguments() {
  return {
    ...pageSizeArgument(),
    pageToken: optional.string(
      '`nextPageToken` of the page before. All other parameters must be the same.',
    ),
  }
}
