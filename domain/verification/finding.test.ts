import { describe, expect, test } from 'vitest'
import { compare, contradiction } from './finding.ts'
import { judgeGeneration } from './verifyContracts.ts'
import { judgeFeed } from './verifyFeeds.ts'
import { judgeNodes } from './verifyNodes.ts'

const ADDRESS = '0xfefeFEFeFEFEFEFEFeFefefefefeFEfEfefefEfe' as const

describe('compare', () => {
  const asked = { place: 'tokens.0.decimals', asked: 'decimals()', expected: 6 }

  test('default: nothing if they agree', () => {
    expect(compare({ ...asked, answered: 6 })).toEqual([])
  })

  test('error: another answer, and none', () => {
    expect(compare({ ...asked, answered: 18 })).toEqual([
      {
        kind: 'contradiction',
        place: 'tokens.0.decimals',
        message: 'the book has 6, decimals() is 18',
      },
    ])
    expect(compare({ ...asked, answered: null })).toMatchObject([
      { message: 'the book has 6, decimals() does not answer' },
    ])
  })
})

test('behavior: an address in a message has its checksum', () => {
  expect(contradiction('x', `no code at ${ADDRESS.toLowerCase()}`).message).toBe(
    `no code at ${ADDRESS}`,
  )
})

describe('judgeFeed', () => {
  const feed = { chainId: 1, address: ADDRESS, maxAgeSeconds: 60 }
  test.each([
    [{ answer: 1n, decimals: 8, ageSeconds: 60 }, []],
    [{ answer: 1n, decimals: 8, ageSeconds: 61 }, ['f.maxAgeSeconds']],
    [{ answer: 0n, decimals: 8, ageSeconds: 0 }, ['f.address']],
    [{ answer: -1n, decimals: 8, ageSeconds: 99 }, ['f.address']],
    [{ answer: null, decimals: null, ageSeconds: 0 }, ['f.address', 'f.address']],
  ])('%o', (answered, places) => {
    expect(judgeFeed('f', feed, answered).map(({ place }) => place)).toEqual(places)
  })
})

describe('judgeGeneration', () => {
  const contract = { address: ADDRESS, generation: 'C', fromBlock: 0, place: 'd' }
  test.each([
    [['C', 'D'], []],
    [['C'], []],
    [['D'], [`the book has C, ${ADDRESS} on chain 1 is D`]],
    [['A', 'B'], [`the book has C, ${ADDRESS} on chain 1 is A or B`]],
    [[], [`the book has C, ${ADDRESS} on chain 1 is of no known generation`]],
  ])('%o', (fitting, messages) => {
    expect(judgeGeneration(contract, 1, fitting).map(({ message }) => message)).toEqual(messages)
  })
})

describe('judgeNodes', () => {
  test('behavior: only the host of a URL is shown', () => {
    const answers = [{ url: 'https://node.example/secret-key', chainId: null }]
    expect(judgeNodes('chains.0', 1, answers)).toEqual([
      {
        kind: 'unverified',
        place: 'chains.0',
        message: 'not verified: the node at node.example does not answer',
      },
    ])
  })
})
