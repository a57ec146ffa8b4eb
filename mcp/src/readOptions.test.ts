import { expect, test } from 'vitest'
import { HELP, readOptions } from './readOptions.ts'

const environment = { CAUSEWAY_URL: 'https://api.example/', CAUSEWAY_API_KEY: 'key' }

test('default: stdio, the local API, no key', () => {
  const local = { transport: 'stdio', apiUrl: 'http://127.0.0.1:4000', apiKey: null }
  expect(readOptions([], {})).toEqual(local)
  const options = { transport: 'stdio', apiUrl: 'https://api.example', apiKey: 'key' }
  expect(readOptions([], environment)).toEqual(options)
})

test('behavior: over HTTP there is no key of the server', () => {
  const args = ['--http', '--port', '0', '--allow-host', 'mcp.example', '--allow-host', 'b.example']
  expect(readOptions(args, environment)).toEqual({
    transport: 'http',
    apiUrl: 'https://api.example',
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

test('behavior: --help names every option and variable', () => {
  expect(readOptions(['--help', '--http'], {})).toEqual({ transport: 'help' })
  for (const name of ['--http', '--host', '--port', '--allow-host', ...Object.keys(environment)])
    expect(HELP).toContain(name)
})
