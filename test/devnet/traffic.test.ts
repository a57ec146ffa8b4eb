import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { encodeFunctionData, isHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { runTrafficCommand } from '../../cli/traffic/runTrafficCommand.ts'
import { devnetUserKeys } from '../../devnet/accounts.ts'
import { worldClient, worldStations } from '../../devnet/world.ts'
import { writeRunFile } from '../../processes/start/runFile.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { endedCommand, spawnedCommand } from '../support/endedCommand.ts'
import { stationAbi } from './localAbis.ts'
import { deployer, EIDS, send, station } from './stationWorld.ts'

const ENTRY = join(import.meta.dirname, '..', '..', 'cli', 'traffic.ts')

let local: TestWorld
let folder: string
beforeAll(async () => {
  local = await startTestWorld()
  folder = await mkdtemp(join(tmpdir(), 'causeway-traffic-'))
  const addressBook = join(folder, 'address-book.json')
  await writeFile(addressBook, JSON.stringify(local.addressBook))
  await writeRun(folder, local.world.rpcUrls)
})
afterAll(async () => {
  await local?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('npm run traffic', () => {
  test('default: one line per order, each of which is on chain; SIGTERM ends it at once', async () => {
    const child = start('--data', folder, '--per-minute', '600')
    const ids: string[] = []
    let endedAt: number | undefined
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      ids.push(line.split('  ')[0] ?? '')
      if (ids.length < 5) continue
      child.kill('SIGTERM')
      endedAt ??= Date.now()
    }
    expect(Date.now() - (endedAt ?? 0)).toBeLessThan(500)
    expect(ids.filter((id) => !isHash(id))).toEqual([])
    expect(await submittedIds()).toEqual(expect.arrayContaining(ids))
  })

  test('behavior: the requested number; a failure is reported and does not end it', async () => {
    await pause(4663)
    await approveOnly({ sourceChainId: 4663 })
    const parameters = ['--data', folder, '--per-minute', '6000', '--count', '3']
    const { code, stdout } = await endedCommand(runTrafficCommand, parameters, process.env)
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split('  ')[0])).toEqual(['failed', 'failed', 'failed'])
    expect(lines.filter((line) => !/ {2}4663 → \d+ {2}[\d.]+ USD. for USD.: ./.test(line))).toEqual(
      [],
    )
  })

  test('behavior: Ctrl-C ends it at once', async () => {
    const child = start('--data', folder, '--per-minute', '1')
    await once(child.stdout ?? child, 'data')
    const interruptedAt = Date.now()
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(Date.now() - interruptedAt).toBeLessThan(5_000)
  })

  test.each([
    ['nothing runs', ['--data', '/nowhere'], 'Run npm start first'],
    ['a rate that is none', ['--per-minute', '0'], 'expected a number above 0'],
    ['a count that is none', ['--count', '1.5'], 'expected an integer from 1'],
  ])('error: %s', async (_, parameters, words) => {
    expect(await failureOf(...parameters)).toEqual([1, expect.stringContaining(words)])
  })

  test('error: the process ends with 1', async () => {
    const parameters = ['--data', '/nowhere']
    expect(await spawnedCommand(ENTRY, parameters, process.env)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Run npm start first'),
    })
  })

  test('error: the nodes are gone', async () => {
    const gone = await mkdtemp(join(folder, 'gone-'))
    await writeRun(gone, { 1: 'http://127.0.0.1:9', 4663: 'http://127.0.0.1:9' })
    expect(await failureOf('--data', gone)).toEqual([
      1,
      expect.stringMatching(/^error: Chain \d+:/),
    ])
  })

  test('error: no route is approved', async () => {
    await approveOnly({ sourceChainId: 0 })
    expect(await failureOf('--data', folder)).toEqual([1, expect.stringContaining('No route')])
  })
})

async function failureOf(...parameters: string[]) {
  const { code, stderr } = await endedCommand(runTrafficCommand, parameters, process.env)
  return [code, stderr]
}

function writeRun(directory: string, rpcUrls: Record<number, string>) {
  return writeRunFile(directory, {
    apiUrl: '',
    consoleUrl: '',
    graphqlUrl: '',
    apiKey: '',
    rpcUrls,
    databaseUrl: '',
    addressBook: join(folder, 'address-book.json'),
    shield: null,
    accounts: devnetUserKeys(),
    devnetCommand: [],
    pids: {},
  })
}

function pause(chainId: number) {
  const data = encodeFunctionData({ abi: stationAbi, functionName: 'pause' })
  return send(local.world, chainId, { address: station, account: deployer, data })
}

/** Keeps only the routes from this chain approved. */
async function approveOnly({ sourceChainId }: { sourceChainId: number }) {
  const stations = worldStations(local.world)
  for (const { chainId } of stations) {
    const routes = local.world.addressBook.transitRoutes
      .filter((route) => route.sourceChainId === chainId)
      .map(({ destinationChainId, offerAsset, wantAsset }) => ({
        destEID: EIDS[destinationChainId] ?? 0,
        offerAsset,
        wantAsset,
      }))
    const data = encodeFunctionData({
      abi: stationAbi,
      functionName: 'setRouteApprovals',
      args: [routes, routes.map(() => chainId === sourceChainId)],
    })
    await send(local.world, chainId, { address: station, account: deployer, data })
  }
}

function start(...parameters: string[]): ChildProcess {
  return spawn(process.execPath, [ENTRY, ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] })
}

async function submittedIds(): Promise<string[]> {
  const logs = await Promise.all(
    worldStations(local.world).map(({ chainId, station }) =>
      worldClient(local.world, chainId).getContractEvents({
        address: station,
        abi: transitStationAbi,
        eventName: 'OrderSubmitted',
        fromBlock: 0n,
        strict: true,
      }),
    ),
  )
  return logs.flat().map(({ args }) => args.uuid)
}
