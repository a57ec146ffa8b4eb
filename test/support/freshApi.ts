import { onTestFinished } from 'vitest'
import { startTestApi, type TestApi, type TestApiOptions } from './api.ts'

/** An api for one test alone: it remembers nothing of the chains as they were before. */
export async function startFreshApi(options: TestApiOptions): Promise<TestApi> {
  const api = await startTestApi(options)
  onTestFinished(() => api.stop())
  return api
}
