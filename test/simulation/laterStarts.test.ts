import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listProcesses } from '../../devnet/processTable.ts'
import {
  ordersOnChain,
  placeOrder,
  readHeads,
  untilIndexEqualsChain,
} from '../start/productChecks.ts'
import {
  createProductFolder,
  leftovers,
  type Product,
  type ProductFolder,
  START_MS,
  startProduct,
  THREE_INDEXERS,
} from '../start/startedProduct.ts'

let folder: ProductFolder
let product: Product

describe('a later npm start', () => {
  beforeAll(async () => {
    folder = await createProductFolder()
    product = await startProduct(folder, THREE_INDEXERS)
  }, START_MS)
  afterAll(async () => {
    product?.process.kill('SIGTERM')
    await product?.ended
    await folder.remove()
  })

  test('behavior: after SIGTERM it continues with the data', { timeout: START_MS }, async () => {
    const before = product.run
    await placeOrder(product)
    await untilIndexEqualsChain(product)
    const heads = await readHeads(product)
    const orders = await ordersOnChain(product)
    product.process.kill('SIGTERM')
    await product.ended
    expect(await leftovers(folder, before)).toEqual([])

    product = await startProduct(folder, THREE_INDEXERS)
    expect(product.run.apiKey).toBe(before.apiKey)
    const later = await readHeads(product)
    for (const [index, head] of heads.entries()) expect(later[index]).toBeGreaterThanOrEqual(head)
    expect(await ordersOnChain(product)).toEqual(expect.arrayContaining(orders))
    await untilIndexEqualsChain(product)
  })

  test('behavior: it ends what one that was killed alone left', {
    timeout: START_MS,
  }, async () => {
    const { start, ...others } = product.run.pids
    process.kill(others.api ?? Number.NaN, 'SIGSTOP')
    process.kill(start ?? Number.NaN, 'SIGKILL')
    await product.ended
    product = await startProduct(folder, THREE_INDEXERS)
    const alive = new Set((await listProcesses()).map(({ pid }) => pid))
    expect(Object.values(others).filter((pid) => alive.has(pid))).toEqual([])
  })

  test('behavior: after a kill of everything it comes up by itself', {
    timeout: START_MS,
  }, async () => {
    await placeOrder(product)
    for (const pid of Object.values(product.run.pids)) process.kill(pid, 'SIGKILL')
    await product.ended
    product = await startProduct(folder, THREE_INDEXERS)
    await untilIndexEqualsChain(product)
  })
})
