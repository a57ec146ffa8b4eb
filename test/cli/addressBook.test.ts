import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAddressBook } from '../../cli/addressBook/runAddressBook.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { worldClient } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { whyUnverified } from '../../domain/addressBook/bookStamp.ts'
import { makeShieldBook } from '../../domain/shieldBook/makeShieldBook.ts'
import { problemsOf } from '../../processes/configuration/environmentError.ts'
import { loadWorkerConfiguration } from '../../processes/configuration/serviceConfiguration.ts'
import { openBook, type ShieldBook, type SignedShieldBook } from '../../sdk/src/shield/book.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { endedCommand, spawnedCommand } from '../support/endedCommand.ts'
import { at } from '../support/findings.ts'

let started: TestWorld
let folder: string
let nodes: Record<string, string>

beforeAll(async () => {
  started = await startTestWorld([1, 4663], { withVaults: true })
  folder = await mkdtemp(join(tmpdir(), 'causeway-book-'))
  const { rpcUrls } = started.world
  nodes = Object.fromEntries(Object.entries(rpcUrls).map(([id, url]) => [`RPC_URL_${id}`, url]))
})
afterAll(async () => {
  await started.stop()
  await rm(folder, { recursive: true })
})

describe('address-book shield-book', () => {
  const operator = privateKeyToAccount(`0x${'0b'.repeat(32)}`)
  const { quoteSigner } = DEVNET_ACTORS

  test('default: a signed book that the SDK opens with the account to pin, and not with another', async () => {
    const file = await write('sound.json', {})
    const keyFile = join(folder, 'operator.key')
    await writeFile(keyFile, `0x${'0b'.repeat(32)}\n`)
    const [factory, implementation] = [`0x${'fa'.repeat(20)}`, `0x${'1a'.repeat(20)}`]
    const { code, stdout, stderr } = await addressBook(
      [
        'shield-book',
        '--file',
        file,
        '--key-file',
        keyFile,
        '--days',
        '2',
        '--quote-signer',
        quoteSigner.address,
        '--quote-signer',
        operator.address,
        '--former-factory',
        `1:${factory}:${implementation}`,
      ],
      nodes,
    )
    expect([code, stderr]).toEqual([0, `Signed by ${operator.address}: apps pin this account.\n`])
    const book: SignedShieldBook = JSON.parse(stdout)
    const { environment } = book.book
    const source = { book, signers: [operator.address], environment }
    const opened: ShieldBook = await openBook(source)
    expect(opened.expiresAt - opened.issuedAt).toBe(2 * 86_400)
    expect(opened.chains[0]?.station?.quoteSigners).toHaveLength(2)
    expect(opened.chains[0]?.smartDepositFactories.at(-1)).toEqual({ factory, implementation })
    const asMade: ShieldBook = makeShieldBook(parseAddressBook(started.addressBook, 'the world'), {
      ...opened,
      quoteSigners: opened.chains[0]?.station?.quoteSigners ?? [],
      formerFactories: [{ chainId: 1, factory: '0xfa', implementation: '0x1a' }],
    })
    expect(opened.vaults).toEqual(asMade.vaults)
    await expect(openBook({ ...source, signers: [quoteSigner.address] })).rejects.toThrow('pinned')
  })

  test('error: a file without a key, and numbers that are none', async () => {
    const file = await write('sound.json', {})
    const keyFile = join(folder, 'empty.key')
    await writeFile(keyFile, 'nothing')
    const base = ['shield-book', '--file', file, '--quote-signer', quoteSigner.address]
    const noKey = await addressBook([...base, '--key-file', keyFile], nodes)
    expect([noKey.code, noKey.stderr]).toEqual([1, expect.stringContaining('has no private key')])
    const absent = await addressBook([...base, '--key-file', join(folder, 'none')], nodes)
    expect(absent.stderr).toContain('cannot be read')
    const days = await addressBook([...base, '--key-file', keyFile, '--days', '0'], nodes)
    expect(days.stderr).toContain('expected a number above 0')
  })

  test('error: a former factory of a chain that the book does not have', async () => {
    const file = await write('sound.json', {})
    const keyFile = join(folder, 'operator.key')
    await writeFile(keyFile, `0x${'0b'.repeat(32)}\n`)
    const options = ['--file', file, '--key-file', keyFile, '--quote-signer', quoteSigner.address]
    const former = `8453:0x${'fa'.repeat(20)}:0x${'1a'.repeat(20)}`
    const { code, stdout, stderr } = await addressBook(
      ['shield-book', ...options, '--former-factory', former],
      nodes,
    )
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe('error: former factory: chain 8453 is not in the address book\n')
  })
})

