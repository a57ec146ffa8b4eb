import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isInstalled } from './isInstalled.ts'

const LOCKED = {
  '': {},
  'node_modules/a': { integrity: 'sha512-a' },
  'node_modules/a-windows': { integrity: 'sha512-w', optional: true },
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installed-'))
  writeLock('package-lock.json', LOCKED)
})
afterEach(() => rmSync(folder, { recursive: true }))

function writeLock(file: string, packages: object) {
  writeFileSync(join(folder, file), JSON.stringify({ packages }))
}

function install(packages: object) {
  mkdirSync(join(folder, 'node_modules'))
  writeLock('node_modules/.package-lock.json', packages)
}

test('default: without the optional packages of other platforms', () => {
  install({ 'node_modules/a': LOCKED['node_modules/a'] })
  expect(isInstalled(folder)).toBe(true)
})

test('behavior: without node_modules', () => {
  expect(isInstalled(folder)).toBe(false)
})

test('behavior: a package has another version', () => {
  install({ 'node_modules/a': { integrity: 'sha512-old' } })
  expect(isInstalled(folder)).toBe(false)
})

test('behavior: a package is new', () => {
  install({})
  expect(isInstalled(folder)).toBe(false)
})
