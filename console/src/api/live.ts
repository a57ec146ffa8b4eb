import { keepPreviousData } from '@tanstack/react-query'

const LIVE_MS = 10_000

/** Settings of a read of data that change with the chains. */
export const LIVE = { refetchInterval: LIVE_MS }

type Pages = { state: { data?: { pages: readonly unknown[] } | undefined } }

/** Settings of a list with filters, which is read page by page. While the rows of other filters load, the earlier ones stay. */
export const LIVE_PAGES = {
  placeholderData: keepPreviousData,
  // Reading many pages again costs more than it shows.
  refetchInterval: ({ state }: Pages) =>
    state.data && state.data.pages.length > 2 ? (false as const) : LIVE_MS,
}
