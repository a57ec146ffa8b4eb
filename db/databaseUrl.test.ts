import { describe, expect, test } from 'vitest'
import { postgresOptions, readDatabaseUrl, withParameter } from './databaseUrl.ts'

/** No variable of this machine counts. */
const read = (text: string) => readDatabaseUrl(text, {})

describe('readDatabaseUrl', () => {
  test.each([
    ['Neon', 'postgresql://u:p@ep-a.eu.aws.neon.tech/d?sslmode=require&channel_binding=require'],
    [
      'Supabase',
      'postgres://u:p@aws-0.pooler.supabase.com:6543/d?sslmode=require&supa=base-pooler.x',
    ],
    ['Heroku', 'postgres://u:p@ec2-1.compute-1.amazonaws.com:5432/d'],
    ['Cloud SQL', 'postgres://u:p@/d?host=/cloudsql/project:region:instance'],
    ['Prisma', 'postgres://u:p@h/d?pgbouncer=true&connection_limit=1&connect_timeout=15'],
  ])('behavior: takes what %s hands out', (_, text) => {
    expect(() => read(text)).not.toThrow()
  })

  test('behavior: its own result means the same once more', () => {
    const { url } = read('postgres://u:p@h/d?sslmode=no-verify&channel_binding=require')
    expect(read(url.href).url.href).toBe(url.href)
  })

  test('behavior: several servers, each with its own port, also after a change', () => {
    const text = 'postgres://h:p%40@h:6000,[::1]:7000,i/d?target_session_attrs=primary'
    const hosts = ['h:6000', '[::1]:7000', 'i']
    for (const given of [text, withParameter(text, 'sslmode', 'disable')]) {
      const { url, urls } = read(given)
      expect(urls.map(({ host }) => host)).toEqual(hosts)
      expect(urls.map(({ password, pathname }) => password + pathname)).toEqual(
        Array(3).fill('p%40/d'),
      )
      expect(url.href).toBe(urls[0]?.href)
    }
  })

  test.each([
    ['mysql://h/d', 'expected a URL as in postgres://'],
    ['postgres://u:p@h:1,/d', 'expected a URL as in postgres://'],
    ['postgres://u:p@h:1,i:port/d', 'expected a URL as in postgres://'],
    ['postgres://u:p@h,127.0.0.1/d?sslmode=verify-full', 'needs a host name, not an IP address'],
    ['postgres://u:1%@h/d', '%25'],
    ['postgres://h/d?sslmod=require', 'the parameter sslmod is not known'],
    ['postgres://h/d?sslmode=on', 'sslmode on is not known'],
    ['postgres://h/d?sslmode=verify-ca', 'needs sslrootcert'],
    ['postgres://h/d?sslmode=require&sslrootcert=system', 'needs sslmode=verify-full'],
    [
      'postgres://h/d?sslmode=verify-full&sslrootcert=/no/file',
      'sslrootcert cannot be read (ENOENT)',
    ],
    ['postgres://h/d?connect_timeout=soon', 'connect_timeout'],
  ])('error: %s', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})

describe('postgresOptions', () => {
  test('behavior: a socket, and an IPv6 address', () => {
    const socket = postgresOptions('postgres://u:p%40@/d?host=/cloudsql/a:b:c')
    expect(socket.target).toMatchObject({
      path: '/cloudsql/a:b:c/.s.PGSQL.5432',
      user: 'u',
      password: 'p@',
      database: 'd',
    })
    expect(postgresOptions('postgres://[::1]:6000/d').target).toMatchObject({
      host: ['::1'],
      port: [6000],
    })
  })
})
