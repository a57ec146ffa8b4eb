import type { Connection } from '@causeway/sdk'

/** The connection of an operator who speaks for another organization than the chosen one. */
export function asOrganization(connection: Connection, organizationId: string): Connection {
  return {
    ...connection,
    onRequest(request) {
      connection.onRequest(request)
      request.headers.set('x-causeway-organization', organizationId)
    },
  }
}
