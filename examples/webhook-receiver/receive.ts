/** Receives webhooks: verifies each, handles it once, and prints it. Set WEBHOOK_SECRETS to the endpoint's secret. */
import { createServer } from 'node:http'
import { type CausewayEvent, memoryEventStore, nodeWebhookHandler } from '@causeway/sdk/webhooks'

const PORT = Number(process.env.PORT ?? 3000)

// While you rotate the secret: the new one and the old one, with a comma.
const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(',').filter(Boolean)
if (secrets.length === 0) throw new Error('WEBHOOK_SECRETS: expected the secret of the endpoint')

const handle = nodeWebhookHandler({
  secrets,
  // For one process. Several need a store over your database: implement `EventStore`.
  store: memoryEventStore(),
  onEvent: (event) => print(describe(event)),
  // The API delivers the event again after an error.
  onError: (error) => print(`failed: ${error}`),
})

const server = createServer((request, response) => {
  if (request.method === 'POST' && request.url === '/hooks') return handle(request, response)
  response.writeHead(404).end()
})
server.listen(PORT, () => print(`listening on port ${PORT}`))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close())

/** One line of what happened; your app would store it, or tell its user. */
function describe(event: CausewayEvent): string {
  switch (event.type) {
    case 'ping':
      return `ping of endpoint ${event.endpoint_id}`
    case 'smart_deposit.deposit.confirmed':
      return `deposit ${event.deposit_id}: ${event.minted_amount} shares for ${event.user_destination_address}`
    case 'transit.order.processed':
      return `order ${event.order_id} is paid`
    default:
      return event.type
  }
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
