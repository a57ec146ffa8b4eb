import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { earnCases } from '../../../test/sdk/hostile/offlineEarnCases.ts'
import { takeBackCases } from '../../../test/sdk/hostile/offlineTakeBackCases.ts'
import { transitCases } from '../../../test/sdk/hostile/offlineTransitCases.ts'
import { BOOK, NOW, type OfflineCase } from '../../../test/sdk/hostile/offlineWorld.ts'
import { preparedFunctions } from '../generated/preparedFunctions.ts'
import type { OpenBook } from './book.ts'
import * as shield from './index.ts'
import type { DepositAddressIntent, Intent, SpendingIntent } from './intent.ts'

const require = createRequire(import.meta.url)
const cases = [...(await transitCases()), ...earnCases(), ...takeBackCases()]
// The signature of its book is checked in `book.test.ts`.
type Shield = Pick<typeof shield, 'checkCall' | 'checkPermit' | 'checkDepositAddress'>

/** The reason of the refusal; null if it is accepted. */
async function verdict(by: Shield, one: OfflineCase): Promise<string | null> {
  try {
    await check(by, one)
    return null
  } catch (error) {
    return (error as { reason?: string }).reason ?? String(error)
  }
}

/** A case has the intent of what it checks. */
async function check(by: Shield, one: OfflineCase) {
  const { intent, call, permit, address, options, book = BOOK as OpenBook } = one
  const at = { now: NOW, ...options }
  if (call) await by.checkCall(book, intent as Intent, call, at)
  if (permit) by.checkPermit(book, intent as SpendingIntent, permit, at)
  if (address) by.checkDepositAddress(book, intent as DepositAddressIntent, address, at)
}

test.each(cases)('default: $name: $reason', async (one) => {
  expect(await verdict(shield, one)).toBe(one.reason)
})

test('default: each prepared function is accepted in some case', () => {
  const accepted = cases.filter(({ reason }) => reason === null)
  const selectors = new Set(accepted.map(({ call }) => call?.data?.slice(0, 10)))
  const missing = Object.entries(preparedFunctions).filter(
    ([, { selector }]) => !selectors.has(selector),
  )
  expect(missing).toEqual([])
})

/** A call that checks, or a refusal. */
const CHECK = /^ *(?:must|mustBe|require[A-Z]\w*)\(|throw (?=new ShieldError\()/gm
/** `book.test.ts` holds the checks of a book. */
const ELSEWHERE = /^(book|shieldError)\.ts/

describe('without one of the checks', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-mutants-'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('error: a case gets another verdict, for each of them', async () => {
    const mutants = await allMutants()
    expect(mutants.length).toBeGreaterThan(35)
    const survivors: string[] = []
    for (const [index, { file, text, name }] of mutants.entries()) {
      const copy = join(folder, String(index))
      for (const part of ['shield', 'generated/preparedFunctions.ts'])
        await cp(join(import.meta.dirname, '..', part), join(copy, part), { recursive: true })
      await writeFile(join(copy, 'shield', file), text)
      // By Node itself: vitest would transform all files of each copy.
      const mutant: Shield = require(join(copy, 'shield/index.ts'))
      const verdicts = await Promise.all(cases.map((one) => verdict(mutant, one)))
      const isNoticed = verdicts.some((one, at) => one !== cases[at]?.reason)
      if (!isNoticed) survivors.push(name)
    }
    expect(survivors).toEqual([])
  })
})

type Mutant = { file: string; name: string; text: string }

/** The shield without one of its checks, for each. */
async function allMutants(): Promise<Mutant[]> {
  const files = (await readdir(import.meta.dirname)).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const found = files.map(async (file) => {
    const text = await readFile(join(import.meta.dirname, file), 'utf8')
    return [...text.matchAll(CHECK)].map(({ 0: match, index }): Mutant => {
      const name = `${file}: ${match.trim()}${text.slice(index + match.length, index + match.length + 60)}`
      const end = match.startsWith('throw')
        ? index + match.length
        : closing(text, index + match.length)
      const without = match.startsWith('throw') ? 'void ' : ''
      return { file, name, text: text.slice(0, index) + without + text.slice(end) }
    })
  })
  return (await Promise.all(found)).flat().filter(({ name }) => !ELSEWHERE.test(name))
}

/** The place behind the parenthesis that closes the one before `from`. */
function closing(text: string, from: number): number {
  let open = 1
  let at = from
  while (open > 0) {
    const sign = text[at++]
    if (sign === '(') open += 1
    if (sign === ')') open -= 1
  }
  return at
}
