import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * Hermes, the engine of React Native, with React Native's transforms and the parts of it that are JavaScript. Version 0.12, of React
 * Native 0.70, is the newest that npm has for Linux. The newer package `hermes-compiler` runs nothing.
 */
export const HERMES_PACKAGES = [
  'hermes-engine-cli@0.12.0',
  '@babel/core@7.29.13',
  '@react-native/babel-preset@0.88.1',
  'abort-controller@3.0.0',
  'fast-text-encoding@1.0.6',
  'whatwg-fetch@3.6.20',
]

/** What React Native writes in C++, Java or Objective-C. Its network refuses, as there is none in the engine alone. */
const NATIVE_PARTS = `
var window = globalThis, self = globalThis
globalThis.performance = { now: Date.now }
globalThis.setTimeout = function (run, delay) { if (!delay) Promise.resolve().then(run); return 1 }
globalThis.clearTimeout = function () {}
globalThis.crypto = { getRandomValues: function (bytes) { bytes.forEach(function (_, i) { bytes[i] = Math.random() * 256 }); return bytes } }
globalThis.XMLHttpRequest = function () {}
XMLHttpRequest.prototype = { open: function () {}, setRequestHeader: function () {}, abort: function () {}, send: function () { this.onerror() } }
`

type Hermes = {
  folder: string
  run: (command: string, args: string[]) => string
  /** The modules of the program. */
  imports: string
  /** Its text, which ends with a promise of what it prints. */
  program: string
}

type Babel = { transformSync: (code: string, options: object) => { code: string } }

/** Bundles a program as React Native does, and runs it. Returns what it prints. */
export async function runInHermes({ folder, run, imports, program }: Hermes): Promise<string> {
  const input = join(folder, 'hermes.mjs')
  const parts = ['abort-controller/polyfill', 'fast-text-encoding', 'whatwg-fetch']
  const loaded = parts.map((name) => `import '${name}'\n`).join('')
  writeFileSync(input, `${loaded}${imports}\n${program}.then(print)\n`)
  const bundle = await rolldown({ input, platform: 'browser', cwd: folder, logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'iife', codeSplitting: false })
  await bundle.close()
  const require = createRequire(input)
  const { transformSync }: Babel = require('@babel/core')
  // The newer profiles leave forms that this version does not read.
  const options = { unstable_transformProfile: 'default', enableBabelRuntime: false }
  const lowered = transformSync(output[0].code, {
    filename: 'hermes.js',
    presets: [[require.resolve('@react-native/babel-preset'), options]],
    babelrc: false,
    configFile: false,
    compact: false,
  })
  writeFileSync(join(folder, 'hermes.js'), NATIVE_PARTS + lowered.code)
  return run('node_modules/hermes-engine-cli/linux64-bin/hermes', ['-w', 'hermes.js'])
}
