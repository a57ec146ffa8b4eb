import { expect, test } from 'vitest'
import { findMisspelled } from './misspelled.ts'

test.each(['METRICS_PRT', 'METRICSS_PORT', 'METRICS_POTR', 'METRICS_BORT', 'metrics_port'])(
  'default: %s is METRICS_PORT',
  (written) => {
    expect(findMisspelled(['METRICS_PORT'], { [written]: '1' })).toEqual([
      { name: 'METRICS_PORT', written },
    ])
  },
)

test('behavior: a name that differs more, and a variable that is set', () => {
  const found = (given: Record<string, string>) => findMisspelled(['API_HOST', 'API_PORT'], given)
  expect(found({ API_PROTS: '1', APP_HOSTS: '1' })).toEqual([])
  expect(found({ API_PORT: '1', API_PORTS: '1' })).toEqual([])
})
