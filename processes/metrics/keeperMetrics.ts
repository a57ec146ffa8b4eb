import { Gauge, type Registry } from 'prom-client'
import { oncePerScrape } from './oncePerScrape.ts'

/** How the keeper of a chain gets on, read at each scrape. */
export type KeeperState = {
  chainId: number
  lagSeconds: number | null
  unplacedTransferCount: number
  unexplainedBalanceCount: number
  unscreenedPaymentCount: number
  unpaidConversionCount: number
}

/** The gauges of one scrape share one read. The lag of a chain that no worker has kept is absent. */
export function collectKeepers(registry: Registry, readKeepers: () => Promise<KeeperState[]>) {
  const read = oncePerScrape(readKeepers)
  const gauge = (name: string, help: string, readValue: (state: KeeperState) => number | null) => {
    const made = new Gauge({
      name: `causeway_keeper_${name}`,
      help,
      labelNames: ['chain'],
      registers: [registry],
      async collect() {
        made.reset()
        for (const state of await read()) {
          const value = readValue(state)
          if (value !== null) made.set({ chain: state.chainId }, value)
        }
      },
    })
  }
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
