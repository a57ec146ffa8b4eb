import { describe, expect, test } from 'vitest'
import { parseTarget, resolveTarget, WebhookTargetError } from './webhookTarget.ts'

const strict = { allowPrivate: false }
const local = { allowPrivate: true }
const resolvingTo = (...addresses: string[]) => ({
  ...strict,
  resolve: async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
})
const check = async (text: string, rules: Parameters<typeof resolveTarget>[1] = strict) =>
  resolveTarget(parseTarget(text, rules), rules)

describe('parseTarget', () => {
  test('default: normalized, without a fragment', () => {
    expect(parseTarget('HTTPS://Hooks.Example:443/a?b=c#d', strict).href).toBe(
      'https://hooks.example/a?b=c',
    )
    expect(parseTarget('https://hooks.example:8443/', strict).port).toBe('8443')
  })

  test.each([
    ['http://hooks.example/', 'https'],
    ['ftp://hooks.example/', 'https'],
    ['file:///etc/passwd', 'https'],
    ['javascript:alert(1)', 'https'],
    ['https://user@hooks.example/', 'user'],
    ['https://:secret@hooks.example/', 'password'],
    ['https://hooks.example:22/', 'port'],
    ['https://hooks.example:25/', 'port'],
    ['hooks.example', 'URL'],
    ['', 'URL'],
    [`https://hooks.example/${'a'.repeat(2_048)}`, '2048'],
    [`https://hooks.example/${'é'.repeat(1_000)}`, '2048'],
  ])('error: %s', (text, named) => {
    expect(() => parseTarget(text, strict)).toThrow(WebhookTargetError)
    expect(() => parseTarget(text, strict)).toThrow(named)
  })

  test('behavior: locally http and any port, but no credentials', () => {
    expect(parseTarget('http://127.0.0.1:80/', local).href).toBe('http://127.0.0.1/')
    expect(() => parseTarget('http://a:b@127.0.0.1/', local)).toThrow(WebhookTargetError)
    expect(() => parseTarget('ftp://127.0.0.1/', local)).toThrow(WebhookTargetError)
  })
})

describe('resolveTarget', () => {
  test('default', async () => {
    const addresses = await check('https://hooks.example/', resolvingTo('8.8.8.8', '2606:4700::1'))
    expect(addresses).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ])
    expect(await check('https://8.8.4.4/')).toEqual([{ address: '8.8.4.4', family: 4 }])
  })

  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://0/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[2002:a00:1::]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
  ])('error: the literal %s', async (text) => {
    await expect(check(text)).rejects.toThrow('not public')
  })

  test('error: a name of this machine, by the real resolver', async () => {
    await expect(check('https://localhost/')).rejects.toThrow('not public')
    await expect(check('https://localhost./')).rejects.toThrow(WebhookTargetError)
  })

  test('error: a name with one address that is not public, one without any, one of nobody', async () => {
    await expect(check('https://a.example/', resolvingTo('8.8.8.8', '10.0.0.1'))).rejects.toThrow(
      'not public',
    )
    await expect(check('https://a.example/', resolvingTo())).rejects.toThrow('no address')
    const failing = { ...strict, resolve: () => Promise.reject(new Error('ENOTFOUND')) }
    await expect(check('https://a.example/', failing)).rejects.toThrow('does not resolve')
  })
})
