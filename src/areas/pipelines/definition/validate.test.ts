import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { SHUT_OFF } from '../../../engines/sql-options.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { checkNodes } from '../host/check-nodes.ts'
import { Validator } from './validate.ts'

const EDITOR: Actor = { id: 'u', name: 'u', role: 'editor', scopes: undefined, apiKeyId: undefined }

describe('Validator', () => {
  let instance: DuckDBInstance
  let asked = 0

  before(async () => {
    instance = await DuckDBInstance.create(':memory:', { ...SHUT_OFF, threads: '1' })
  })
  after(() => instance.closeSync())

  const validator = new Validator({
    checkAway: (_caller, nodes) => checkNodes(instance, nodes),
    async bucketExists(name) {
      asked += 1
      return name === 'there'
    },
    sourceExists: async () => false,
    guard: { requireAll: async () => {} },
    isNameOfSource: async (name) => name.startsWith('press'),
    schemaOf: async () => {
      throw new Problem('not_found')
    },
    rulesOf: async () => [],
    quotedBy: async () => [],
    connectorOf: async () => ({ field: 'connectorId', problem: 'there is none' })
  })
  const problemOf = async (nodes: readonly PipelineNode[], actor = EDITOR): Promise<Problem> => {
    const problem = await validator.check(actor, nodes).catch((error: unknown) => error)
    assert.ok(problem instanceof Problem)
    return problem
  }
  const told = (errors: readonly FieldError[] = []) => errors.map(({ pointer, message }) => `${pointer} ${message}`)

  const node = (id: string, type: string, inputs: string[], config: object): PipelineNode => {
    return { id, type, inputs, config: config as PipelineNode['config'] }
  }
  const objects = (id: string, input: string, bucket: string) =>
    node(id, 'object', [input], { bucket, prefix: 'o/', format: 'csv' })

  const ALL_WRONG = [
    node('in', 'file', [], { reference: 'object://gone/*.csv', watch: 'yes' }),
    node('files', 'file', [], { reference: 'object://gone/*.csv' }),
    node('named', 'map', ['files', 'nobody'], { select: { a: 'to_float(v)' } }),
    node('right', 'map', ['files'], { select: { a: 'upper(v)' } }),
    node('round', 'filter', ['again'], { where: 'nope(v)' }),
    node('again', 'filter', ['round'], { where: 'v > 1' }),
    node('fit', 'validate', ['named'], { schemaId: 'sch_none' }),
    node('loose', 'filter', ['right'], { where: 'v +' }),
    node('what', 'wat', ['right'], {}),
    objects('out', 'fit', 'missing'),
    objects('fine', 'right', 'there'),
    node('points', 'series', ['right'], { source: 'src_1', time: 't', tag: 'g', value: 'v' }),
    node('sent', 'http', ['right'], { url: 'https://a.example', headers: { authorization: '********' } })
  ]
  const EXPECTED = [
    /^\/nodes\/0 in: no node takes the output of file/,
    /^\/nodes\/0\/config\/watch in: /,
    /^\/nodes\/1\/config\/reference files: there is no bucket gone/,
    /^\/nodes\/2\/inputs\/1 named: there is no node nobody/,
    /^\/nodes\/2\/inputs named: map takes 1 input/,
    /^\/nodes\/2\/config\/select\/a named: .*to_float does not exist/,
    /^\/nodes\/4\/inputs round: is in a cycle/,
    /^\/nodes\/4\/config\/where round: .*nope does not exist/,
    /^\/nodes\/6\/config\/schemaId fit: there is no schema sch_none/,
    /^\/nodes\/7 loose: no node takes the output of filter/,
    /^\/nodes\/7\/config\/where loose: syntax error/,
    /^\/nodes\/8\/type what: there is no type wat/,
    /^\/nodes\/9\/config\/bucket out: there is no bucket missing/,
    /^\/nodes\/11\/config\/source points: there is no source/,
    /^\/nodes\/12\/config\/headers\/authorization sent: holds \*+ in place/
  ]

  it('tells all that is wrong at once: graph, configurations, SQL, secrets, and what is not there', async () => {
    const { code, errors } = await problemOf(ALL_WRONG)
    const faults = told(errors)
    for (const expected of EXPECTED)
      assert.ok(
        faults.some((fault) => expected.test(fault)),
        `${expected}\n${faults.join('\n')}`
      )
    assert.deepEqual([code, faults.length], ['invalid_request', EXPECTED.length], faults.join('\n'))
  })

  it('says that an id is wanted where somebody gave the name of a source', async () => {
    for (const source of ['press-line', 'Press line', 'press']) {
      const points = node('points', 'series', ['in'], { source, time: 't', tag: 'g', value: 'v' })
      const { errors } = await problemOf([node('in', 'webhook', [], {}), points])
      const [fault = '', ...others] = told(errors)
      assert.match(fault, /^\/nodes\/1\/config\/source points: there is no source in the catalog/)
      assert.deepEqual([others, fault.includes('give its id')], [[], source.startsWith('press')])
    }
  })

  it('asks stored rules of nothing on behalf of somebody who may not see them', async () => {
    const nodes = [
      node('in', 'webhook', [], {}),
      node('gate', 'quality', ['in'], { ruleIds: ['qr_1'] }),
      objects('out', 'gate', 'there')
    ]
    const reader: Actor = { ...EDITOR, scopes: ['pipelines:write'] }
    await assert.rejects(validator.checkAlone(reader, nodes), { code: 'permission_denied' })
    const all: Actor = { ...EDITOR, scopes: ['pipelines:write', 'quality:read'] }
    await assert.rejects(validator.checkAlone(all, nodes), { code: 'invalid_request' })
  })

  it('looks for no bucket on behalf of somebody who may not', async () => {
    asked = 0
    const reader: Actor = { ...EDITOR, scopes: ['pipelines:write'] }
    const { code, errors } = await problemOf(ALL_WRONG, reader)
    assert.deepEqual([code, asked], ['invalid_request', 0])
    assert.ok(told(errors).every((fault) => !fault.includes('there is no bucket')))
    const sound = [node('in', 'webhook', [], {}), objects('out', 'in', 'missing')]
    assert.deepEqual([(await problemOf(sound, reader)).code, asked], ['permission_denied', 0])
  })
})