describe('address-book verify', () => {
  test('default: without findings it ends with 0 and one line', async () => {
    const file = await write('sound.json', {})
    const { code, stdout, stderr } = await addressBook(['verify', '--file', file], nodes)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^\S+sound\.json: no contradiction \(2 chains, \d+ tokens, 13 routes.*\n$/,
    )
  })

  test('behavior: ADDRESS_BOOK names it, and so does the local start, whose nodes are taken then', async () => {
    const path = await write('sound.json', {})
    const byVariable = await addressBook(['verify'], { ...nodes, ADDRESS_BOOK: path })
    expect(byVariable.code).toBe(0)
    const { rpcUrls } = started.world
    const run = {
      apiUrl: '',
      consoleUrl: '',
      graphqlUrl: '',
      apiKey: '',
      rpcUrls,
      databaseUrl: '',
      accounts: [],
    }
    await writeFile(
      join(folder, 'run.json'),
      JSON.stringify({ ...run, addressBook: path, devnetCommand: [], pids: {} }),
    )
    const byStart = await addressBook(['verify'], { DATA_DIRECTORY: folder })
    await rm(join(folder, 'run.json'))
    expect(byStart).toMatchObject({ code: 0, stderr: '' })
    expect(byStart.stdout).toContain('nodes of the local start: 1,4663')
  })

  test('error: a contradiction is a line, and the code is 1', async () => {
    const tokens = started.addressBook.tokens.map((token, index) =>
      index === 0 ? { ...token, symbol: 'USD' } : token,
    )
    const file = await write('wrong.json', { tokens })
    const { code, stdout, stderr } = await addressBook(['verify', '--file', file], nodes)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^tokens\.0\.symbol: the book has USD, symbol\(\) of 0x\w+ on chain 1 is USDC\n$/,
    )
    expect(stderr).toContain('1 contradiction, 0 not verified')
  })

  test('error: an unverifiable entry is not verified', async () => {
    const file = await write('sound.json', {})
    const { code, stdout } = await addressBook(['verify', '--file', file], {
      RPC_URL_1: nodes.RPC_URL_1 ?? '',
    })
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: 'chains.1: not verified: RPC_URL_4663 names no node\n',
    })
  })

  test('behavior: a PRODUCTION book gets its stamp, and only then a process takes it', async () => {
    const file = await writeProduction('production.json')
    const variables = { ADDRESS_BOOK: file, ...nodes }
    const refusals = async (more = {}) =>
      (await problemsOf(loadWorkerConfiguration({ ...variables, ...more }))).filter((line) =>
        line.startsWith('ADDRESS_BOOK:'),
      )
    expect(await refusals()).toEqual([
      `ADDRESS_BOOK: ${file} was not verified against its chains. Run npm run address-book -- verify --file ${file}.`,
    ])
    expect(await refusals({ ADDRESS_BOOK_ALLOW_UNVERIFIED: 'true' })).toEqual([])
    const { code, stdout } = await addressBook(['verify', '--file', file], nodes)
    expect(code).toBe(0)
    expect(stdout).toContain(`${file} has its stamp.\n`)
    expect(await refusals()).toEqual([])
    const { verified, ...book } = JSON.parse(await readFile(file, 'utf8'))
    expect(book.chains).toEqual(JSON.parse(JSON.stringify(productionBook().chains)))
    expect(verified.blocks).toEqual([
      { chainId: 1, number: expect.any(Number), hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      expect.objectContaining({ chainId: 4663 }),
    ])
    const { hash, number } = verified.blocks[0]
    const block = await worldClient(started.world, 1).getBlock({ blockNumber: BigInt(number) })
    expect(block.hash).toBe(hash)
    await writeFile(file, JSON.stringify({ ...book, verified, transitRoutes: [] }))
    expect(await refusals()).toEqual([
      expect.stringContaining('was changed after it was verified against its chains. Run npm'),
    ])
  })

  test('behavior: the stamped book goes elsewhere, and a file that cannot be written keeps a stamp that holds', async () => {
    const file = await writeProduction('given.json')
    const before = await readFile(file, 'utf8')
    const printed = await addressBook(['verify', '--file', file, '--out', '-'], nodes)
    expect(printed.code).toBe(0)
    expect(whyUnverified(JSON.parse(printed.stdout))).toBeNull()
    expect(await readFile(file, 'utf8')).toBe(before)
    // As root, only a path whose folder is a file cannot be written.
    const nowhere = join(file, 'stamped.json')
    const failed = await addressBook(['verify', '--file', file, '--out', nowhere], nodes)
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be written \(ENOTDIR\).*Give --out/),
    })
    await addressBook(['verify', '--file', file], nodes)
    await mkdir(`${file}.${process.pid}.new`) // In the way of what is written.
    const kept = await addressBook(['verify', '--file', file], nodes)
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringMatching(/keeps its stamp of 20/) })
    await writeFile(file, before)
    const missing = await addressBook(['verify', '--file', file], nodes)
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('stamp is missing') })
  })

  test('behavior: a book that differs, and one that is not for production, get none', async () => {
    const { tokens, ...book } = productionBook()
    const unnamed = tokens.map((token) => ({ ...token, symbol: 'USD' }))
    const wrong = await write('unsound.json', { ...book, tokens: unnamed })
    const local = await write('sound.json', {})
    for (const file of [wrong, local]) {
      await addressBook(['verify', '--file', file], nodes)
      expect(JSON.parse(await readFile(file, 'utf8')).verified).toBeUndefined()
    }
  })

  test.each([
    ['no book', ['verify'], {}, 'No address book'],
    ['no file', ['verify', '--file', '/nonexistent'], {}, 'cannot be read'],
    ['no URL', ['verify'], { RPC_URL_1: 'ftp://x' }, 'expected an http or https URL'],
  ])('error: %s', async (name, parameters, environment, message) => {
    const book = name === 'no URL' ? { ADDRESS_BOOK: await write('sound.json', {}) } : {}
    const ended = await addressBook(parameters, { ...book, ...environment })
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
  })
})

