import type { Arguments } from './action.ts'
import type { CallOptions, Connection } from './connection.ts'
import type { Answer, Operation, OperationId, Parameters } from './operation.ts'
import { sendRequest } from './sendRequest.ts'
import { type Filter, writeFilter } from './writeFilter.ts'

/** The rows of a list. Pages are read as they are needed; each iteration begins at the first. */
export type List<Row, Page> = AsyncIterable<Row> & {
  /** The pages themselves, with what they hold beside the rows. */
  pages(): AsyncIterable<Page>
  /** The first page alone. */
  page(): Promise<Page>
  /** At most this many rows, in one array. */
  take(count: number): Promise<Row[]>
}

type RowOf<Rows> = Rows extends readonly (infer Row)[] ? Row : never

/** The function of a list. `rowsOf` and `next` are for caches that keep pages. */
export type ListAction<Params, Row, Page> = ((
  connection: Connection,
  ...args: Arguments<Params>
) => List<Row, Page>) & {
  rowsOf(page: Page): Row[]
  /** The parameters that select the page after this one; null after the last. */
  next(page: Page): object | null
}

type Page = { nextPageToken?: string | null }

/** The parameter that selects the page after this one; null after the last. */
function nextPage({ nextPageToken }: Page): object | null {
  return nextPageToken ? { pageToken: nextPageToken } : null
}

/** The same for a log, which goes on after the last row. */
export function nextAfter(page: { hasMore: boolean; nextAfter?: string | null }): object | null {
  return page.hasMore ? { after: page.nextAfter } : null
}

/** The function of an operation that answers pages, whose rows are under `key`. */
export function list<Id extends OperationId, Key extends keyof Answer<Id>>(
  operation: Operation<Id>,
  key: Key,
  next: (page: Answer<Id>) => object | null = nextPage as (page: Answer<Id>) => object | null,
): ListAction<Parameters<Id>, RowOf<Answer<Id>[Key]>, Answer<Id>> {
  type Row = RowOf<Answer<Id>[Key]>
  // Only keys of rows are given.
  const rowsOf = (page: Answer<Id>) => page[key] as Row[]
  function open(
    connection: Connection,
    ...[given, options]: Arguments<Parameters<Id>>
  ): List<Row, Answer<Id>> {
    const params = withFilterText(given)
    async function* pages(): AsyncGenerator<Answer<Id>> {
      let following: object | null = {}
      while (following) {
        const page: Answer<Id> = await read(following, options)
        yield page
        following = next(page)
      }
    }
    async function* rows(): AsyncGenerator<Row> {
      for await (const page of pages()) yield* rowsOf(page)
    }
    async function read(following: object, callOptions?: CallOptions) {
      const call = { params: { ...params, ...following }, options: callOptions }
      const { data } = await sendRequest(connection, operation, call)
      // Only an `etag` leaves the data out.
      return data as Answer<Id>
    }
    return {
      [Symbol.asyncIterator]: rows,
      pages,
      page: () => read({}, options),
      async take(count) {
        const taken: Row[] = []
        if (count < 1) return taken
        for await (const row of rows()) if (taken.push(row) >= count) break
        return taken
      },
    }
  }
  return Object.assign(open, { rowsOf, next })
}

function withFilterText(params: object = {}): object {
  const { filter } = params as { filter?: Filter | string }
  return typeof filter === 'object' ? { ...params, filter: writeFilter(filter) } : params
}
