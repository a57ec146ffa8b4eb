import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createIndexerMetrics } from '../../processes/metrics/indexerMetrics.ts'
import { createMetrics } from '../../processes/metrics/metrics.ts'

/** Alerts, dashboards, runbook and the page of metrics name the same things, and what the processes really expose. */

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

type Rule = { alert: string; expr: string; annotations: { runbook_url: string } }
type Exposed = { type: string; labelNames?: string[] }
type Panel = { title: string; targets?: { expr: string }[] }
const rules: Rule[] = parse(read('deploy/prometheus/alerts.yaml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
)
const dashboards = readdirSync(join(root, 'deploy/grafana')).filter((file) =>
  file.endsWith('.json'),
)
const panels = dashboards.flatMap(
  (file): Panel[] => JSON.parse(read(`deploy/grafana/${file}`)).panels,
)
const drawn = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr.replaceAll('$__rate_interval', '5m')] as const),
)

const none = async () => []
const service = createMetrics([1], {
  readIndex: none,
  readQueues: none,
  readJobWait: async () => 0,
  readBlockedVaults: none,
  readKeepers: none,
  readStorage: none,
  readEndpoints: none,
})
const indexer = createIndexerMetrics(async () => null)
afterAll(() => {
  service.stop()
  indexer.stop()
})

/** Prometheus adds the first two to every series; the buckets of a histogram have the third. */
const ADDED_LABELS = ['job', 'instance', 'le']
const exposed = new Map<string, string[]>([['up', []]])
for (const { registry } of [service, indexer])
  for (const metric of registry.getMetricsAsArray()) {
    const { type, labelNames = [] } = metric as unknown as Exposed // The types of prom-client lack `labelNames`, and have numbers as types.
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    for (const suffix of suffixes) exposed.set(`${metric.name}${suffix}`, labelNames)
  }

type Selected = { metric: string; labels: string[]; values: string[] }

/** The series that an expression selects. Throws if it is no PromQL. */
function selectedBy(expr: string): Selected[] {
  const selected: Selected[] = []
  parser.parse(expr).iterate({
    enter(node) {
      const text = expr.slice(node.from, node.to)
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${expr}`)
      if (node.name === 'Identifier') selected.push({ metric: text, labels: [], values: [] })
      if (node.name === 'LabelName' && node.node.parent?.name !== 'GroupingLabels')
        selected.at(-1)?.labels.push(text)
      if (node.name === 'StringLiteral' && node.node.parent?.name !== 'FunctionCallBody')
        selected.at(-1)?.values.push(...text.slice(1, -1).split('|'))
    },
  })
  return selected
}

test.each([...rules.map(({ alert, expr }) => [alert, expr] as const), ...drawn])(
  'default: %s selects what is exposed',
  (_, expr) => {
    const selected = selectedBy(expr)
    expect(selected).not.toEqual([])
    for (const { metric, labels } of selected) {
      expect([...exposed.keys()]).toContain(metric)
      expect([...(exposed.get(metric) ?? []), ...ADDED_LABELS]).toEqual(
        expect.arrayContaining(labels),
      )
    }
  },
)

const runbook = read('docs/operating/on-call.md')
const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const heading = section.slice(0, section.indexOf('\n'))
      return [heading.toLowerCase().replaceAll(' ', '-'), section] as const
    }),
)
const anchorOf = ({ annotations }: Rule) => annotations.runbook_url.split('#')[1] ?? ''

describe('the runbook', () => {
  test.each(rules)('default: $alert leads to its section', (rule) => {
    expect(rule.annotations.runbook_url).toMatch(/^docs\/operating\/on-call\.md#/)
    const section = sections.get(anchorOf(rule)) ?? ''
    for (const part of [`\`${rule.alert}\``, '**Means', '**Look', '**Do'])
      expect(section).toContain(part)
  })

  test('behavior: it names no other alert', () => {
    const named = [...runbook.matchAll(/`(Causeway[A-Z]\w+)`/g)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
  })
})

/** The rows of the table of metrics: the metrics, and the anchors of the runbook that their alert leads to. */
const rows = [
  ...read('docs/operating/metrics.md').matchAll(/^\| (`(?:causeway|nodejs|process)_.*)$/gm),
].map(([, row = '']) => ({
  row,
  metrics: [...(row.split('|')[0] ?? '').matchAll(/`(\w+)/g)].map(([, name = '']) => name),
  anchors: [...row.matchAll(/on-call\.md#([\w-]+)/g)].map(([, anchor = '']) => anchor),
}))
const baseOf = (metric: string) => metric.replace(/_(bucket|sum|count)$/, '')

describe('the page of metrics', () => {
  test('default: it has every metric of ours, and no other', () => {
    const ours = [...exposed.keys()].map(baseOf).filter((name) => name.startsWith('causeway_'))
    const named = rows.flatMap(({ metrics }) => metrics)
    expect(named.filter((name) => name.startsWith('causeway_')).toSorted()).toEqual(
      [...new Set(ours)].toSorted(),
    )
    for (const name of named) expect([...exposed.keys()].map(baseOf)).toContain(name)
  })

  test.each(rows)('behavior: the alerts of $metrics are rules', ({ metrics, anchors }) => {
    const alerting = rules.filter(({ expr }) =>
      selectedBy(expr).some(({ metric }) => metrics.includes(baseOf(metric))),
    )
    expect(new Set(anchors)).toEqual(new Set(alerting.map(anchorOf)))
  })

  test.each(rules)('behavior: the words that $alert compares with are on it', ({ expr }) => {
    for (const { metric, values } of selectedBy(expr)) {
      const found = rows.find(({ metrics }) => metrics.includes(baseOf(metric)))
      if (!found) continue
      const words = values.filter((value) => /^[a-z_]+$/.test(value) && value !== 'quoted')
      for (const word of words) expect(found.row).toContain(word)
    }
  })
})

const promtool = spawnSync('promtool', ['--version']).error === undefined
const why = promtool ? '' : " (skipped: no promtool; Debian's package prometheus has it)"

test.skipIf(!promtool)(`default: each rule is silent and fires in time${why}`, () => {
  const files = ['alerts.test.yaml', 'alertsOfDays.test.yaml']
  const cases = files.map((file) => read(`deploy/prometheus/${file}`)).join('')
  for (const { alert } of rules) {
    expect(cases).toContain(`alertname: ${alert}, exp_alerts: []`)
    expect(cases).toContain(`alertname: ${alert}\n`)
  }
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', ...files], {
    cwd: join(root, 'deploy/prometheus'),
    encoding: 'utf8',
  })
  expect(`${stdout}${stderr}`).not.toContain('FAILED')
  expect(status).toBe(0)
})
