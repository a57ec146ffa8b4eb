import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'
import { type ApiProcess, startApiProcess, untilReady } from '../test/support/apiProcess.ts'
import { ask, giveKeyOf } from '../test/support/ask.ts'

export type BenchApi = ApiProcess & { port: number; appSecret: string }

type BenchApiOptions = {
  /** Migrated. */
  databaseUrl: string
  addressBook: AddressBookFile
  /** By default nothing listens at the URLs of its nodes. */
  rpcUrls?: Record<number, string>
  /** Further variables of the api. */
  variables?: Record<string, string>
}

/** The real api process, ready; `ask` sends a key with all permissions. */
export async function startBenchApi(options: BenchApiOptions): Promise<BenchApi> {
  const { databaseUrl, addressBook, variables = {} } = options
  const nowhere = addressBook.chains.map(({ id }) => [id, 'http://127.0.0.1:1'])
  const rpcUrls: Record<number, string> = options.rpcUrls ?? Object.fromEntries(nowhere)
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
  const file = join(folder, 'address-book.json')
  await writeFile(file, JSON.stringify(addressBook))
  const appSecret = randomBytes(32).toString('hex')
  const api = await startApiProcess({
    databaseUrl,
    addressBook: file,
    rpcUrls,
    appSecret,
    variables,
  })
  const stop = async () => {
    await api.stop()
    await rm(folder, { recursive: true })
  }
  try {
    await untilReady(api)
    await giveKeyOf(api.url, databaseUrl, appSecret)
  } catch (error) {
    await stop()
    throw error
  }
  return { ...api, port: Number(new URL(api.url).port), appSecret, stop }
}

const ANSWER_MS = 30_000

/** Waits until a URL answers with success, so that its reads of the chains are done. */
export async function untilAnswered(url: string): Promise<void> {
  const deadline = Date.now() + ANSWER_MS
  for (;;) {
    const response = await ask(url)
    if (response.ok) return
    if (Date.now() > deadline) throw new Error(`not answered: ${await response.text()}`)
    await sleep(100)
  }
}
