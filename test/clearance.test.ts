import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { ATTEMPTS } from './support/clearance/attempts.ts'
import { NO_DATA } from './support/clearance/no-data.ts'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
}

const description = JSON.parse(readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8')) as Described
const operations = Object.values(description.paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ operationId }) => operationId ?? [])
)

it('every operation gives out no data, or is tried without clearance', () => {
  const listed = [...Object.keys(ATTEMPTS), ...Object.values(NO_DATA).flat()]
  assert.deepEqual(
    operations.filter((name) => !listed.includes(name)),
    [],
    'add new operations to test/support/clearance'
  )
  assert.deepEqual(
    listed.filter((name) => !operations.includes(name)),
    [],
    'take operations out of test/support/clearance that are no more'
  )
  assert.equal(new Set(listed).size, listed.length, 'an operation is listed twice')
})
