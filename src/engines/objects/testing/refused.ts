import assert from 'node:assert/strict'
import { StoreError, type StoreErrorCode } from '../index.ts'

export async function refused(work: Promise<unknown>, code: StoreErrorCode): Promise<void> {
  await assert.rejects(work, (error) => isStoreError(error, code))
}

export function isStoreError(error: unknown, code: StoreErrorCode): error is StoreError {
  assert.ok(error instanceof StoreError, `${error} is not a StoreError`)
  assert.equal(error.code, code, error.message)
  return true
}
