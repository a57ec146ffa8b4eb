import type { RehearsalReport } from '../../domain/rehearsal/rehearsalReport.ts'

/** A short report, for docs/examples. */
export const EXAMPLE_REPORT: RehearsalReport = {
  ranAt: '2026-11-26T08:00:00.000Z',
  chainIds: [1, 4663],
  blocks: 20_000,
  seconds: 431,
  lines: [
    {
      level: 'error',
      check: 'nodes of chain 1, one.example and two.example',
      message:
        'two.example lacks 1 of 212 logs that the other has, the first is log 3 of block 25100012',
      advice: 'Ask both providers. Until you know which one is right, use neither.',
    },
    {
      level: 'warning',
      check: 'nodes of chain 1',
      message: 'there is no websocket: a block is noticed at the next poll',
      advice: 'Set WS_URL_1 for the indexer.',
    },
    {
      level: 'ok',
      check: 'address book',
      message: 'it agrees with its chains, by each provider alone',
      advice: null,
    },
  ],
  calls: { 'one.example': 612, 'two.example': 388 },
  use: [
    { chainId: 1, method: 'eth_getLogs', callsPerDay: 43_200 },
    { chainId: 4663, method: 'eth_getLogs', callsPerDay: 43_200 },
  ],
  callsPerDay: 86_400,
  usdPerDay: 0.1728,
}
