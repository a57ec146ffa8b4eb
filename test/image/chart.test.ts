import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service, ServiceAccount } from 'kubernetes-models/v1'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../..')
const chart = join(root, 'deploy/helm/causeway')
const KINDS = {
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
}
/** Of operators that may be in the cluster. Their schemas are not here: a test states what is rendered. */
const OF_OPERATORS = ['PodMonitor', 'ScaledObject']
/** Where Debian installs the packages that the renderer imports. */
const GO_PACKAGES = '/usr/share/gocode'

type Container = {
  image: string
  args: string[]
  env: { name: string; value: string }[]
  securityContext: object
  readinessProbe?: object
  livenessProbe?: object
}
type PodTemplate = {
  metadata: { labels: Record<string, string> }
  spec: {
    initContainers?: Container[]
    containers: Container[]
    securityContext: object
    volumes: { name: string; secret?: { items: { key: string; path: string }[] } }[]
  }
}
type Rendered = {
  kind: keyof typeof KINDS
  metadata: { name: string }
  spec: {
    template: PodTemplate
    selector: { matchLabels: Record<string, string> }
    replicas?: number
    ingress?: unknown
    /** Of an autoscaler. */
    scaleTargetRef?: { name: string }
    /** Of a network policy. */
    podSelector?: { matchLabels: Record<string, string> }
  }
}

const hasHelm = spawnSync('helm', ['version']).status === 0
const canRender = hasHelm || existsSync(join(GO_PACKAGES, 'src/github.com/Masterminds/sprig'))
if (!canRender)
  process.stderr.write(
    'The Helm chart is NOT tested: there is neither helm, nor Debian’s golang-go, golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev\n',
  )

async function render(values: object): Promise<Rendered[]> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-chart-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'values.json')
  await writeFile(file, JSON.stringify(values))
  const [program, ...args] = hasHelm
    ? ['helm', 'template', 'main', chart, '--values', file]
    : ['go', 'run', join(import.meta.dirname, 'renderChart.go'), chart, file]
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: GO_PACKAGES }
  const { stdout } = await promisify(execFile)(program ?? '', args, { env })
  const documents = parseAllDocuments(stdout)
  expect(documents.flatMap(({ errors }) => errors)).toEqual([])
  return documents.map((document) => document.toJS()).filter(Boolean)
}

const pods = (rendered: Rendered[]) =>
  rendered.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
const variablesOf = ({ spec }: Rendered) =>
  Object.fromEntries(
    spec.template.spec.containers.flatMap(({ env }) => env.map(({ name, value }) => [name, value])),
  )

const EVERYTHING = {
  imagePullSecrets: [{ name: 'registry' }],
  addressBook: { configMap: 'book-7' },
  env: { LOG_LEVEL: 'debug' },
  serviceAccount: { annotations: { 'example.com/role': 'signer' } },
  ingress: { enabled: true, host: 'api.example', className: 'nginx', tlsSecretName: 'tls' },
  api: { env: { QUOTE_TTL_SECONDS: 300 }, autoscaling: { enabled: true } },
  worker: { autoscaling: { enabled: true } },
  indexer: { replicas: 2 },
  networkPolicy: { enabled: true, metricsFrom: [{ namespaceSelector: {} }] },
  podMonitors: { enabled: true },
}

