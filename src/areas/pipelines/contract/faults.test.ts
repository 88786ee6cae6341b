import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeFault } from './context.ts'
import { toFault } from './faults.ts'

const factsOf = (message: string) => {
  const { kind, code, message: said } = toFault(new Error(message))
  return [kind, code, said]
}

test('what DuckDB and the system say is sorted by what helps against it', () => {
  assert.deepEqual(factsOf('Conversion Error: Could not convert string "x" to INT32\n\nLINE 1: SELECT'), [
    'records',
    'invalid_value',
    'Conversion Error: Could not convert string "x" to INT32'
  ])
  assert.deepEqual(factsOf('Binder Error: Referenced column "tmp" not found').slice(0, 2), ['fatal', 'sql_error'])
  assert.deepEqual(factsOf('ENOSPC: no space left on device, write').slice(0, 2), ['transient', 'disk_full'])
  assert.deepEqual(factsOf('Out of Memory Error: could not allocate').slice(0, 2), ['transient', 'out_of_memory'])
  assert.deepEqual(factsOf('INTERRUPT Error: Interrupted!').slice(0, 2), ['transient', 'interrupted'])
  assert.deepEqual(factsOf('something else').slice(0, 2), ['transient', 'unexpected'])
})

test('what is known already stays as it is, and where files lie is not told', () => {
  const known = new NodeFault('fatal', 'no_such_source', 'There is no source')
  assert.equal(toFault(known), known)
  const said = (message: string) => factsOf(message)[2]
  assert.equal(said("ENOENT: no such file, open '/srv/data/pipelines/x.parquet'"), "ENOENT: no such file, open '…'")
  assert.equal(said('IO Error: Cannot open file "/srv/data/a b/c"'), 'IO Error: Cannot open file "…"')
  assert.equal(said('GET https://example.com/a/b failed at 3/4'), 'GET https://example.com/a/b failed at 3/4')
  assert.ok(String(said('x'.repeat(2000))).length <= 501)
})
