import assert from 'node:assert/strict'
import { startTestApp, type TestApp } from './app.ts'
import { makeBucket } from './objects/client.ts'

/** A platform with a bucket `shop` to read from and a bucket `out` to write to. */
export async function startLevelsApp() {
  const test: TestApp = await startTestApp()
  for (const bucket of ['shop', 'out']) await makeBucket(test, bucket)
  /** Does something as an administrator, which has to succeed; answers the body. */
  const admin = async (method: string, path: string, body?: unknown) => {
    const answer = await test.call(method, `/api${path}`, { as: 'admin', body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  return { test, admin }
}
