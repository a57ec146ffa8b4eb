import { isDeepStrictEqual } from 'node:util'

/**
 * Makes a page of rows that are kept, and makes it again only after `rest`, all else that it is made of, has changed. So the answer
 * of the page can be sent again. A page is dropped with its rows.
 */
export function madeOnce<Rows extends object, Rest, Page>() {
  const made = new WeakMap<Rows, { rest: Rest; page: Page }>()
  return (rows: Rows, rest: Rest, make: () => Page): Page => {
    const known = made.get(rows)
    if (known && isDeepStrictEqual(known.rest, rest)) return known.page
    const page = make()
    made.set(rows, { rest, page })
    return page
  }
}