describe('address-book describe', () => {
  test('default: an entry that the book takes, from one address; the remaining work is reported', async () => {
    const { name, deployments } = at(started.addressBook.vaults, 0)
    const depositor = at(at(deployments, 0).depositors, -1).address
    const file = await write('bare.json', { vaults: [] })
    const described = await addressBook(['describe', depositor, '--file', file], nodes)
    expect(described.code).toBe(0)
    expect(described.stderr).toMatch(/withdrawalSlas.*yieldType/s)
    expect(described.stderr).not.toContain('tokens lacks')
    const vault = JSON.parse(described.stdout)
    expect(vault).toMatchObject({ name, yieldType: 'CORE' })
    const added = await write('added.json', { vaults: [vault] })
    const verified = await addressBook(['verify', '--file', added], nodes)
    expect(verified).toMatchObject({ code: 0, stderr: '' })
  })

  test('behavior: tokens that the book lacks are shown as entries for it', async () => {
    const { deployments } = at(started.addressBook.vaults, 0)
    const depositor = at(at(deployments, 0).depositors, -1).address
    const tokens = started.addressBook.tokens.filter(({ symbol }) => symbol !== 'WETH')
    const file = await write('bare.json', { vaults: [], tokens })
    const { stderr } = await addressBook(['describe', depositor, '--file', file], nodes)
    const [, entry = ''] = /^tokens lacks one: add (.*)$/m.exec(stderr) ?? []
    const all = await write('all.json', { vaults: [], tokens: [...tokens, JSON.parse(entry)] })
    expect(await addressBook(['verify', '--file', all], nodes)).toMatchObject({ code: 0 })
  })

  test('default: a factory of smart deposit addresses, of either generation', async () => {
    const { smartDeposit } = at(started.addressBook.chains, 0)
    const [former] = smartDeposit?.otherFactories ?? []
    const file = await write('sound.json', {})
    const describing = async (address = '', ...chain: string[]) => {
      const { code, stdout } = await addressBook(
        ['describe', address, '--file', file, ...chain],
        nodes,
      )
      expect(code).toBe(0)
      return JSON.parse(stdout)
    }
    expect(await describing(former?.factory)).toEqual({
      ...former,
      startBlock: expect.any(Number),
    })
    // It is on every chain.
    expect(await describing(smartDeposit?.factory, '--chain', '4663')).toEqual({
      generation: 'B',
      factory: smartDeposit?.factory,
      implementation: smartDeposit?.implementation,
      startBlock: expect.any(Number),
    })
  })

  test.each([
    ['0x12', 'expected an address'],
    [`0x${'12'.repeat(20)}`, 'has no code on any configured chain (1, 4663)'],
  ])('error: %s', async (depositor, message) => {
    const file = await write('sound.json', {})
    const ended = await addressBook(['describe', depositor, '--file', file], nodes)
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
  })

  test('error: a contract that is there on several chains, and one that is no depositor', async () => {
    const file = await write('sound.json', {})
    const station = started.addressBook.chains[0]?.transitStation?.address ?? ''
    const describing = ['describe', station, '--file', file]
    expect(await addressBook(describing, nodes)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has code on chains 1, 4663: give --chain'),
    })
    expect(await addressBook([...describing, '--chain', '1'], nodes)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is no depositor'),
    })
  })
})

