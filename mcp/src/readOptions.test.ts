import { expect, test } from 'vitest'
import { HELP, readOptions } from './readOptions.ts'

const environment = { CAUSEWAY_URL: 'https://api.example/', CAUSEWAY_API_KEY: 'key' }

test('default: stdio, the local API, no key', () => {
  const local = { transport: 'stdio', apiUrl: 'http://127.0.0.1:4000', apiKey: null, shield: null }
  expect(readOptions([], {})).toEqual(local)
  const options = { transport: 'stdio', apiUrl: 'https://api.example', apiKey: 'key', shield: null }
  expect(readOptions([], environment)).toEqual(options)
})

test('behavior: over HTTP there is no key of the server', () => {
  const args = ['--http', '--port', '0', '--allow-host', 'mcp.example', '--allow-host', 'b.example']
  expect(readOptions(args, environment)).toEqual({
    transport: 'http',
    apiUrl: 'https://api.example',
    shield: null,
    host: '127.0.0.1',
    port: 0,
    allowedHosts: ['localhost', '127.0.0.1', '[::1]', 'mcp.example', 'b.example'],
  })
})

test.each([[['--prot', '1']], [['--http', '--port', '70000']], [['--http', '--port', 'x']]])(
  'error: %j',
  (args) => {
    expect(() => readOptions(args, {})).toThrow(/--p/)
  },
)

const signer = '0xa1Fb9c8E66e8Cd5d8cd8C996247A7563630aad20'
const shielded = { SHIELD_BOOK: 'book.json', SHIELD_SIGNER: signer }

test('behavior: the book has its signers, its environment and nodes, over both transports', () => {
  const shield = {
    book: 'book.json',
    signers: [signer],
    environment: 'PRODUCTION',
    rpcUrls: new Map(),
  }
  expect(readOptions([], shielded)).toMatchObject({ shield })
  const more = {
    ...shielded,
    SHIELD_SIGNER: `${signer}, ${signer}`,
    SHIELD_ENVIRONMENT: 'DEVELOPMENT',
    SHIELD_RPC_URL_4663: 'http://node.example',
    SHIELD_RPC_URL_1: '',
  }
  expect(readOptions(['--http'], more)).toMatchObject({
    shield: {
      signers: [signer, signer],
      environment: 'DEVELOPMENT',
      rpcUrls: new Map([[4663, 'http://node.example']]),
    },
  })
})

test.each(['', 'me', `${signer},`])('error: a book whose signer is %j', (SHIELD_SIGNER) => {
  expect(() => readOptions([], { ...shielded, SHIELD_SIGNER })).toThrow(/SHIELD_SIGNER/)
})

test.each(['', undefined])(
  'error: a signer whose book is %j: nothing would be checked',
  (SHIELD_BOOK) => {
    const read = () => readOptions([], { SHIELD_SIGNER: signer, SHIELD_BOOK })
    expect(read).toThrow(/SHIELD_BOOK: expected/)
  },
)

test('behavior: --help names every option and variable', () => {
  expect(readOptions(['--help', '--http'], {})).toEqual({ transport: 'help' })
  for (const name of [
    '--http',
    '--host',
    '--port',
    '--allow-host',
    ...Object.keys(environment),
    ...Object.keys(shielded),
  ])
    expect(HELP).toContain(name)
})
