import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askNode } from '../../cli/doctor/askNode.ts'
import type { Line } from '../../cli/doctor/line.ts'
import { judgeSample } from '../../cli/rehearse/judgeSample.ts'
import type { RehearsalOptions } from '../../cli/rehearse/rehearsal.ts'
import { rehearse } from '../../cli/rehearse/rehearse.ts'
import { runRehearse } from '../../cli/rehearse/runRehearse.ts'
import { openScratchDatabase, type ScratchDatabase } from '../../cli/rehearse/scratchDatabase.ts'
import { STAGES } from '../../cli/rehearse/stages.ts'
import { connect } from '../../db/sql.ts'
import { worldClient } from '../../devnet/world.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { getRehearsal } from '../../domain/rehearsal/getRehearsal.ts'
import { rehearsalReportFile } from '../../domain/rehearsal/rehearsalReport.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { endedCommand } from '../support/endedCommand.ts'
import { freePorts } from '../support/freePorts.ts'
import { type LyingNode, startLyingNode } from '../support/lyingNode.ts'
import { FAULTS, type Fault } from './rehearsalFaults.ts'

/** One world for all faults: the file takes about a minute. */
const CHAIN_IDS = [1, 4663]
/** More than the depth of finality, so that the newest final block has contracts. */
const DEEP = 70
/** Some contracts are older, and some logs are newer. */
const NEWEST = 105

let started: TestWorld
/** The second provider of each chain. */
let second: Record<number, LyingNode>
let database: ScratchDatabase
let folder: string
let path: string
let freePort: number

beforeAll(async () => {
  started = await startTestWorld(CHAIN_IDS, {
    withVaults: true,
    // The world itself has a vault of generation A, and one that was of it.
    ofB: [{ name: 'Harbor Dollar', chainId: 1, build: 'DepositorBHybrid' }],
  })
  second = Object.fromEntries(
    await Promise.all(
      CHAIN_IDS.map(
        async (id) => [id, await startLyingNode(started.world.rpcUrls[id] ?? '')] as const,
      ),
    ),
  )
  database = await openScratchDatabase(null)
  folder = await mkdtemp(join(tmpdir(), 'causeway-rehearse-test-'))
  path = join(folder, 'book.json')
  await writeFile(path, JSON.stringify(started.addressBook))
  ;[freePort = 0] = await freePorts(1)
  await Promise.all(CHAIN_IDS.map((id) => worldClient(started.world, id).mine({ blocks: DEEP })))
})
afterAll(async () => {
  await database.stop()
  await Promise.all(Object.values(second).map(({ stop }) => stop()))
  await started.stop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  for (const node of Object.values(second)) node.lie()
  await mine()
})

/** The age of heads is judged, and these chains mine only what they are sent. */
async function mine() {
  await Promise.all(CHAIN_IDS.map((id) => worldClient(started.world, id).mine({ blocks: 1 })))
}

function optionsOf(fault: Partial<Fault> = {}): RehearsalOptions {
  const book = structuredClone(started.addressBook)
  fault.book?.(book)
  return {
    book: parseAddressBook(book, 'the test'),
    path,
    chainUrls: new Map(
      CHAIN_IDS.map((id) => [id, id === 1 ? urlsOfFirst(fault.urls) : urlsOf(id)]),
    ),
    isLocal: false,
    now: Date.now,
    blocks: null,
    databaseUrl: database.url,
    sample: 3,
    indexMinutes: 3,
    followSeconds: 3,
    callPrice: 1_000,
  }
}

function urlsOf(id: number) {
  const [one = '', other = ''] = [started.world.rpcUrls[id], second[id]?.rpcUrl]
  return { rpcUrls: [one, other], wsUrls: [started.wsUrls[id] ?? ''] }
}

function urlsOfFirst(change: Fault['urls']) {
  const { rpcUrls, wsUrls } = urlsOf(1)
  switch (change) {
    case 'other socket':
      return { rpcUrls, wsUrls: urlsOf(4663).wsUrls }
    case 'dead socket':
      return { rpcUrls, wsUrls: [`ws://127.0.0.1:${freePort}`] }
    case 'no socket':
      return { rpcUrls, wsUrls: [] }
    case 'one provider':
      return { rpcUrls: rpcUrls.slice(0, 1), wsUrls }
    case 'nothing listens':
      return { rpcUrls: [rpcUrls[0] ?? '', `http://127.0.0.1:${freePort}`], wsUrls }
    default:
      return { rpcUrls, wsUrls }
  }
}

/** Some vaults of the world refuse on purpose: that is a warning of theirs. */
const wrong = (found: Line[]) =>
  found.filter(
    ({ level, check }) =>
      level === 'error' ||
      (level === 'warning' && !['deposits', 'withdrawals', 'quotes'].includes(check)),
  )
const textOf = ({ check, message }: Line) => `${check}: ${message}`

