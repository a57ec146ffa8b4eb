import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { diagnose } from '../../cli/doctor/diagnose.ts'
import type { Line } from '../../cli/doctor/line.ts'
import { runDoctor } from '../../cli/doctor/runDoctor.ts'
import { connect } from '../../db/sql.ts'
import { DEVNET_KEEPER_KEY } from '../../devnet/accounts.ts'
import {
  type DoctorWorld,
  OTHER_KEY,
  OTHER_SECRET,
  SECRET,
  startDoctorWorld,
  textOf,
} from '../support/doctorWorld.ts'
import { endedCommand } from '../support/endedCommand.ts'
import { testDoctorOfChains } from './doctorOfChains.ts'
import { testDoctorOfMachine } from './doctorOfMachine.ts'

let world: DoctorWorld

beforeAll(async () => {
  world = await startDoctorWorld()
})
afterAll(() => world?.stop())
beforeEach(() => world.mine())

test('default: a sound configuration has no error, and ends with 0', async () => {
  const { code, stdout } = await endedCommand(runDoctor, [], world.sound)
  expect(stdout).not.toMatch(/^error/m)
  expect(stdout).toMatch(/^ok {6} +quote signer: 0x\w+, as all stations name it$/m)
  expect(stdout).toMatch(/^0 errors, \d+ warnings, \d+ ok$/m)
  expect(code).toBe(0)
})

test('error: as JSON, with the mend; the code is 1, and no secret is shown', async () => {
  const { code, stdout } = await endedCommand(runDoctor, ['--json'], {
    ...world.sound,
    QUOTE_SIGNER_PRIVATE_KEY: OTHER_KEY,
  })
  expect(code).toBe(1)
  const found: Line[] = JSON.parse(stdout)
  expect(found).toContainEqual({
    level: 'error',
    check: 'quote signer',
    message: expect.stringContaining('names 0x'),
    advice: expect.stringContaining('Configure the key of the station'),
  })
  for (const secret of [SECRET, OTHER_SECRET, OTHER_KEY.slice(2), DEVNET_KEEPER_KEY.slice(2)])
    expect(stdout).not.toContain(secret)
})

test('behavior: it writes nothing, neither into an empty database', async () => {
  const empty = new URL(world.sound.DATABASE_URL ?? '')
  empty.pathname = '/postgres'
  const found = await diagnose({ ...world.sound, DATABASE_URL: empty.href })
  expect(found.map(textOf)).toContain('warning database: is empty: nothing has migrated it yet')
  const other = connect(empty.href, { applicationName: 'doctor-test', max: 1 })
  const [row] = await other<{ app: string | null }[]>`select to_regnamespace('app')::text as app`
  await other.end()
  expect(row?.app).toBeNull()
})

testDoctorOfMachine(() => world)
testDoctorOfChains(() => world)
