import { describe, expect, test } from 'vitest'
import { listQuery } from './listQuery.ts'
import { encodePageToken } from './pageToken.ts'

const services = { appSecret: new Uint8Array(32).fill(7) }
const keys = { chainId: { type: 'integer' } } as const

function query(filter?: string, pageToken?: string) {
  return listQuery({ list: 'rows', keys })(services, { pageSize: 1, filter, pageToken })
}

function tokenOf(filter?: string) {
  return encodePageToken({ binding: query(filter).binding, cursor: ['a'] }, services.appSecret)
}

describe('a page token', () => {
  const none = [undefined, '', '  ']
  test.each(none.flatMap((one) => none.map((other) => [one, other])))(
    'behavior: of no filter, %j, is one of no filter, %j',
    (one, other) => {
      expect(query(other, tokenOf(one)).cursor).toEqual(['a'])
    },
  )

  test.each([
    ['chainId = 1', ''],
    ['', 'chainId = 1'],
    ['chainId = 1', 'chainId = 2'],
  ])('error: of the filter %j, beside %j', (one, other) => {
    expect(() => query(other, tokenOf(one))).toThrow('pageToken')
  })
})
