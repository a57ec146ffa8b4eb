import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Chain } from '../chains/useChains.ts'
import { Badge, type Tone } from '../components/Badge.tsx'
import { formatDuration } from '../format/formatTime.ts'
import type { Doubt } from '../session/session.ts'
import type { Endpoint } from '../webhooks/webhookStatus.ts'
import type { RouteUnderWay } from './useTransitDay.ts'

type Matter = { key: string; tone: Tone; word: string; text: ReactNode }

type Props = {
  chains: readonly Chain[]
  routes: readonly RouteUnderWay[]
  endpoints: readonly Endpoint[]
  doubts: readonly Doubt[]
}

/** The faults for an operator, worst first. */
export function Attention({ chains, routes, endpoints, doubts }: Props) {
  const indexed = chains.filter(({ index }) => index)
  if (indexed.length === 0)
    return (
      <p className="note warn">
        <Badge tone="warn">No chain</Badge> No chain is indexed: the lists below cannot have new
        orders.
      </p>
    )
  const matters = [
    ...chains.flatMap(ofChain),
    ...endpoints.flatMap(ofEndpoint),
    ...removedOrders(routes),
    ...doubts.map(ofDoubt),
  ]
  if (matters.length === 0)
    return (
      <p className="note good">
        <Badge tone="good">All well</Badge> All chains are indexed up to their heads, and no order
        was removed in the last 24 hours.
      </p>
    )
  return (
    <ul className="matters">
      {matters.map(({ key, tone, word, text }) => (
        <li key={key}>
          <Badge tone={tone}>{word}</Badge>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}

function ofChain({ chainId, name, index }: Chain): Matter[] {
  if (!index) return []
  const { lagSeconds, isSynced } = index
  if (isSynced) return []
  const lag = lagSeconds ? `: it lags its chain by ${formatDuration(lagSeconds * 1_000)}` : ''
  return [
    {
      key: `chain ${chainId}`,
      tone: 'bad',
      word: 'Not synced',
      text: `The index of ${name} is not synced${lag}.`,
    },
  ]
}

function ofDoubt({ message, advice }: Doubt): Matter {
  return { key: message, tone: 'warn', word: 'Configuration', text: `${message}. ${advice}` }
}

/** An endpoint that accepts nothing, or was disabled for it; not one that somebody disabled. */
function ofEndpoint({ id, url, isFailing, disabledReason }: Endpoint): Matter[] {
  if (!isFailing && (disabledReason === null || disabledReason === 'BY_HAND')) return []
  return [
    {
      key: `endpoint ${id}`,
      tone: 'bad',
      word: disabledReason ? 'Disabled' : 'Failing',
      text: (
        <>
          The webhook endpoint{' '}
          <Link to="/console/webhooks/$endpointId" params={{ endpointId: id }}>
            {new URL(url).host}
          </Link>{' '}
          {disabledReason ? 'was disabled: it accepted no events.' : 'accepts no events.'}
        </>
      ),
    },
  ]
}

function removedOrders(routes: readonly RouteUnderWay[]): Matter[] {
  const removed = routes.reduce((sum, { removedCount }) => sum + removedCount, 0)
  if (removed === 0) return []
  return [
    {
      key: 'removed',
      tone: 'warn',
      word: 'Removed',
      text: (
        <>
          {removed === 1 ? '1 order was' : `${removed} orders were`} removed in the last 24 hours.{' '}
          <Link to="/console/routes">Routes</Link>
        </>
      ),
    },
  ]
}
