import assert from 'node:assert/strict'
import { eventually } from '../../../../../test/support/eventually.ts'
import type { Check, TestResult } from '../../schema.ts'
import { CHECKS, type CheckName } from '../names.ts'

interface Api {
  call(
    method: string,
    path: string,
    options: { as: 'admin'; body: object }
  ): Promise<{ status: number; text: string; body: TestResult }>
}

/** Repeats a call while the server is overloaded: the vendors' clients take long to load on a busy machine. */
export function whenNotBusy<T extends { status: number }>(call: () => Promise<T>): Promise<T> {
  return eventually(async () => {
    const answer = await call()
    assert.notEqual(answer.status, 503)
    return answer
  })
}

/** Tests settings without keeping anything of them. */
export async function testSettings(api: Api, body: object): Promise<TestResult> {
  const options = { as: 'admin', body: { name: 'x', ...body } } as const
  const answer = await whenNotBusy(() => api.call('POST', '/api/storage/providers/test', options))
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export function checkOf({ checks }: TestResult, name: CheckName): Check {
  assert.deepEqual(
    checks.map((check) => check.name),
    CHECKS
  )
  return checks.find((check) => check.name === name) as Check
}

/** Asserts that just these checks failed, each with its code, and that checks which depend on them were not tried. */
export function assertFailed(result: TestResult, expected: Partial<Record<CheckName, string>>): void {
  const tried = result.checks.filter(({ ok, code }) => !ok && code !== 'not_tried')
  assert.deepEqual(Object.fromEntries(tried.map(({ name, code }) => [name, code])), expected, JSON.stringify(result))
  for (const { ok, code, ms, message } of result.checks) {
    assert.ok(message.length > 0 && Number.isInteger(ms) && ms >= 0)
    assert.ok(ok ? code === null || code === 'skipped' : code !== null)
  }
}
