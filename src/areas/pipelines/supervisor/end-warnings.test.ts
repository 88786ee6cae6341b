import assert from 'node:assert/strict'
import { it } from 'node:test'
import { emptyFigures, emptyLedger } from '../protocol/ledger.ts'
import { endWarnings } from './end-warnings.ts'

const sink = (id: string, bucket: string, prefix: string) => ({
  id,
  type: 'object',
  config: { bucket, prefix, format: 'ndjson' },
  inputs: ['in']
})
const nodes = [
  { id: 'in', type: 'generate', config: { count: 9, fields: { n: 'n' } }, inputs: [] },
  sink('out', 'plant', 'out/'),
  sink('other', 'plant', 'other/')
]
const figure = { ...emptyFigures(), recordsIn: 9, recordsOut: 9 }

it('says which objects count as written and have not been seen to reach their bucket', () => {
  const publication = (key: string) => ({ file: 'f', bucket: 'plant', key, contentType: 'application/x-ndjson' })
  const ended = (keys: readonly string[]) =>
    endWarnings({
      nodes,
      figures: {
        ledger: { ...emptyLedger(), recordsRead: 9, recordsWritten: 18, recordsAdded: 9 },
        nodes: { in: figure, out: figure, other: figure }
      },
      status: 'stopped',
      isReplay: false,
      known: [],
      publications: keys.map(publication)
    })
  assert.deepEqual(ended([]), [])
  const [warning, ...more] = ended(['out/1', 'out/2'])
  assert.deepEqual([warning?.nodeId, warning?.code, more], ['out', 'not_delivered', []])
  assert.match(warning?.message ?? '', /^2 objects of out may not be in plant yet: .* start the pipeline again/)
})
