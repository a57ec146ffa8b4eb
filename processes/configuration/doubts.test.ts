import { expect, test } from 'vitest'
import { findDoubts } from './doubts.ts'

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
  ['this machine', { CONSOLE_ORIGIN: 'http://127.0.0.1:4000' }, null],
])('behavior: %s', (_, source, expected) => {
  const messages = findDoubts(source).map(({ message }) => message)
  expect(messages).toEqual(expected ? [expect.stringMatching(expected)] : [])
})
