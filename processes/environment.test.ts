import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  apiVariables,
  dataVariables,
  EnvironmentError,
  indexerVariables,
  loadChainUrls,
  loadEnvironment,
  loadGivenChainUrls,
  loadKeeperKey,
  loadQuoteSignerKey,
  loadStartEnvironment,
  startVariables,
  workerVariables,
} from './environment.ts'

const objects = [apiVariables, indexerVariables, startVariables, dataVariables]
const example = new Map(
  readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8')
    .split('\n')
    .flatMap((line): [string, string][] => {
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, value ?? '']]
    }),
)

describe('.env.example', () => {
  test('behavior: names the variables that processes read, and no others', () => {
    const names = new Set(objects.flatMap((variables) => Object.keys(variables.shape)))
    expect([...example.keys()].sort()).toEqual([...names].sort())
  })

  test('behavior: holds the default of each', () => {
    for (const [name, value] of example)
      expect({ [name]: defaultsOf(name).map(String) }).toEqual({
        [name]: expect.arrayContaining(value === '' ? [] : [value]),
      })
    const withDefault = [...example.keys()].filter((name) => defaultsOf(name).length > 0)
    for (const name of withDefault)
      expect({ [name]: example.get(name) }).not.toEqual({ [name]: '' })
  })
})

describe('loadEnvironment', () => {
  test('default', () => {
    const { API_PORT, ADDRESS_BOOK } = loadEnvironment(startVariables, {
      API_PORT: '4100',
      ADDRESS_BOOK: '',
    })
    expect({ API_PORT, ADDRESS_BOOK }).toEqual({ API_PORT: 4100, ADDRESS_BOOK: undefined })
  })

  test('error: names every variable that is missing or wrong', () => {
    const bad = {
      DATABASE_URL: 'mysql://a',
      APP_SECRET: 'short',
      API_PORT: '0.5',
      LOG_LEVEL: 'loud',
      ATTESTATION_URL: 'no URL',
    }
    expect(namedBy(() => loadEnvironment(apiVariables, bad))).toEqual([
      'ADDRESS_BOOK',
      'API_PORT',
      'APP_SECRET',
      'ATTESTATION_URL',
      'DATABASE_URL',
      'LOG_LEVEL',
      'SECRETS_KEY',
    ])
  })
})

describe('loadStartEnvironment', () => {
  test('behavior: nodes and address book come together', () => {
    expect(namedBy(() => loadStartEnvironment({ RPC_URL_1: 'http://a' }))).toEqual(['ADDRESS_BOOK'])
    expect(namedBy(() => loadStartEnvironment({ ADDRESS_BOOK: 'a.json' }))).toEqual([
      'RPC_URL_<chainId>',
    ])
  })

  test('error: names bad URLs beside the others', () => {
    const bad = {
      RPC_URL_1: 'ftp://a',
      WS_URL_5: 'http://a',
      API_PORT: 'x',
      ADDRESS_BOOK: 'a.json',
    }
    expect(namedBy(() => loadStartEnvironment(bad))).toEqual(['API_PORT', 'RPC_URL_1', 'WS_URL_5'])
  })
})

describe('loadChainUrls', () => {
  test('default', () => {
    const urls = loadChainUrls([1], { RPC_URL_1: 'http://a, https://b', WS_URL_1: 'wss://c' })
    expect(urls.get(1)).toEqual({ rpcUrls: ['http://a', 'https://b'], wsUrls: ['wss://c'] })
  })

  test('error: a chain without a node', () => {
    expect(namedBy(() => loadChainUrls([1, 5], { RPC_URL_1: 'http://a' }))).toEqual(['RPC_URL_5'])
  })
})

describe('loadGivenChainUrls', () => {
  test('default: a chain may have no node, but a value must be a URL', () => {
    expect(loadGivenChainUrls([1, 5], { RPC_URL_1: 'http://a' }).get(5)?.rpcUrls).toEqual([])
    for (const RPC_URL_1 of ['a', 'https://user:pass@one.example'])
      expect(namedBy(() => loadGivenChainUrls([1], { RPC_URL_1 }))).toEqual(['RPC_URL_1'])
  })
})

/** The defaults of a variable: one, or two if `npm start` has a different one. */
function defaultsOf(name: string): unknown[] {
  return objects.flatMap((variables) => {
    const type = (variables.shape as Record<string, z.ZodType>)[name]
    const result = type?.safeParse(undefined)
    return result?.success && result.data !== undefined ? [result.data] : []
  })
}

function namedBy(run: () => unknown): string[] {
  try {
    run()
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error
    return [...error.message.matchAll(/^ {2}(\S+): /gm)].map(([, name]) => name ?? '').sort()
  }
  return []
}

const key = `0x${'a1'.repeat(32)}`

describe('loadKeeperKey', () => {
  const load = (variables: Record<string, string>) =>
    loadKeeperKey(
      loadEnvironment(workerVariables, {
        DATABASE_URL: 'postgres://127.0.0.1/causeway',
        ADDRESS_BOOK: 'book.json',
        APP_SECRET: '00'.repeat(32),
        SECRETS_KEY: '00'.repeat(32),
        ...variables,
      }),
    )

  test('default: from the variable, or none', async () => {
    expect(await load({ SMART_DEPOSIT_KEEPER_PRIVATE_KEY: key })).toBe(key)
    expect(await load({})).toBeNull()
  })

  test('error: a missing file', async () => {
    const missing = load({ SMART_DEPOSIT_KEEPER_PRIVATE_KEY_FILE: '/nowhere/key' })
    await expect(missing).rejects.toThrow('SMART_DEPOSIT_KEEPER_PRIVATE_KEY_FILE: cannot be read')
  })
})

describe('loadQuoteSignerKey', () => {
  const load = (variables: Record<string, string>) =>
    loadQuoteSignerKey(
      loadEnvironment(apiVariables, {
        DATABASE_URL: 'postgres://127.0.0.1/causeway',
        ADDRESS_BOOK: 'book.json',
        APP_SECRET: '00'.repeat(32),
        SECRETS_KEY: '00'.repeat(32),
        ...variables,
      }),
    )

  test('default: from the variable, from a file, or none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-key-'))
    const file = join(folder, 'key')
    await writeFile(file, `${key}\n`)
    expect(await load({ QUOTE_SIGNER_PRIVATE_KEY: key })).toBe(key)
    expect(await load({ QUOTE_SIGNER_PRIVATE_KEY_FILE: file })).toBe(key)
    expect(await load({})).toBeNull()
    await writeFile(file, 'not a key')
    await expect(load({ QUOTE_SIGNER_PRIVATE_KEY_FILE: file })).rejects.toThrow(
      'QUOTE_SIGNER_PRIVATE_KEY_FILE: expected a file with a private key',
    )
    await rm(folder, { recursive: true })
    await expect(load({ QUOTE_SIGNER_PRIVATE_KEY_FILE: file })).rejects.toThrow('cannot be read')
  })

  test('error: a wrong key, which the message does not repeat', () => {
    const wrong = key.slice(0, -1)
    const failure = () => load({ QUOTE_SIGNER_PRIVATE_KEY: wrong })
    expect(failure).toThrow('QUOTE_SIGNER_PRIVATE_KEY: expected a private key')
    expect(failure).not.toThrow(wrong)
  })
})
