import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { SESSION_SCRIPT } from './sessionScript.ts'

const ACME = '4bd4ac2d-e33d-4075-a776-041340bac040'
const member = { organizations: [{ id: ACME }] }

/** The headers of a request of a page, as the script makes them. */
async function headersOf(
  chosen: string | null,
  session: unknown,
  given: Record<string, string> = {},
): Promise<Record<string, string>> {
  const withSession = runInNewContext(`${SESSION_SCRIPT}; withSession`, {
    Headers,
    localStorage: { getItem: () => chosen },
    fetch: () => Promise.resolve(Response.json(session)),
  })
  return Object.fromEntries(await withSession(given))
}

test('default: requests speak for the chosen organization of a session', async () => {
  expect(await headersOf(ACME, { member })).toEqual({ 'x-causeway-organization': ACME })
})

test('behavior: a given key goes first', async () => {
  const key = { 'x-api-key': 'causeway_1_2' }
  expect(await headersOf(ACME, { member }, key)).toEqual(key)
})

test.each([
  ['nothing was chosen', null, { member }],
  ['nobody is signed in', ACME, { member: null }],
  ['the organization is not theirs', ACME, { member: { organizations: [] } }],
  ['nobody can sign in here', ACME, { error: {} }],
])('behavior: nothing is added where %s', async (_, chosen, session) => {
  expect(await headersOf(chosen, session)).toEqual({})
})
