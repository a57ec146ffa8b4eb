import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { EnvironmentError } from './configuration/environmentError.ts'
import { SECRETS } from './configuration/secretFiles.ts'
import {
  apiVariables,
  dataVariables,
  indexerVariables,
  loadEnvironment,
  startVariables,
  workerVariables,
} from './environment.ts'

const objects = [apiVariables, indexerVariables, workerVariables, startVariables, dataVariables]
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
    const read = objects.flatMap((variables) => Object.keys(variables.shape))
    const names = new Set([...read, ...SECRETS.map((name) => `${name}_FILE`)])
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
