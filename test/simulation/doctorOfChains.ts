import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test, vi } from 'vitest'
import { DEVNET_KEEPER_KEY, DEVNET_QUOTE_SIGNER_KEY } from '../../devnet/accounts.ts'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { type DoctorWorld, OTHER_KEY, textOf } from '../support/doctorWorld.ts'
import { at } from '../support/findings.ts'
import { AWS_KEY, startKmsServer } from '../support/kmsServer.ts'
import { startLimitedNode } from '../support/limitedNode.ts'

/** The doctor's lines of nodes, address book, quote signer and keeper. */
export function testDoctorOfChains(world: () => DoctorWorld) {
  describe('nodes', () => {
    test.each<[string, () => NodeJS.ProcessEnv, RegExp]>([
      ['no URL', () => ({ RPC_URL_4663: '' }), /^error variables: RPC_URL_4663: is not set/],
      [
        'another chain',
        () => ({ RPC_URL_4663: world().sound.RPC_URL_1 }),
        /^error node of chain 4663, .*: it is a node of chain 1/,
      ],
    ])('%s', async (_, changed, wanted) => {
      await world().expectFound(changed(), [wanted])
    })

    test('no history', async () => {
      const node = await startLimitedNode({
        rpcUrl: world().sound.RPC_URL_1 ?? '',
        logBlocks: 0,
        firstState: 0,
      })
      await world().expectFound({ RPC_URL_1: node.rpcUrl }, [
        /^error node of chain 1, .*: it lacks the logs of block \d+, the first of the contracts: query exceeds/,
      ])
      await node.stop()
    })

    test('an old head', async () => {
      const path = await world().writeBook('head', (book) => ({
        ...book,
        chains: book.chains.map((chain) => ({ ...chain, maxHeadAgeSeconds: 60 })),
      }))
      const found = await world().newLines(
        { ADDRESS_BOOK: path },
        { now: () => Date.now() + 90_000 },
      )
      expect(found.map(textOf)).toContainEqual(
        expect.stringMatching(/^error node of chain 1, .*: its newest block \d+ is \d+ s old/),
      )
    })
  })

  describe('address book', () => {
    const plants: [string, (book: AddressBookFile) => object, RegExp][] = [
      ['another format', () => ({ chains: 1 }), /^error variables: ADDRESS_BOOK: .*chains/],
      [
        'a wrong symbol',
        (book) => {
          at(book.tokens, 0).symbol = 'USD'
          return book
        },
        /^error address book: tokens\.0\.symbol: the book has USD/,
      ],
    ]
    test.each(plants)('%s', async (name, change, wanted) => {
      await world().expectFound(
        { ADDRESS_BOOK: await world().writeBook(name.replaceAll(' ', '-'), change) },
        [wanted],
      )
    })

    test('no file', async () => {
      await world().expectFound({ ADDRESS_BOOK: join(world().folder, 'none.json') }, [
        /^error variables: ADDRESS_BOOK: .*cannot be read/,
        /^error address book: not checked/,
      ])
    })
  })

  describe('signer and keeper', () => {
    test.each<[string, NodeJS.ProcessEnv, RegExp[]]>([
      ['no signer', { QUOTE_SIGNER_PRIVATE_KEY: '' }, [/^warning quote signer: there is none/]],
      [
        'another signer',
        { QUOTE_SIGNER_PRIVATE_KEY: OTHER_KEY },
        [/^error quote signer: the station of chain 1 names/, /of chain 4663 names/],
      ],
      ['no keeper', { SMART_DEPOSIT_KEEPER_PRIVATE_KEY: '' }, [/^warning keeper: there is none/]],
      [
        'an account without role and coins',
        { SMART_DEPOSIT_KEEPER_PRIVATE_KEY: OTHER_KEY },
        [
          /^error keeper on chain 1: 0x\w+ is no keeper/,
          /^error keeper on chain 1: 0x\w+ has 0 native/,
          /^error keeper on chain 4663: 0x\w+ is no keeper/,
        ],
      ],
      [
        "the quote signer's key",
        { SMART_DEPOSIT_KEEPER_PRIVATE_KEY: DEVNET_QUOTE_SIGNER_KEY },
        [/^error keeper: its key is that of the quote signer/],
      ],
    ])('%s', async (_, changed, wanted) => {
      await world().expectFound(changed, wanted)
    })

    test('a chain that cannot be read', async () => {
      const RPC_URL_1 = `http://127.0.0.1:${world().freePort}`
      await world().expectFound({ RPC_URL_1 }, [
        /^error quote signer on chain 1: not checked: .*ECONNREFUSED/,
        /^error keeper on chain 1: not checked: .*ECONNREFUSED/,
      ])
    })

    test('behavior: a key management service is asked once for each account', async () => {
      const kms = await startKmsServer(DEVNET_KEEPER_KEY)
      for (const [name, value] of Object.entries(kms.variables)) vi.stubEnv(name, value)
      const { address } = privateKeyToAccount(DEVNET_KEEPER_KEY)
      const key = `aws-kms:${AWS_KEY}`
      await world().expectFound(
        {
          QUOTE_SIGNER_PRIVATE_KEY: '',
          QUOTE_SIGNER: key,
          QUOTE_SIGNER_ADDRESS: address,
          SMART_DEPOSIT_KEEPER_PRIVATE_KEY: '',
          SMART_DEPOSIT_KEEPER: key,
          SMART_DEPOSIT_KEEPER_ADDRESS: address,
        },
        [/^error keeper: its key is that of the quote signer/],
      )
      vi.unstubAllEnvs()
      await kms.stop()
      expect(kms.looked()).toBe(2)
    })
  })
}
