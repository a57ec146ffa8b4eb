import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { worldClient } from '../../devnet/world.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { startStationWorld, user } from '../devnet/stationWorld.ts'
import { startTestApi } from '../support/api.ts'

/** Contracts outside of the address book are not called, whatever they would answer. */

const abi = parseAbi([
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
])
const EVIL = `0x${'ee'.repeat(20)}` as const

let world: Awaited<ReturnType<typeof startStationWorld>>
const visits: string[] = []
const inside = createServer((request, response) => {
  visits.push(String(request.url))
  response.end('{"data":"0x1234"}')
})
beforeAll(async () => {
  world = await startStationWorld()
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  const { port } = inside.address() as AddressInfo
  const revert = encodeErrorResult({
    abi,
    errorName: 'OffchainLookup',
    args: [
      EVIL,
      [`http://127.0.0.1:${port}/secrets/{sender}/{data}`],
      '0x1234',
      '0x12345678',
      '0x',
    ],
  })
  await worldClient(world, 1).setCode({ address: EVIL, bytecode: revertWith(revert) })
})
afterAll(async () => {
  inside.close()
  await world?.stop()
})

test('behavior: no client fetches what a contract names (EIP-3668)', async () => {
  const url = world.rpcUrls[1] ?? ''
  const clients = createChainClients([{ chainId: 1, rpcUrls: [url] }], world.addressBook)
  await expect(
    clients.read(1, (client) =>
      client.readContract({
        address: EVIL,
        abi: parseAbi(['function nonces(address) view returns (uint256)']),
        functionName: 'nonces',
        args: [user().address],
      }),
    ),
  ).rejects.toThrow()
  expect(visits).toEqual([])
})

test('behavior: an authorization calls no contract that the address book does not have', async () => {
  const { tokens, ...book } = world.addressBook
  const listed = { chainId: 1, address: EVIL, name: 'E', symbol: 'E', decimals: 6 }
  const addressBook = parseAddressBook({ ...book, tokens: [...tokens, listed] }, 'evil')
  const query = `chainId=1&tokenAddress=${EVIL}&amount=5&userAddress=${user().address}`
  const statuses = []
  for (const options of [{}, { addressBook }]) {
    const api = await startTestApi({ world, ...options })
    statuses.push((await fetch(`${api.url}/v3/core/authorization?${query}`)).status)
    await api.stop()
  }
  // Once listed it is called; its invalid answer is a problem for the operator.
  expect(statuses).toEqual([400, 503])
  expect(visits).toEqual([])
})

/** Code that reverts every call with these bytes. */
function revertWith(data: Hex): Hex {
  const size = ((data.length - 2) / 2).toString(16).padStart(4, '0')
  // codecopy(0, 0x0e, size); revert(0, size); the data follow at byte 0x0e.
  const code = `61${size}600e60003961${size}6000fd`
  return `0x${code.padEnd(28, '0')}${data.slice(2)}`
}
