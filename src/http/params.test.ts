import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Params, PlainParams } from './params.ts'
import { read, resourceOf } from './route.ts'
import { Type } from './type.ts'

const facts = { operationId: 'x', summary: '', permission: 'public', answer: Type.Object({}) } as const
const id = Type.String({ maxLength: 64 })

describe('parameters of an address', () => {
  it('tell the resource that it is about, beside their schema', () => {
    const params = Params('pipeline', 'id', { id, runId: id })
    const route = read({ ...facts, path: '/pipelines/:id/runs/:runId', params }, ({ params }) => ({
      ran: params.runId
    }))
    assert.deepEqual(resourceOf(route), { kind: 'pipeline', by: 'id' })
    assert.deepEqual({ ...params }, Type.Object({ id, runId: id }))
  })

  it('may be about none, as an address without parameters is', () => {
    assert.equal(
      resourceOf(read({ ...facts, path: '/x/:slash', params: PlainParams({ slash: id }) }, () => ({}))),
      undefined
    )
    assert.equal(resourceOf(read({ ...facts, path: '/x' }, () => ({}))), undefined)
  })

  it('do not compile where they say nothing, or what is not there', () => {
    // @ts-expect-error: what it is about is not said
    read({ ...facts, path: '/x/:id', params: Type.Object({ id }) }, () => ({}))
    // @ts-expect-error: there is no such parameter
    Params('pipeline', 'runId', { id })
    // @ts-expect-error: there is no such kind
    Params('pipelines', 'id', { id })
  })
})
