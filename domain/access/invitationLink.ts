/** The link of an invitation. A fragment is not sent to servers, so no log has the token. */
export function invitationLink(consoleOrigin: string, token: string): string {
  return `${consoleOrigin}/console/invitation#${token}`
}
