import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DEVNET_KEEPER_KEY } from '../../devnet/accounts.ts'
import { type RunFile, removeRunFile, writeRunFile } from '../../processes/start/runFile.ts'
import { loadSecrets, readSecrets } from '../../processes/start/secrets.ts'
import { findDoctorVariables } from './findDoctorVariables.ts'

const RUN: RunFile = {
  apiUrl: 'http://127.0.0.1:4000',
  consoleUrl: 'http://127.0.0.1:4000/console',
  graphqlUrl: 'http://127.0.0.1:4000/graphql',
  apiKey: 'causeway_1_2',
  rpcUrls: { 1: 'http://127.0.0.1:8545' },
  databaseUrl: 'postgres://127.0.0.1:54330/causeway',
  addressBook: '/data/address-book.json',
  shield: null,
  accounts: [],
  devnetCommand: ['node', 'cli/devnet.ts'],
  pids: {},
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-doctor-'))
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(() => removeRunFile(folder))

test('default: the variables of the running local start', async () => {
  writeRunFile(folder, RUN)
  const { variables, isLocal, found } = await findDoctorVariables({ NODE_ENV: 'test' }, folder)
  expect(variables).toMatchObject({
    NODE_ENV: 'test',
    DATABASE_URL: RUN.databaseUrl,
    RPC_URL_1: 'http://127.0.0.1:8545',
    WS_URL_1: 'ws://127.0.0.1:8545',
    SMART_DEPOSIT_KEEPER_PRIVATE_KEY: DEVNET_KEEPER_KEY,
  })
  expect(isLocal).toBe(true)
  expect(found).toMatchObject([{ level: 'ok', message: `the local start in ${folder}` }])
})

test('behavior: a key that the start was given is not doubled by the local one', async () => {
  writeRunFile(folder, RUN)
  const given = { SMART_DEPOSIT_KEEPER: 'aws-kms:one', SMART_DEPOSIT_KEEPER_ADDRESS: '0x1' }
  const { variables } = await findDoctorVariables(given, folder)
  expect(variables).toMatchObject(given)
  expect(variables.SMART_DEPOSIT_KEEPER_PRIVATE_KEY).toBeUndefined()
})

test('behavior: the secrets are those of the start, and none are made', async () => {
  writeRunFile(folder, RUN)
  const { variables } = await findDoctorVariables({}, folder)
  expect(variables.APP_SECRET).toBeUndefined()
  expect(await readSecrets(folder)).toBeNull()
  const { appSecret, secretsKey } = await loadSecrets(folder)
  expect((await findDoctorVariables({}, folder)).variables).toMatchObject({
    APP_SECRET: appSecret,
    SECRETS_KEY: secretsKey,
  })
})

test('behavior: given variables win over a start that runs', async () => {
  writeRunFile(folder, RUN)
  const given = { DATABASE_URL: 'postgres://elsewhere/causeway' }
  expect(await findDoctorVariables(given, folder)).toMatchObject({
    variables: given,
    isLocal: false,
  })
})

test.each<[string, RunFile | null]>([
  ['no start', null],
  ['a start with given nodes, whose keys nobody knows', { ...RUN, devnetCommand: [] }],
])('error: %s, and no variables', async (_, run) => {
  if (run) writeRunFile(folder, run)
  const { variables, isLocal, found } = await findDoctorVariables({}, folder)
  expect({ variables, isLocal }).toEqual({ variables: {}, isLocal: false })
  expect(found).toMatchObject([
    { level: 'error', message: expect.stringContaining('neither DATABASE_URL nor ADDRESS_BOOK') },
  ])
})
