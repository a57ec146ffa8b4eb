import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { addAuditCommands } from '../cli/admin/auditCommands.ts'
import type { Run } from '../cli/admin/command.ts'
import { addIndexCommands } from '../cli/admin/indexCommands.ts'
import { addKeyCommands } from '../cli/admin/keyCommands.ts'
import { addMemberCommands } from '../cli/admin/memberCommands.ts'
import { addOrganizationCommands } from '../cli/admin/organizationCommands.ts'
import { addSmartDepositCommands } from '../cli/admin/smartDepositCommands.ts'
import { addTransitCommands } from '../cli/admin/transitCommands.ts'
import { addWebhookCommands } from '../cli/admin/webhookCommands.ts'
import { describeEvent } from '../domain/webhook/eventFields.ts'
import { EVENT_TYPES } from '../domain/webhook/eventTypes.ts'
import { HOLDING_ATTEMPTS, RETRY_SECONDS } from '../domain/webhook/retrySchedule.ts'

/** Compares tables that are written by hand with what is generated from the code. */

type Operation = {
  operationId?: string
  security?: Record<string, string[]>[]
  parameters?: { name?: string; description?: string }[]
}

const read = (page: string) => readFileSync(join(import.meta.dirname, page), 'utf8')
const { paths } = JSON.parse(read('openapi.json')) as {
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.values(methods)
    .filter(({ operationId }) => operationId)
    .map((operation) => ({ path, ...operation })),
)

/** The texts in backticks. */
const quoted = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)

/** The cells of each row of the page's tables. */
const rowsOf = (page: string) =>
  read(page)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(1, -1))

const lists = operations.flatMap(({ path, parameters = [] }) => {
  const [, keys] =
    /Keys: (.*)\./.exec(parameters.find(({ name }) => name === 'filter')?.description ?? '') ?? []
  return keys ? [{ path, keys: keys.split(', ') }] : []
})

/** The first cells of the rows of filters.md and their keys; an empty first cell goes on with the row above. */
function filterKeys(): { names: string[]; keys: string[]; like: boolean }[] {
  const found: { names: string[]; keys: string[]; like: boolean }[] = []
  for (const [name = '', key = ''] of rowsOf('filters.md')) {
    const last = found.at(-1)
    if (name.trim() === '') last?.keys.push(...quoted(key))
    else found.push({ names: quoted(name), keys: quoted(key), like: key.includes('as `/') })
  }
  return found
}

test.each(lists)('the page of filters has the keys of $path', ({ path, keys }) => {
  const end = path.split('/').at(-1) ?? ''
  const row = filterKeys().find(({ names }) =>
    names.some((name) => name === path || name === end || name === `…/${end}`),
  )
  expect(row, path).toBeDefined()
  if (!row?.like) expect(row?.keys).toEqual(expect.arrayContaining(keys))
})

const secured = operations
  .map(({ path, security = [] }) => ({ path, permission: security[0]?.apiKey?.[0] }))
  .filter(({ permission }) => permission)

test.each(secured)('the page of access names $permission for $path', ({ path, permission }) => {
  const plain = path.replace(/\/\{.*/, '')
  const named = rowsOf('access.md').flatMap(([permissions = '', rest = '']) =>
    quoted(rest).map((name) => ({ permission: quoted(permissions)[0], name })),
  )
  const exact = [path, plain].flatMap((given) => named.filter(({ name }) => name === given))
  const wider = named.filter(
    ({ name }) => name.endsWith('…') && plain.startsWith(name.slice(0, -1)),
  )
  expect((exact[0] ?? wider[0])?.permission).toBe(permission)
})

const folders = ['api', 'domain', 'processes', 'worker'].flatMap((parent) => [
  ...new Set(
    globSync(`${parent}/*/**/*.ts`, { cwd: join(import.meta.dirname, '..') }).map((file) =>
      file.split('/', 2).join('/'),
    ),
  ),
])

test.each(folders)('the page of the layout has a row of %s', (folder) => {
  const named = rowsOf('layout.md').flatMap(([first = '']) => quoted(first))
  expect(named.some((name) => name === folder || name.startsWith(`${folder}/`))).toBe(true)
})

test('the pages of events have every type', () => {
  const named = quoted(read('webhooks.md') + read('smart-deposits.md'))
  const missing = EVENT_TYPES.filter(
    (type) => !named.includes(type) && !named.includes(type.split('.').at(-1) ?? ''),
  )
  expect(missing).toEqual([])
})

test.each([
  ['an order', 'transit.order.submitted'],
  ['a withdrawal request', 'withdrawal.request.created'],
] as const)('the table of the bodies of events has every field of %s', (subject, type) => {
  const rows = new Map(rowsOf('webhooks.md').map(([first = '', rest = '']) => [first.trim(), rest]))
  const named = [subject, 'both'].flatMap((row) => quoted(rows.get(row) ?? ''))
  const shared = Object.keys(describeEvent('ping').properties)
  const fields = Object.keys(describeEvent(type).properties).filter(
    (field) => !shared.includes(field),
  )
  expect(named).toEqual(fields)
})

test('the page of administration has every command', () => {
  const program = new Command()
  const run: Run = () => Promise.reject(new Error('no command is run'))
  for (const add of [
    addAuditCommands,
    addIndexCommands,
    addKeyCommands,
    addMemberCommands,
    addOrganizationCommands,
    addSmartDepositCommands,
    addTransitCommands,
    addWebhookCommands,
  ])
    add(program, run, {})
  const commands = program.commands.flatMap((group) =>
    group.commands.map((command) => `${group.name()} ${command.name()}`),
  )
  expect(commands.length).toBeGreaterThan(30)
  // A row names its group once, and goes on with the names of further commands.
  const named = rowsOf('operating/administration.md').flatMap((cells) => {
    const names = quoted(cells.join('|'))
    const group = names[0]?.split(' ')[0]
    return names.flatMap((name) => {
      const [first = '', second = ''] = name.split(' ')
      return first === group ? [`${group} ${second}`] : [`${group} ${first}`]
    })
  })
  expect(commands.filter((command) => !named.includes(command))).toEqual([])
})

test('the times of a delivery that fails', () => {
  const seconds = (waits: readonly number[]) => waits.reduce((sum, wait) => sum + wait, 0)
  const held = Math.round(seconds(RETRY_SECONDS.slice(0, HOLDING_ATTEMPTS - 1)) / 60)
  const page = read('webhooks.md').replaceAll('\n', ' ')
  expect(page).toContain(`some ${held} minutes, the later events wait`)
  expect(read('../CHANGELOG.md')).toContain(`for ${held} minutes, not for four days`)
  expect(page).toContain(`${Math.floor(seconds(RETRY_SECONDS) / 3_600)} hours in all`)
})
