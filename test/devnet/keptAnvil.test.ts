import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { type KeptAnvil, type KeptAnvilOptions, startKeptAnvil } from '../../devnet/keptAnvil.ts'
import { devnetClient } from '../../devnet/world.ts'
import { freePorts } from '../support/freePorts.ts'

const HOLDER = `0x${'c0'.repeat(20)}` as const
const chainId = 4663

let folder: string
let started: KeptAnvil[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-kept-'))
  started = []
})
afterEach(async () => {
  await Promise.all(started.map((anvil) => anvil.stop()))
  await rm(folder, { recursive: true, force: true })
})

describe('startKeptAnvil', () => {
  test('default: blocks, balances and logs outlive the node', async () => {
    const first = await start()
    await clientOf(first).setBalance({ address: HOLDER, value: parseEther('7') })
    await clientOf(first).mine({ blocks: 3 })
    expect(await first.stop()).toBe(true)

    const client = clientOf(await start())
    expect(await client.getBlockNumber()).toBe(3n)
    expect(await client.getBalance({ address: HOLDER })).toBe(parseEther('7'))
    await client.mine({ blocks: 1 })
    expect(await client.getBlockNumber()).toBe(4n)
    expect(await readdir(folder)).not.toContain('4663.json.gz.unpacked')
  })

  test('behavior: what was sent and not mined is mined at the end', async () => {
    const first = await start()
    await clientOf(first).setAutomine(false)
    const value = parseEther('3')
    const hash = await clientOf(first).sendTransaction({ account: userAt(0), to: HOLDER, value })
    expect(await first.stop()).toBe(true)

    const client = clientOf(await start())
    expect((await client.getTransactionReceipt({ hash })).status).toBe('success')
    expect(await client.getBalance({ address: HOLDER })).toBe(value)
  })

  test('behavior: kill -9 loses what came since the last write, and nothing before', async () => {
    const first = await start({ everyMs: 50 })
    await clientOf(first).mine({ blocks: 5 })
    await expect.poll(headOnDisk).toBe(5)
    process.kill(first.pid, 'SIGKILL')
    await first.ended
    expect(await first.stop()).toBe(false)
    expect(await clientOf(await start()).getBlockNumber()).toBe(5n)
  })

  test('behavior: a node that was killed while it wrote starts from the last whole state', async () => {
    const first = await start()
    await clientOf(first).mine({ blocks: 3 })
    await first.stop()
    await writeFile(join(folder, '4663.json.gz.next'), 'the beginning of a larger state')
    expect(await clientOf(await start()).getBlockNumber()).toBe(3n)
  })

  test('behavior: the former file stays whole while the next one is written', async () => {
    const file = stateFile()
    const first = await start({ everyMs: 20 })
    await clientOf(first).mine({ blocks: 1 })
    await expect.poll(headOnDisk).toBe(1)
    const before = await readFile(file)
    await using former = await open(file)
    await clientOf(first).mine({ blocks: 1 })
    await expect.poll(async () => before.equals(await readFile(file))).toBe(false)
    expect(before.equals(await former.readFile())).toBe(true)
  })

  test('error: a chain that cannot be written is reported, and written when it can be', async () => {
    const failures: unknown[] = []
    await mkdir(join(folder, '4663.json.gz.next'))
    const first = await start({ everyMs: 20, onWriteFailure: (error) => failures.push(error) })
    await expect.poll(() => String(failures[0])).toContain('EISDIR')
    await rm(join(folder, '4663.json.gz.next'), { recursive: true })
    expect(await first.stop()).toBe(true)
  })

  test('behavior: a node that hangs is killed at the end', async () => {
    const first = await start({ hungMs: 500 })
    process.kill(first.pid, 'SIGSTOP')
    expect(await first.stop()).toBe(false)
    expect(await first.ended).toContain('SIGKILL')
  })

  test('behavior: the states of the newest blocks are kept, and those of older ones are not', async () => {
    const client = clientOf(await start())
    await client.mine({ blocks: 150 })
    const at = (blockNumber: bigint) => client.getBalance({ address: HOLDER, blockNumber })
    expect(await at(150n - 65n)).toBe(0n)
    await expect(at(20n)).rejects.toThrow()
    expect((await client.getBlock({ blockNumber: 20n })).number).toBe(20n)
  })
})

const stateFile = () => join(folder, '4663.json.gz')

async function start(
  options: Pick<KeptAnvilOptions, 'everyMs' | 'hungMs' | 'onWriteFailure'> = {},
): Promise<KeptAnvil> {
  const [port = 0] = await freePorts(1)
  const anvil = await startKeptAnvil({
    chainId,
    port,
    stateFile: stateFile(),
    keptStates: 70,
    ...options,
  })
  anvil.keep()
  started.push(anvil)
  return anvil
}

/** The head of the chain that a node would start from now. */
async function headOnDisk(): Promise<number | null> {
  const packed = await readFile(stateFile()).catch(() => null)
  return packed && Number(JSON.parse(String(gunzipSync(packed))).block.number)
}

function clientOf({ rpcUrl }: Pick<KeptAnvil, 'rpcUrl'>) {
  return devnetClient(chainId, rpcUrl)
}