describe.skipIf(!canRender)('the Helm chart', () => {
  test.each([
    ['by default', {}, 11],
    ['with everything', EVERYTHING, 21],
  ])('default: %s, every object is one of Kubernetes', async (_, values, count) => {
    const rendered = await render(values)
    expect(rendered).toHaveLength(count)
    for (const object of rendered) {
      if (OF_OPERATORS.includes(object.kind)) continue
      const Model = KINDS[object.kind]
      // The models' types are exact; what is rendered is judged by their schemas.
      new Model(object as never).validate()
    }
    const names = rendered.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(count)
  })

  test('behavior: each pod is found by its own workload only, and may write nothing', async () => {
    const workloads = pods(await render({}))
    expect(workloads.map(({ spec }) => spec.template.spec.containers[0]?.args[0]).sort()).toEqual([
      'api',
      'indexer',
      'indexer',
      'migrate',
      'worker',
    ])
    for (const { kind, metadata, spec } of workloads) {
      const { containers, securityContext } = spec.template.spec
      expect(securityContext, metadata.name).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 })
      expect(containers[0]?.securityContext, metadata.name).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
      if (kind === 'Job') continue
      expect(containers[0], metadata.name).toMatchObject({
        readinessProbe: {},
        livenessProbe: {},
      })
      const found = workloads.filter((other) =>
        Object.entries(spec.selector.matchLabels).every(
          ([name, value]) => other.spec.template.metadata.labels[name] === value,
        ),
      )
      expect(found.map((other) => other.metadata.name)).toEqual([metadata.name])
    }
  })

  test('behavior: every variable is one of .env.example, secrets are files', async () => {
    const example = await readFile(join(root, '.env.example'), 'utf8')
    const known = new Set([...example.matchAll(/^(?:# )?([A-Z0-9_]+)=/gm)].map(([, name]) => name))
    for (const workload of pods(await render(EVERYTHING)))
      for (const [name, value] of Object.entries(variablesOf(workload))) {
        expect(known, name).toContain(name.replace(/^(RPC_URL_)\d+(_FILE)?$/, '$11'))
        expect(value.startsWith('/run/secrets/'), name).toBe(name.endsWith('_FILE'))
      }
  })

  test('behavior: a pod gets only the secrets that its variables name', async () => {
    const own = '/run/secrets/causeway/quote-api-key'
    const values = {
      api: { readReplicas: true },
      worker: { env: { QUOTE_API_KEY_FILE: own } },
    }
    for (const given of [{}, values, { api: { quoteSigner: false }, worker: { keeper: false } }])
      for (const { metadata, spec } of pods(await render(given))) {
        const { containers, initContainers = [], volumes } = spec.template.spec
        const items = volumes.flatMap(({ secret }) => secret?.items ?? [])
        expect(
          items.every(({ key, path }) => key === path),
          metadata.name,
        ).toBe(true)
        const named = [...containers, ...initContainers]
          .flatMap(({ env }) => env.map(({ value }) => value))
          .filter((value) => value.startsWith('/run/secrets/causeway/'))
          .map((value) => value.replace('/run/secrets/causeway/', ''))
        expect(items.map(({ key }) => key).sort(), metadata.name).toEqual(named.sort())
      }
    expect(JSON.stringify(await render(values)).match(/"key":"quote-api-key"/g)).toHaveLength(1)
  })

  test('error: without verification, the pod that migrates gets the URL of the owner alone', async () => {
    const job = (await render({ addressBook: { verify: false } })).find(
      ({ kind }) => kind === 'Job',
    )
    const items = job?.spec.template.spec.volumes.flatMap(({ secret }) => secret?.items ?? [])
    expect(items?.map(({ key }) => key)).toEqual(['database-url-owner'])
  })

  test('behavior: the address book of the indexers is verified with every node before anything starts', async () => {
    const jobOf = async (values: object) =>
      (await render(values)).find(({ kind }) => kind === 'Job')?.spec.template.spec
    const job = await jobOf({ indexer: { addressBook: 'book-7' }, chains: [1, 4663] })
    const [verify] = job?.initContainers ?? []
    expect(verify?.args).toEqual(['address-book', 'verify'])
    expect(verify?.env.map(({ name }) => name)).toEqual([
      'ADDRESS_BOOK',
      'RPC_URL_1_FILE',
      'RPC_URL_4663_FILE',
    ])
    expect(verify?.env[0]?.value).toBe('/etc/causeway/address-book.json')
    expect(JSON.stringify(job?.volumes)).toContain('book-7')
    expect(verify?.securityContext).toEqual(job?.containers[0]?.securityContext)
    expect((await jobOf({ addressBook: { verify: false } }))?.initContainers).toBeUndefined()
  })

  test('behavior: the id of a chain is written out, however long it is', async () => {
    const chains = [1, 11_155_111]
    const rendered = await render({ chains, indexers: [{ chains }] })
    expect(JSON.stringify(rendered)).not.toContain('e+')
    const indexer = pods(rendered).find(({ metadata }) =>
      metadata.name.endsWith('indexer-1-11155111'),
    )
    expect(indexer && variablesOf(indexer)).toMatchObject({
      INDEX_CHAINS: '1,11155111',
      RPC_URL_11155111_FILE: '/run/secrets/causeway/rpc-url-11155111',
    })
  })

  test('behavior: values reach the processes', async () => {
    const rendered = await render(EVERYTHING)
    const variables = Object.fromEntries(
      pods(rendered).map((workload) => [workload.metadata.name, variablesOf(workload)]),
    )
    expect(variables['main-causeway-api']).toMatchObject({
      LOG_LEVEL: 'debug',
      QUOTE_TTL_SECONDS: '300',
      ADDRESS_BOOK: '/etc/causeway/address-book.json',
    })
    expect(variables['main-causeway-indexer-4663']).toMatchObject({ INDEX_CHAINS: '4663' })
    const half = await render({ image: { tag: '2' }, api: { tag: '1', addressBook: 'book-6' } })
    const images = pods(half).map(({ metadata, spec }) => [
      metadata.name.replace('main-causeway-', ''),
      spec.template.spec.containers[0]?.image,
    ])
    expect(Object.fromEntries(images)).toEqual({
      'indexer-1': 'causeway:2',
      'indexer-4663': 'causeway:2',
      migrate: 'causeway:2',
      worker: 'causeway:2',
      api: 'causeway:1',
    })
    expect(JSON.stringify(half).match(/book-6/g)).toHaveLength(1)
    const without = await render({ api: { quoteSigner: false }, worker: { keeper: false } })
    expect(without.flatMap((object) => JSON.stringify(object)).join()).not.toMatch(
      /PRIVATE_KEY_FILE/,
    )
    const onReplicas = JSON.stringify(await render({ api: { readReplicas: true } }))
    expect(onReplicas.match(/DATABASE_READ_URL_FILE/g)).toHaveLength(1)
    await expect(render({ ingress: { enabled: true } })).rejects.toThrow('ingress.host is needed')
  })

  test('behavior: what scales, protects and watches pods names those of the chart', async () => {
    const keda = { enabled: true, prometheusUrl: 'http://prometheus:9090' }
    for (const values of [EVERYTHING, { ...EVERYTHING, keda }]) {
      const rendered = await render(values)
      const workloads = pods(rendered)
      const isFound = (labels: Record<string, string>) =>
        workloads.some(({ spec }) =>
          Object.entries(labels).every(
            ([name, value]) => spec.template.metadata.labels[name] === value,
          ),
        )
      const specs = (...kinds: string[]) =>
        rendered.filter(({ kind }) => kinds.includes(kind)).map(({ spec }) => spec)
      const budgets = specs('PodDisruptionBudget').map(({ selector }) => selector.matchLabels)
      const policies = specs('NetworkPolicy').map(
        // An empty selector is every pod.
        ({ podSelector }) => podSelector?.matchLabels ?? { selects: 'nothing' },
      )
      const monitors = specs('PodMonitor').map(({ selector }) => selector.matchLabels)
      expect([budgets.length, policies.length, monitors.length]).toEqual([4, 4, 3])
      expect([...budgets, ...policies, ...monitors].filter((labels) => !isFound(labels))).toEqual(
        [],
      )
      const scaled = specs('HorizontalPodAutoscaler', 'ScaledObject').map(
        ({ scaleTargetRef }) => scaleTargetRef?.name,
      )
      expect(scaled.sort()).toEqual(['main-causeway-api', 'main-causeway-worker'])
      const hpas = specs('HorizontalPodAutoscaler').length
      expect(hpas).toBe('keda' in values ? 0 : 2)
    }
    const withoutUrl = { ...EVERYTHING, keda: { enabled: true } }
    await expect(render(withoutUrl)).rejects.toThrow('keda.prometheusUrl is needed')
  })

  test('behavior: an autoscaler decides about the number of pods, and a standby waits beside each indexer', async () => {
    const numbers = async (values: object) =>
      Object.fromEntries(
        (await render(values))
          .filter(({ kind }) => kind === 'Deployment')
          .map(({ metadata, spec }) => [
            metadata.name.replace('main-causeway-', ''),
            spec.replicas,
          ]),
      )
    expect(await numbers({})).toEqual({ api: 2, worker: 2, 'indexer-1': 1, 'indexer-4663': 1 })
    expect(
      await numbers({
        ...EVERYTHING,
        indexers: [{ chains: [1], replicas: 3 }, { chains: [4663] }],
      }),
    ).toEqual({
      'indexer-1': 3,
      'indexer-4663': 2,
    })
  })

  test('error: with the network policy nothing reaches workers, indexers and jobs', async () => {
    const rendered = await render({ networkPolicy: { enabled: true } })
    const open = rendered
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ metadata, spec }) => [metadata.name, spec.ingress])
    expect(Object.fromEntries(open)).toEqual({
      'main-causeway-api': [{ ports: [{ port: 'http' }] }],
      'main-causeway-indexer': undefined,
      'main-causeway-migrate': undefined,
      'main-causeway-worker': undefined,
    })
  })

  test('behavior: who may reach the api is limited to those who are named, and the keeper', async () => {
    const ingress = { namespaceSelector: { matchLabels: { name: 'ingress' } } }
    const rendered = await render({ networkPolicy: { enabled: true, apiFrom: [ingress] } })
    const policyOf = (name: string) =>
      rendered.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)
        ?.spec
    const worker = policyOf('main-causeway-worker')
    expect(policyOf('main-causeway-api')?.ingress).toEqual([
      { ports: [{ port: 'http' }], from: [ingress, { podSelector: worker?.podSelector }] },
    ])
  })
})