test('the process ends with the code of its answer, over several nodes too', async () => {
  const file = await write('sound.json', {})
  const twice = Object.entries(nodes).map(([name, url]) => [name, `${url},${url}`])
  const spawn = (environment: Record<string, string>) =>
    spawnedCommand('cli/addressBook.ts', ['verify', '--file', file], {
      DATA_DIRECTORY: folder,
      ...environment,
    })
  const [sound, bare] = await Promise.all([spawn(Object.fromEntries(twice)), spawn({})])
  expect(sound).toMatchObject({ code: 0, stderr: '' })
  expect(bare).toMatchObject({ code: 1 })
})

/** The world's book with what one for production must have. Its factory's owner has no timelock. */
function productionBook() {
  const { chains, transitRoutes, ...book } = started.addressBook
  return {
    ...book,
    environment: 'PRODUCTION' as const,
    chains: chains.map(({ smartDeposit: _, ...chain }) => chain),
    transitRoutes: transitRoutes.map((route) => ({ ...route, maxOrderSize: '1000000000000000' })),
  }
}

async function writeProduction(name: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, JSON.stringify(productionBook()))
  return path
}

async function write(name: string, change: Partial<AddressBookFile>): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, JSON.stringify({ ...started.addressBook, ...change }))
  return path
}

/** The command in a data directory without a running start. */
function addressBook(parameters: string[], environment: Record<string, string>) {
  return endedCommand(runAddressBook, parameters, { DATA_DIRECTORY: folder, ...environment })
}