test('default: a sound world has no line that is not ok, is indexed, and its day is counted', async () => {
  const names: string[] = []
  const report = await rehearse(optionsOf(), { onProgress: (_, __, name) => names.push(name) })
  expect(wrong(report.lines)).toEqual([])
  expect(names).toEqual([...STAGES.map(({ name }) => name), ''])
  const texts = report.lines.map(textOf)
  for (const wanted of [
    /^node of chain 1, .* with history/,
    /^abilities of chain 4663, /,
    /^nodes of chain 1, .*: the same blocks, logs and state up to block \d+/,
    /^address book: it agrees with its chains, by each provider alone/,
    /^index: chains 1, 4663 in \d+ s, with \d+ calls/,
    /^quotes: 13 of 13 are as they would be sent/,
    /^deposits: \d of \d/,
    /^withdrawals: \d of \d/,
    /^sample of chain 1, .*: [1-9]\d+ logs and \d balances are as the index has them/,
  ])
    expect(texts).toContainEqual(expect.stringMatching(wanted))
  expect(Object.values(report.calls).every((count) => count > 10)).toBe(true)
  expect(Object.keys(report.calls)).toHaveLength(4)
  expect(report.callsPerDay).toBeGreaterThan(0)
  expect(report.usdPerDay).toBeCloseTo(report.callsPerDay / 1_000)
})

describe('each fault is named, with what to do', () => {
  test.each(FAULTS)('$stage: $name', async (fault) => {
    const url = started.world.rpcUrls[1] ?? ''
    if (fault.lie) second[1]?.lie(fault.lie((method, params) => askNode(url, method, params)))
    const found = wrong(await linesOf(fault))
    const texts = found.map((line) => `${line.level} ${textOf(line)}`)
    expect(texts).toContainEqual(expect.stringMatching(fault.wanted))
    for (const { advice } of found) expect(advice).toMatch(/\S/)
    // Only what is wrong is named: nothing of the other chain.
    expect(found.filter(({ check }) => check.includes('chain 4663'))).toEqual([])
  })
})

async function linesOf(fault: Fault): Promise<Line[]> {
  if (fault.stage === 'sample') {
    const sql = connect(database.url, { applicationName: 'rehearse-test', max: 2 })
    return judgeSample(optionsOf(fault), sql).finally(() => sql.end())
  }
  const stages = STAGES.filter(({ name }) => name === fault.stage)
  return (await rehearse(optionsOf(fault), { stages })).lines
}

test('behavior: of the newest blocks alone, the logs are judged', async () => {
  const stages = STAGES.filter(({ name }) => name === 'index')
  const options = { ...optionsOf(), blocks: NEWEST, databaseUrl: null }
  const { lines } = await rehearse(options, { stages })
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  expect(lines.map(textOf)).toContainEqual(
    expect.stringMatching(/^sample of chain 1, .*: [1-9]\d* logs and 0 balances/),
  )
})

test('behavior: a run goes on after what an earlier one has done, unless its inputs changed', async () => {
  const statePath = join(folder, 'state.json')
  const stages = STAGES.filter(({ name }) => ['nodes', 'providers'].includes(name))
  const asked = async (options = optionsOf(), isRestarted = false) => {
    const { calls, lines } = await rehearse(options, { statePath, isRestarted, stages })
    expect(lines.length).toBeGreaterThan(0)
    return Object.keys(calls).length
  }
  expect(await asked()).toBe(4)
  expect(await asked()).toBe(0)
  expect([await asked(optionsOf(), true), await asked()]).toEqual([4, 0])
  // A restarted run forgets also where none of its stages is good.
  const failing = stages.map(({ name }) => ({ name, run: () => Promise.reject(new Error('gone')) }))
  await rehearse(optionsOf(), { statePath, isRestarted: true, stages: failing })
  expect(await asked()).toBe(4)
  // A run that is killed while it writes leaves a part.
  await writeFile(statePath, '{"inputs":')
  expect(await asked()).toBe(4)
  expect(await asked({ ...optionsOf(), sample: 4 })).toBe(4)
  second[1]?.lie(() => '0x5')
  expect(await asked({ ...optionsOf(), sample: 5 })).toBe(4)
  second[1]?.lie()
  // What was wrong is tried again.
  expect(await asked({ ...optionsOf(), sample: 5 })).toBeGreaterThan(0)
  expect(await readFile(statePath, 'utf8')).not.toContain('http')
})

test('behavior: the command prints its report for people and as JSON, and ends with 1 for an error', async () => {
  const variables = {
    DATA_DIRECTORY: folder,
    ADDRESS_BOOK: path,
    ...Object.fromEntries(
      CHAIN_IDS.flatMap((id) => [
        [`RPC_URL_${id}`, urlsOf(id).rpcUrls.join()],
        [`WS_URL_${id}`, started.wsUrls[id]],
      ]),
    ),
  }
  second[1]?.lie((call, result) => (call.method === 'eth_chainId' ? '0x5' : result))
  const parameters = ['--database', database.url, '--follow-seconds', '3', '--call-price', '10']
  const people = await endedCommand(runRehearse, parameters, variables)
  expect(people.code).toBe(1)
  expect(people.stdout).toMatch(/error {4}node of chain 1, .*: it is a node of chain 5\n +Set one/)
  expect(people.stdout).toMatch(/A day of one indexer: about \d+ calls, \d+\.\d\d USD/)
  expect(people.stderr).toMatch(/^\[ +\] nodes\n/)
  second[1]?.lie()
  await mine()
  const json = await endedCommand(runRehearse, [...parameters, '--json'], variables)
  const printed = JSON.parse(json.stdout)
  expect({ code: json.code, lines: wrong(printed.lines) }).toEqual({ code: 0, lines: [] })
  // The api reads the same.
  const kept = await getRehearsal({ rehearsalReport: rehearsalReportFile(folder) })
  expect({ ...kept, lines: kept.lines.length }).toEqual({ ...printed, lines: printed.lines.length })
})
