import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service, ServiceAccount } from 'kubernetes-models/v1'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../..')
const chart = join(root, 'deploy/helm/causeway')
const KINDS = { Deployment, Job, Ingress, PodDisruptionBudget, Service, ServiceAccount }
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
    volumes: { name: string }[]
  }
}
type Rendered = {
  kind: keyof typeof KINDS
  metadata: { name: string }
  spec: { template: PodTemplate; selector: { matchLabels: Record<string, string> } }
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
  api: { env: { QUOTE_TTL_SECONDS: 300 } },
  serviceAccount: { annotations: { 'example.com/role': 'signer' } },
  ingress: { enabled: true, host: 'api.example', className: 'nginx', tlsSecretName: 'tls' },
}

describe.skipIf(!canRender)('the Helm chart', () => {
  test.each([
    ['by default', {}, 8],
    ['with everything', EVERYTHING, 9],
  ])('default: %s, every object is one of Kubernetes', async (_, values, count) => {
    const rendered = await render(values)
    expect(rendered).toHaveLength(count)
    for (const object of rendered) {
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
})
