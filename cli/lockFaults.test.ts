import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockFaults } from './lockFaults.ts'

const linux = { os: 'linux', cpu: 'x64', libc: 'glibc' }
const integrity = 'sha512-abc'

test('default: the lock file pins what is installed here', () => {
  const path = join(import.meta.dirname, '../package-lock.json')
  const { packages } = JSON.parse(readFileSync(path, 'utf8'))
  expect(Object.keys(packages).length).toBeGreaterThan(500)
  expect(lockFaults(packages)).toEqual([])
})

test.each<[string, Parameters<typeof lockFaults>[0][string], string[]]>([
  ['a pinned package', { integrity }, []],
  ['a package without integrity', {}, ['a: has no sha512 integrity']],
  ['a weak hash', { integrity: 'sha1-abc' }, ['a: has no sha512 integrity']],
  ['another source', { integrity, resolved: 'git+ssh://x' }, ['a: comes from git+ssh://x']],
  ['one for another system', { optional: true, os: ['darwin'] }, ['a: has no sha512 integrity']],
])('behavior: %s', (_, entry, faults) => {
  expect(lockFaults({ '': {}, a: entry }, linux)).toEqual(faults)
})

const tool = { dev: true, optional: true }

test.each<[string, Parameters<typeof lockFaults>[0][string], boolean]>([
  ['for another system', { ...tool, os: ['darwin'], cpu: ['x64'] }, true],
  ['for all systems but this', { ...tool, os: ['!linux'] }, true],
  ['for another C library', { ...tool, os: ['linux'], libc: ['musl'] }, true],
  ['for this system', { ...tool, os: ['linux'] }, false],
  ['that is not optional', { dev: true, os: ['darwin'] }, false],
  ['that is for production', { optional: true, os: ['darwin'] }, false],
])('behavior: the program of a tool without integrity, %s', (_, entry, isAccepted) => {
  const path = 'node_modules/@biomejs/cli-other'
  const faults = [`${path}: has no sha512 integrity`]
  expect(lockFaults({ '': {}, [path]: entry }, linux)).toEqual(isAccepted ? [] : faults)
})

test('behavior: a workspace is the project itself, a folder that is none is not', () => {
  const packages = { '': { workspaces: ['sdk'] }, sdk: {}, other: {} }
  expect(lockFaults(packages, linux)).toEqual(['other: has no sha512 integrity'])
})
