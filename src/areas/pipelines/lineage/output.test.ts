import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsePattern } from '../../../data/glob.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { outputsOf } from './output.ts'
import { referencesOf } from './references.ts'

const source: PipelineNode = { id: 'in', type: 'file', config: { reference: 'object://a/*.csv' }, inputs: [] }
const objects = (id: string, prefix: string): PipelineNode => {
  return { id, type: 'object', config: { bucket: 'out', prefix, format: 'csv' }, inputs: ['in'] }
}
const series = (id: string, tag: string): PipelineNode => {
  return { id, type: 'series', config: { source: 'src_1', time: 't', tag, value: 'v' }, inputs: ['in'] }
}

describe('the output of a pipeline', () => {
  it('is its points where it has any, each source once', () => {
    const nodes = [source, objects('o', ''), series('a', 'name'), series('b', "'it''s'")]
    assert.deepEqual(outputsOf('pl_1', nodes), [{ kind: 'series', sourceId: 'src_1', tag: undefined }])
    assert.deepEqual(outputsOf('pl_1', [source, series('b', "'it''s'")]), [
      { kind: 'series', sourceId: 'src_1', tag: "it's" }
    ])
  })

  it('is its own objects and nobody else’s, whatever the prefix holds', () => {
    const [output] = outputsOf('pl_1', [source, objects('o', 'x[1]*/')])
    assert.ok(output?.kind === 'object')
    const { matches } = parsePattern(output.pattern)
    for (const key of ['x[1]*/pl_1-o-1-7.csv', 'x[1]*/day=2/pl_1-o-12-7-0.csv']) assert.ok(matches(key), key)
    const others = ['x1/pl_1-o-1-7.csv', 'x[1]*/pl_2-o-1-7.csv', 'x[1]*/pl_1-other-1-7.csv', 'x[1]*/pl_1-o-1-7.parquet']
    for (const key of others) assert.ok(!matches(key), key)
  })

  it('is nothing where records only go elsewhere', () => {
    const http: PipelineNode = { id: 'h', type: 'http', config: { url: 'https://x.example' }, inputs: ['in'] }
    assert.deepEqual(outputsOf('pl_1', [source, http]), [])
  })
})

describe('the lineage of a pipeline', () => {
  it('is what it reads and what it writes, each once', () => {
    const nodes = [source, objects('o', 'x/'), series('a', 'n'), series('b', 'm')]
    assert.deepEqual(referencesOf('pl_1', nodes), {
      inputs: ['object://a/*.csv'],
      outputs: ['object://out/x/*', 'series://src_1', 'pipeline://pl_1']
    })
  })
})
