import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { devnetUserKeys } from '../../devnet/accounts.ts'
import { worldClient, worldStations } from '../../devnet/world.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'

const ENTRY = join(import.meta.dirname, '..', '..', 'cli', 'traffic.ts')

let local: TestWorld
let folder: string
beforeAll(async () => {
  local = await startTestWorld()
  folder = await mkdtemp(join(tmpdir(), 'causeway-traffic-'))
  const addressBook = join(folder, 'address-book.json')
  await writeFile(addressBook, JSON.stringify(local.addressBook))
  await writeFile(
    join(folder, 'run.json'),
    JSON.stringify({
      apiUrl: '',
      graphqlUrl: '',
      apiKey: '',
      rpcUrls: local.world.rpcUrls,
      databaseUrl: '',
      addressBook,
      accounts: devnetUserKeys(),
      pids: {},
    }),
  )
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

  test('error: nothing runs', async () => {
    const child = start('--data', join(folder, 'nowhere'))
    const [said] = await once(child.stderr ?? child, 'data')
    expect(String(said)).toContain('npm start')
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1)
  })

  test('error: a rate that is none', async () => {
    const child = start('--per-minute', '0')
    expect((await once(child, 'exit'))[0]).toBe(1)
  })
})

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
