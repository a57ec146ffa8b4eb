import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { safePath } from './returnPath.ts'

beforeAll(() => {
  vi.stubGlobal('location', { origin: 'https://console.example' })
})
afterAll(() => {
  vi.unstubAllGlobals()
})

test.each(['/console/keys', '/console/transit?q=0x12#top', '/orders/0x12'])(
  'default: %s is led to',
  (path) => {
    expect(safePath(path)).toBe(path)
  },
)

test.each([
  undefined,
  '',
  'https://evil.example/',
  '//evil.example/console',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
])('error: %j leads to the overview', (path) => {
  expect(safePath(path)).toBe('/console')
})
