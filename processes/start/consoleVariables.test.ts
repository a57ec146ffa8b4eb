import { expect, test } from 'vitest'
import { consoleVariables } from './consoleVariables.ts'

test.each([
  ['127.0.0.1', { CONSOLE_ORIGIN: 'http://127.0.0.1:4000', CONSOLE_LOCAL_SIGN_IN: 'true' }],
  ['::1', { CONSOLE_ORIGIN: 'http://[::1]:4000', CONSOLE_LOCAL_SIGN_IN: 'true' }],
  ['10.0.0.5', { CONSOLE_ORIGIN: 'http://10.0.0.5:4000', CONSOLE_LOCAL_SIGN_IN: 'false' }],
  ['0.0.0.0', { CONSOLE_LOCAL_SIGN_IN: 'false' }],
  ['::', { CONSOLE_LOCAL_SIGN_IN: 'false' }],
])('default: the origin of an api at %s', (API_HOST, expected) => {
  expect(consoleVariables({ API_HOST, API_PORT: 4000 }, true)).toEqual(expected)
})

test('behavior: a given origin stays, and others may reach it', () => {
  const environment = { API_HOST: '0.0.0.0', API_PORT: 4000, CONSOLE_ORIGIN: 'https://api.example' }
  expect(consoleVariables(environment, true)).toEqual({
    CONSOLE_ORIGIN: 'https://api.example',
    CONSOLE_LOCAL_SIGN_IN: 'false',
  })
})
