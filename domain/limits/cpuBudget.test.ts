import { expect, test } from 'vitest'
import { createCpuBudget } from './cpuBudget.ts'

const LIMIT = 6_000

test('default: ten seconds of the rate at once, then the rate', () => {
  let now = 0
  const budget = createCpuBudget(() => now)
  budget.spend('a', 1_000)
  expect(budget.waitSeconds('a', LIMIT)).toBe(0)
  budget.spend('a', 250)
  expect(budget.waitSeconds('a', LIMIT)).toBe(3)
  now += 2_400
  expect(budget.waitSeconds('a', LIMIT)).toBe(1)
  now += 100
  expect(budget.waitSeconds('a', LIMIT)).toBe(0)
  now += 60_000
  budget.spend('a', 1_000)
  expect(budget.waitSeconds('a', LIMIT)).toBe(0)
})

test('behavior: time that passed before a request ended is not counted twice', () => {
  let now = 0
  const budget = createCpuBudget(() => now)
  budget.spend('a', 1_500)
  now += 10_000
  budget.spend('a', 1_100)
  expect(budget.waitSeconds('a', LIMIT)).toBe(6)
})

test('behavior: each name has its own', () => {
  const budget = createCpuBudget(() => 0)
  budget.spend('a', 9_000)
  expect([budget.waitSeconds('a', LIMIT), budget.waitSeconds('b', LIMIT)]).toEqual([80, 0])
})
