import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resolveByDns } from './resolveByDns.ts'

/** A server that answers each name with one IPv4 address and no IPv6 address, and never answers `silent.example`. */
const server = createSocket('udp4')
let servers: string[]
beforeEach(async () => {
  server.on('message', (query, { port }) => {
    if (query.includes('silent')) return
    const isIPv4 = query.readUInt16BE(query.indexOf(0, 12) + 1) === 1
    const answer = Buffer.from('c00c00010001000000000004' + '08080808', 'hex')
    const head = Buffer.from(query)
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(isIPv4 ? 1 : 0, 6)
    head.writeUInt16BE(0, 10)
    const end = query.indexOf(0, 12) + 5
    server.send(Buffer.concat([head.subarray(0, end), ...(isIPv4 ? [answer] : [])]), port)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  servers = [`127.0.0.1:${server.address().port}`]
})
afterEach(() => void server.close())

test('behavior: names that nobody answers for keep no other waiting', async () => {
  expect(await resolveByDns('hooks.example', { servers })).toEqual([
    { address: '8.8.8.8', family: 4 },
  ])
  expect(await resolveByDns('a.localhost')).toEqual([{ address: '127.0.0.1', family: 4 }])
  const options = { servers, timeoutMs: 200 }
  const silent = Array.from({ length: 20 }, () => resolveByDns('silent.example', options))
  const refused = Promise.allSettled(silent)
  const first = await Promise.race([lookup('localhost').then(() => 'other'), refused])
  expect(first).toBe('other')
  const outcomes = (await refused).map(({ status }) => status)
  expect(outcomes).toEqual(Array(20).fill('rejected'))
})
