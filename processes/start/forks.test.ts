import { expect, test } from 'vitest'
import { readForks, withForks } from './forks.ts'

const SOURCE = { ADDRESS_BOOK: 'book.json', ANVIL_BASE_PORT: '9000' }

test('default: each fork gets a port, and its start a data directory of its own', () => {
  const parameters = ['--fork', '1=https://one.example/a=b', '--fork', '8453=http://127.0.0.1:7']
  const forks = readForks(parameters, SOURCE)
  expect(forks).toEqual([
    { chainId: 1, url: 'https://one.example/a=b', port: 9_000 },
    { chainId: 8453, url: 'http://127.0.0.1:7', port: 9_001 },
  ])
  expect(withForks({ ...SOURCE, DATA_DIRECTORY: 'data' }, forks)).toEqual({
    ...SOURCE,
    DATA_DIRECTORY: 'data/fork',
    RPC_URL_1: 'http://127.0.0.1:9000',
    WS_URL_1: 'ws://127.0.0.1:9000',
    RPC_URL_8453: 'http://127.0.0.1:9001',
    WS_URL_8453: 'ws://127.0.0.1:9001',
  })
})

test('behavior: without forks nothing changes', () => {
  expect(readForks([], {})).toEqual([])
  expect(withForks({ A: 'b' }, [])).toEqual({ A: 'b' })
})

test.each([
  [['--fork', 'one=https://one.example'], SOURCE, '--fork: expected'],
  [['--fork', '1=ws://one.example'], SOURCE, '--fork: expected'],
  [['--fork', '1=http://a.example', '--fork', '1=http://b.example'], SOURCE, 'named twice'],
  [['--fork', '1=http://a.example'], {}, 'ADDRESS_BOOK'],
  [['--fork', '1=http://a.example'], { ...SOURCE, RPC_URL_1: 'http://b.example' }, 'RPC_URL_1'],
  [['--fork', '1=http://a.example'], { ...SOURCE, DATABASE_URL: 'postgres://a' }, 'DATABASE_URL'],
  [['--spoon', '1'], SOURCE, '--spoon'],
])('error: %j with %j', (parameters, source, named) => {
  expect(() => readForks(parameters, source)).toThrow(named)
})
