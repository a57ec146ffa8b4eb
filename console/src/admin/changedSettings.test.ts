import { expect, test } from 'vitest'
import { changedSettings, type Settings } from './changedSettings.ts'

const begun: Settings = {
  name: 'Acme',
  rateLimitTier: 'STANDARD',
  slippageBps: 5,
  defaultDistributorCode: '0xab',
  settleOnSubmit: true,
  requiresSecondFactor: false,
}

test('default: only what was changed in the form is sent', () => {
  expect(changedSettings(begun, { ...begun })).toEqual({})
  const given = { ...begun, slippageBps: 0, defaultDistributorCode: '', settleOnSubmit: false }
  expect(changedSettings(begun, given)).toEqual({
    slippageBps: 0,
    defaultDistributorCode: '',
    settleOnSubmit: false,
  })
})
