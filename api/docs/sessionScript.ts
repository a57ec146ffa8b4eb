/**
 * A script's `withSession(headers)`: it adds the header by which requests speak as the person who is signed in to the
 * console, for the organization that they chose there. A given API key goes first.
 */
export const SESSION_SCRIPT = `const organization = localStorage.getItem('causeway.organization')
const isSignedIn = organization
  ? fetch('/console/api/session')
      .then((response) => response.json())
      .then(({ member }) => Boolean(member?.organizations.some(({ id }) => id === organization)))
      // Without an answer the page goes on with the given key alone, and shows a refusal of its requests.
      .catch((error) => {
        console.error('The session of the console cannot be read:', error)
        return false
      })
  : Promise.resolve(false)
async function withSession(given) {
  const headers = new Headers(given)
  if (headers.get('x-api-key') || !(await isSignedIn)) return headers
  headers.delete('x-api-key')
  headers.set('x-causeway-organization', organization)
  return headers
}
`
