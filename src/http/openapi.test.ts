// Once: the description of the API.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import type { LoadedArea } from '../app.ts'
import { ERRORS } from '../errors.ts'
import { describeApi } from './openapi.ts'
import { read } from './route.ts'
import { Nullable } from './schemas.ts'
import { Type } from './type.ts'

type Json = Record<string, unknown>

/** Every object in the description, with the way to it. */
function* objectsIn(value: unknown, path = '#'): Generator<[path: string, object: Json]> {
  if (typeof value !== 'object' || value === null) return
  yield [path, value as Json]
  for (const [name, member] of Object.entries(value)) {
    yield* objectsIn(member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

describe('the OpenAPI description', () => {
  let test: TestApp
  let api: Json

  before(async () => {
    test = await startTestApp()
    api = (await test.call('GET', '/api/openapi.json')).body
  })
  after(() => test.close())

  it('needs no token and is what the code describes', async () => {
    assert.deepEqual(api, JSON.parse(JSON.stringify(await test.app.describe())))
  })

  it('refers only to what is in it, and uses everything it keeps to be referred to', () => {
    const components = api.components as Record<string, Json>
    const used = new Set<unknown>()
    for (const [path, { $ref }] of objectsIn(api)) {
      if ($ref === undefined) continue
      const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(String($ref)) ?? []
      assert.ok(components[kind]?.[name], `${path} refers to ${$ref}`)
      used.add(`${kind}/${name}`)
    }
    for (const [kind, members] of Object.entries(components)) {
      if (kind === 'securitySchemes') continue
      for (const name of Object.keys(members)) assert.ok(used.has(`${kind}/${name}`), `${kind}/${name} is not used`)
    }
  })

  it('lists every code of an error in an order of its own, not in that in which areas are loaded', () => {
    const { Problem } = (api.components as { schemas: Record<string, { properties: { code: Json } }> }).schemas
    assert.deepEqual(Problem?.properties.code.enum, Object.keys(ERRORS).sort())
  })

  it('leaves no $id, which would change what a $ref is relative to', () => {
    for (const [path, object] of objectsIn(api)) assert.ok(!('$id' in object), path)
  })

  it('has schemas that are valid, and examples that fit them', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ajvFormats.default(ajv)
    ajv.addSchema(api, 'api.json')
    const shared = (api.components as { examples?: Record<string, Json> }).examples ?? {}
    let checked = 0
    const check = (validate: ValidateFunction, path: string, example: unknown) => {
      assert.ok(validate(example), `${path}: ${ajv.errorsText(validate.errors)}`)
      checked++
    }
    // Most operations share schemas with others, above all those of their errors.
    const compiled = new Map<string, ValidateFunction>()
    const compile = (path: string, schema: unknown) => {
      const text = JSON.stringify(schema)
      const validate = compiled.get(text) ?? ajv.compile({ $ref: `api.json${encodeURI(path)}` })
      compiled.set(text, validate)
      return validate
    }
    for (const [path, object] of objectsIn(api)) {
      const { schema, examples } = object
      if (Array.isArray(examples)) for (const example of examples) check(compile(path, object), path, example)
      if (schema === undefined) continue
      const validate = compile(`${path}/schema`, schema)
      for (const one of Object.values((examples ?? {}) as Record<string, { value?: unknown; $ref?: string }>)) {
        const { value } = one.$ref === undefined ? one : (shared[one.$ref.split('/').at(-1) as string] as Json)
        check(validate, path, value)
      }
    }
    assert.ok(checked > 100, `only ${checked} examples`)
  })

  it('declares every parameter of a path, and no other', () => {
    for (const [path, methods] of Object.entries(api.paths as Record<string, Record<string, Json>>)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters, operationId } of Object.values(methods)) {
        const declared = (parameters as { name: string; in: string }[]).filter((one) => one.in === 'path')
        assert.deepEqual(
          declared.map(({ name }) => name),
          named,
          String(operationId)
        )
      }
    }
  })
})

describe('a description of two operations', () => {
  const area = (...answers: Parameters<typeof Type.Object>[]): LoadedArea => ({
    name: 'things',
    about: 'Things.',
    routes: answers.map(([properties, options], index) =>
      read(
        {
          path: `/things/${index}`,
          operationId: `get${index}`,
          summary: 'Get it',
          permission: 'public',
          answer: Type.Object(properties, options)
        },
        () => ({})
      )
    )
  })
  const schemasOf = (one: LoadedArea) => (describeApi([one], '1').components as { schemas: Json }).schemas

  it('names a schema that both have once', () => {
    const { Thing } = schemasOf(
      area([{ a: Type.String() }, { $id: 'Thing' }], [{ a: Type.String() }, { $id: 'Thing' }])
    )
    assert.deepEqual(Thing, { type: 'object', required: ['a'], properties: { a: { type: 'string' } } })
  })

  it('fails where two different schemas have one name', () => {
    const differing = area([{ a: Type.String() }, { $id: 'Thing' }], [{ a: Type.Integer() }, { $id: 'Thing' }])
    assert.throws(() => schemasOf(differing), /Two different schemas are called Thing/)
    const Thing = Type.Object({ a: Type.String() }, { $id: 'Thing' })
    assert.throws(() => schemasOf(area([{ one: Thing, other: Nullable(Thing) }])), /called Thing/)
  })
})
