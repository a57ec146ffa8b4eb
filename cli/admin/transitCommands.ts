import type { Command } from 'commander'
import { AccessError } from '../../domain/access/accessError.ts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { type ResolvedRoute, resolvedRoutes } from '../../domain/transit/routes/resolvedRoutes.ts'
import {
  ALL_ROUTES,
  listPauses,
  pauseRoute,
  type RoutePause,
  resumeRoute,
} from '../../domain/transit/signing/routePauses.ts'
import { findEnvironment } from '../findEnvironment.ts'
import { listed, type Run } from './command.ts'
import { parseReason } from './parseReason.ts'

type PauseOptions = { reason: string; file?: string }
type FileOption = { file?: string }

const ROUTE_FORM = '<chain>:<offer>-<chain>:<want>, tokens by symbol or address'
const FILE = ['--file <path>', 'the address book; default ADDRESS_BOOK'] as const

/** `transit routes|pause|resume` */
export function addTransitCommands(program: Command, run: Run, env: NodeJS.ProcessEnv): void {
  const transit = program.command('transit').description('the stop of quotes')
  transit
    .command('routes')
    .description('list the routes of the address book, and which of them are stopped')
    .option(...FILE)
    .action(({ file }: FileOption) =>
      run(async ({ sql }) => {
        const { book } = await findEnvironment(env, file)
        const pauses = await listPauses(sql)
        const rows = resolvedRoutes(book).map((resolved) => routeRow(resolved, pauses))
        return listed(rows, 'The address book has no routes')
      }),
    )
  transit
    .command('pause [route]')
    .description(
      `stop the quotes of a route, or of all without one, on every replica within 5 seconds; ${ROUTE_FORM}`,
    )
    .requiredOption('--reason <reason>', 'the reason, which callers see', parseReason)
    .option(...FILE)
    .action((name: string | undefined, { reason, file }: PauseOptions) =>
      run(async (administrator) => {
        const route = await routeNamed(env, name, file)
        await pauseRoute(administrator, { route, reason })
        const text =
          'Quotes stop within 5 seconds. Those that were signed before can be submitted until they expire'
        return { json: { route, reason }, text }
      }),
    )
  transit
    .command('resume [route]')
    .description('end the stop of a route; without one, the stop of all')
    .option(...FILE)
    .action((name: string | undefined, { file }: FileOption) =>
      run(async (administrator) => {
        const route = await routeNamed(env, name, file)
        await resumeRoute(administrator, route)
        const others = await listPauses(administrator.sql)
        const left = others.length > 0 ? `; stopped still: ${others.length}` : ''
        return { json: { route }, text: `Quotes go on within 5 seconds${left}` }
      }),
    )
}

/** The key of a route of the address book. A misspelt route must not look stopped. */
async function routeNamed(
  env: NodeJS.ProcessEnv,
  name: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (name === undefined) return ALL_ROUTES
  const { book } = await findEnvironment(env, file)
  const named = routesNamed(book, name)
  if (named[0] && named.length === 1) return named[0].key
  const problem = named.length > 1 ? 'has several routes' : 'has no route'
  throw new AccessError(`The address book ${problem} ${name}; expected ${ROUTE_FORM}`)
}

function routesNamed(book: AddressBook, name: string): ResolvedRoute[] {
  const [, source, offer = '', destination, want = ''] =
    name.match(/^(\d+):(\w+)-(\d+):(\w+)$/) ?? []
  const isToken = (token: { symbol: string; address: string }, text: string) =>
    [token.symbol.toLowerCase(), token.address].includes(text.toLowerCase())
  return resolvedRoutes(book).filter(
    ({ route, offered, wanted }) =>
      route.sourceChainId === Number(source) &&
      route.destinationChainId === Number(destination) &&
      isToken(offered, offer) &&
      isToken(wanted, want),
  )
}

function routeRow({ key, route, offered, wanted }: ResolvedRoute, pauses: RoutePause[]) {
  const pause = pauses.find((one) => one.route === ALL_ROUTES || one.route === key)
  const from = `${route.sourceChainId}:${offered.symbol}`
  return {
    route: `${from}-${route.destinationChainId}:${wanted.symbol}`,
    maxOrderSize: route.maxOrderSize,
    hourlyCap: route.hourlyCap,
    quotes: pause ? 'stopped' : 'on',
    since: pause?.pausedAt ?? null,
    reason: pause?.reason ?? null,
  }
}
