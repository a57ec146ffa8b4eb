#!/usr/bin/env node
// The compiler of npm's `solc` as forge calls the native one: with its version, or with standard JSON on its input.
const { readFileSync } = require('node:fs')
const solc = require('solc')

if (process.argv.includes('--version'))
  process.stdout.write(
    `solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`,
  )
else process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
