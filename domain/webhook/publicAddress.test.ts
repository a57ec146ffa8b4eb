import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './publicAddress.ts'

const REFUSED = {
  'this host': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1'],
  'link-local, metadata': ['169.254.169.254', '169.254.170.2', 'fe80::1', 'fd00:ec2::254'],
  'metadata elsewhere': ['168.63.129.16', '100.100.100.200', '192.0.0.192'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.254'],
  'multicast and broadcast': ['224.0.0.1', '239.1.1.1', '255.255.255.255', 'ff02::1'],
  'reserved, documentation, benchmarks': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '240.0.0.1',
    '192.88.99.1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '2001:20::1',
  ],
  'IPv4 in IPv6, mapped': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe'],
  'IPv4 in IPv6, compatible': ['::127.0.0.1', '::a9fe:a9fe', '::10.0.0.1'],
  'IPv4 in IPv6, translated': ['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1'],
  'IPv4 in IPv6, 6to4 and Teredo': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001::1'],
  'site-local, unassigned': ['fec0::1', '5f00::1', '4000::1', 'e000::1'],
  'no address': ['localhost', '', '1.2.3', '::1%eth0%', '999.1.1.1'],
}

describe('isPublicAddress', () => {
  test.each(Object.entries(REFUSED))('error: %s', (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })

  test('default: the internet', () => {
    const open = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111']
    expect(open.filter((address) => !isPublicAddress(address))).toEqual([])
  })
})
