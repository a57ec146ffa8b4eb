import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Debian's package `faketime` has the library. */
const LIBRARIES = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`,
)
const library = LIBRARIES.find((path) => existsSync(path))

/** Whether clocks of single processes can be moved here. */
export const canMoveClocks = library !== undefined

/** The variables of a process whose clock `setClock` moves while it runs; none without the library. */
export function clockVariables(folder: string, name: string): Record<string, string> {
  if (!library) return {}
  setClock(folder, name, 0)
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: fileOf(folder, name),
    FAKETIME_CACHE_DURATION: '1',
    // A set clock does not change the time that has passed since the start of the system.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

/** Moves the clock of a process by seconds, within a second. */
export function setClock(folder: string, name: string, seconds: number) {
  const file = fileOf(folder, name)
  writeFileSync(`${file}.next`, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  renameSync(`${file}.next`, file)
}

function fileOf(folder: string, name: string): string {
  return join(folder, `clock-${name.replaceAll(' ', '-')}`)
}
