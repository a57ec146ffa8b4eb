import { describe, expect, test } from 'vitest'
import { loadChainUrls, loadGivenChainUrls } from './chainUrls.ts'

describe('loadChainUrls', () => {
  test('default', () => {
    const urls = loadChainUrls([1], { RPC_URL_1: 'http://a, https://b', WS_URL_1: 'wss://c' })
    expect(urls.get(1)).toEqual({ rpcUrls: ['http://a', 'https://b'], wsUrls: ['wss://c'] })
  })

  test('behavior: the URL of another chain is no misspelled name', () => {
    const urls = loadChainUrls([1], { RPC_URL_1: 'http://a', WS_URL_10: 'wss://c' })
    expect(urls.get(1)?.wsUrls).toEqual([])
  })

  test.each([
    ['a chain without a node', {}, 'RPC_URL_1: is not set. Set the URL of a node of chain 1.'],
    ['a websocket', { RPC_URL_1: 'http://a,wss://b' }, 'RPC_URL_1: expected an http or https URL'],
    ['http', { RPC_URL_1: 'http://a', WS_URL_1: 'http://a' }, 'WS_URL_1: expected a ws or wss URL'],
    ['a password', { RPC_URL_1: 'https://user:pass@a' }, 'without user name and password, URL 1'],
    ['no URL', { RPC_URL_1: 'a' }, 'RPC_URL_1: expected an http or https URL'],
    ['a wrong name', { RPC_URLS_1: 'http://a' }, 'RPC_URL_1: is not set, but RPC_URLS_1 is'],
  ])('error: %s', (_, source, message) => {
    expect(() => loadChainUrls([1], source)).toThrow(message)
  })
})

describe('loadGivenChainUrls', () => {
  test('default: a chain may have no node, but a value must be a URL', () => {
    expect(loadGivenChainUrls([1, 5], { RPC_URL_1: 'http://a' }).get(5)?.rpcUrls).toEqual([])
    expect(() => loadGivenChainUrls([1], { RPC_URL_1: 'a' })).toThrow('RPC_URL_1: ')
  })
})
