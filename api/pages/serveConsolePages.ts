import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatUnits, type Hex } from 'viem'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { getTransitOrder } from '../../domain/transit/orders/getTransitOrder.ts'
import type { TransitOrderStatus } from '../../domain/transit/orders/transitOrder.ts'
import { COUNTED, FOR_GOOD } from '../docs/page.ts'
import { sendStaticFile } from '../docs/staticFile.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { consoleFiles } from './consoleFiles.ts'

/** Only files of this origin run or style the page; nothing inline does. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ORDER_ID = /^0x[0-9a-fA-F]{64}$/

/**
 * Serves the console at `/console`, and the page of an order at `/orders/<id>`, whose title has the order's status. Both are one
 * application: its script reads the path.
 */
export function serveConsolePages(app: FastifyInstance): void {
  app.get('/', COUNTED, (_, reply) => reply.redirect('/console'))
  app.get('/console', COUNTED, (_, reply) => sendIndex(reply, null))
  app.get('/console/*', COUNTED, (_, reply) => sendIndex(reply, null))
  // Not a page, but a path of the API of sign-in that does not exist.
  app.all('/console/api/*', COUNTED, () => {
    throw new ServiceError('PATH_NOT_FOUND', 'There is no such path here.')
  })
  app.get<{ Params: { id: string } }>('/orders/:id', COUNTED, async (request, reply) => {
    const { id } = request.params
    return sendIndex(reply, ORDER_ID.test(id) ? await orderTitle(id, request) : null)
  })
  app.get('/console/logo.svg', COUNTED, async (_, reply) =>
    sendStaticFile((await consoleFiles()).logo, reply, 'public, max-age=300'),
  )
  app.get<{ Params: { name: string } }>(
    '/console/assets/:name',
    COUNTED,
    async (request, reply) => {
      const asset = (await consoleFiles()).assets.get(request.params.name)
      if (!asset) throw new ServiceError('PATH_NOT_FOUND', 'There is no such file of the console.')
      return sendStaticFile(asset, reply, FOR_GOOD)
    },
  )
}

async function sendIndex(reply: FastifyReply, page: PageTitle | null): Promise<FastifyReply> {
  const { index } = await consoleFiles()
  return reply
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page ? withTitle(index, page) : index)
}

function withTitle(index: string, { title, description }: PageTitle): string {
  const [name, about] = [escapeHtml(title), escapeHtml(description)]
  const tags = `<title>${name}</title>
    <meta name="description" content="${about}" />
    <meta property="og:title" content="${name}" />
    <meta property="og:description" content="${about}" />
    <meta property="og:type" content="website" />`
  return index.replace(/<title>.*<\/title>/, () => tags)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

type PageTitle = { title: string; description: string }

const STATUS: Record<TransitOrderStatus, string> = {
  PENDING_BRIDGE: 'on its way',
  PROCESSING: 'being paid',
  PROCESSED: 'paid',
  REMOVED: 'removed',
}

/** Reads the title of an order's page, for previews of its link. A page whose order cannot be read has a plain title. */
async function orderTitle(id: string, request: FastifyRequest): Promise<PageTitle> {
  const name = `Order ${id.slice(0, 6)}…${id.slice(-4)}`
  const plain = { title: `${name} · Causeway`, description: 'A Transit order and its status.' }
  const context = requestContextOf(request)
  // The page's own read reports a failure; a preview needs only some title.
  const order = await getTransitOrder(context, id.toLowerCase() as Hex).catch(() => null)
  if (!order) return plain
  const { status, amountDue, remainingAmountDue, destinationChainId, wantAsset } = order
  const chain = context.addressBook.chains.find((one) => one.id === destinationChainId)
  // Without the token's decimals the title has no amount.
  const token = await context.tokens.get(destinationChainId, wantAsset).catch(() => null)
  const amount = (value: bigint) =>
    token ? `${formatUnits(value, token.decimals)} ${token.symbol}` : 'The amount'
  return {
    title: `${name}: ${STATUS[status]} · Causeway`,
    description: `${amount(amountDue)} to ${chain?.name ?? `chain ${destinationChainId}`}. Paid so far: ${amount(amountDue - remainingAmountDue)}.`,
  }
}
