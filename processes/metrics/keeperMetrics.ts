import type { Registry } from 'prom-client'
import { oncePerScrape } from './oncePerScrape.ts'
import { readGauge } from './readGauge.ts'

/** How the keeper of a chain gets on, read at each scrape. */
export type KeeperState = {
  chainId: number
  lagSeconds: number | null
  unplacedTransferCount: number
  unexplainedBalanceCount: number
  unscreenedPaymentCount: number
  unpaidConversionCount: number
}

/** The lag of a chain that no worker has kept is absent. */
export function collectKeepers(registry: Registry, readKeepers: () => Promise<KeeperState[]>) {
  const readAll = oncePerScrape(readKeepers)
  const gauge = (name: string, help: string, readingOf: (state: KeeperState) => number | null) =>
    readGauge(registry, {
      name: `keeper_${name}`,
      help,
      labelNames: ['chain'],
      read: async () =>
        (await readAll()).map((state) => [{ chain: state.chainId }, readingOf(state)]),
    })
  gauge(
    'lag_seconds',
    'Since the last pass of the keeper in which nothing failed.',
    ({ lagSeconds }) => lagSeconds,
  )
  gauge(
    'unplaced_transfers',
    'Transfers to smart deposit addresses whose position in their transaction no node shows.',
    ({ unplacedTransferCount }) => unplacedTransferCount,
  )
  gauge(
    'unexplained_balances',
    'Smart deposit addresses that hold more than their known payments explain.',
    ({ unexplainedBalanceCount }) => unexplainedBalanceCount,
  )
  gauge(
    'unscreened_payments',
    'Payments that wait because the provider that screens payers gives no answer.',
    ({ unscreenedPaymentCount }) => unscreenedPaymentCount,
  )
  gauge(
    'unpaid_conversions',
    'Payments whose Transit orders have not paid all of them for an hour.',
    ({ unpaidConversionCount }) => unpaidConversionCount,
  )
}
