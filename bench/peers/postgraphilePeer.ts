import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { PEER_SCHEMA } from './peerSchema.ts'

/**
 * PostGraphile 5 over the tables of the peers. Runs as its own process and sends its port to its parent. Needs
 * DATABASE_URL.
 */
const connectionString = process.env.DATABASE_URL ?? ''
const served = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: [PEER_SCHEMA] })],
  grafserv: { graphiql: false, watch: false },
}).createServ(grafserv)
const server = createServer()
await served.addTo(server)
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit(0))
