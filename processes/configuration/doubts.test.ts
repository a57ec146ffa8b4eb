import { expect, test } from 'vitest'
import { findAllDoubts, findApiDoubts, findIndexerDoubts, findWorkerDoubts } from './doubts.ts'

test.each<[string, NodeJS.ProcessEnv, RegExp | null]>([
  ['nothing', {}, null],
  [
    'an unverified book',
    { ADDRESS_BOOK_ALLOW_UNVERIFIED: 'true' },
    /^ADDRESS_BOOK_ALLOW_UNVERIFIED is true/,
  ],
  ['private webhooks', { WEBHOOK_ALLOW_PRIVATE: 'true' }, /^WEBHOOK_ALLOW_PRIVATE is true/],
  ['no limits', { RATE_LIMITS: 'off' }, /^RATE_LIMITS is off/],
  ['every web page', { CORS_ORIGINS: 'https://a.example,*' }, /^CORS_ORIGINS is \*/],
  ['some pages', { CORS_ORIGINS: 'https://a.example' }, null],
  ['metrics for all', { METRICS_PORT: '9', METRICS_HOST: '::' }, /^METRICS_HOST is every address/],
  ['no metrics', { METRICS_HOST: '0.0.0.0' }, null],
  ['no TLS', { CONSOLE_ORIGIN: 'http://api.example' }, /^CONSOLE_ORIGIN is http/],
  ['no proxy', { API_HOST: '0.0.0.0', NODE_ENV: 'production' }, /^TRUST_PROXY is not set/],
  [
    'development',
    { API_HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.0/8' },
    /^NODE_ENV is not production/,
  ],
  ['this machine', { CONSOLE_ORIGIN: 'http://127.0.0.1:4000' }, null],
])('behavior: %s', (_, source, expected) => {
  const messages = findApiDoubts(source).map(({ message }) => message)
  expect(messages).toEqual(expected ? [expect.stringMatching(expected)] : [])
})

test('behavior: worker and indexer doubt what is theirs, and the doctor each doubt once', () => {
  const source = {
    ADDRESS_BOOK_ALLOW_UNVERIFIED: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    RATE_LIMITS: 'off',
    METRICS_HOST: '0.0.0.0',
    WORKER_METRICS_PORT: '9',
  }
  const doubtful = [findWorkerDoubts, findIndexerDoubts, findAllDoubts].map((find) =>
    find(source).map(({ message }) => message.split(' ', 1)[0]),
  )
  const worker = ['ADDRESS_BOOK_ALLOW_UNVERIFIED', 'WEBHOOK_ALLOW_PRIVATE', 'METRICS_HOST']
  expect(doubtful[0]).toEqual(worker)
  expect(doubtful[1]).toEqual(['ADDRESS_BOOK_ALLOW_UNVERIFIED'])
  expect(doubtful[2]?.toSorted()).toEqual([...worker, 'RATE_LIMITS'].toSorted())
  const indexer = findIndexerDoubts({ METRICS_HOST: '::', INDEXER_METRICS_PORT: '9' })
  expect(indexer).toHaveLength(1)
})
