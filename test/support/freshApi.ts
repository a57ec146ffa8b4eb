import { onTestFinished } from 'vitest'
import { startTestApi, type TestApi, type TestApiOptions } from './api.ts'

/** An API for one test, without cached reads of the chains. */
export async function startFreshApi(options: TestApiOptions): Promise<TestApi> {
  const api = await startTestApi(options)
  onTestFinished(() => api.stop())
  return api
}
