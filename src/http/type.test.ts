import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './type.ts'

/** The same schema, made by whichever builders are given. */
function build(type: typeof Type): object {
  return type.Object(
    {
      text: type.String({ maxLength: 3, description: 'text' }),
      bare: type.String(),
      optional: type.Optional(type.Integer({ minimum: 1 })),
      number: type.Number(),
      yes: type.Boolean({ description: 'yes or no' }),
      nothing: type.Null(),
      anything: type.Unknown(),
      unsafe: type.Optional(type.Unsafe<'a'>({ type: 'string', enum: ['a'] })),
      list: type.Array(type.String({ pattern: '^a$' }), { maxItems: 5 }),
      either: type.Union([type.String(), type.Object({ id: type.String() }, { additionalProperties: false })]),
      map: type.Object({}, { additionalProperties: type.Number() }),
      none: type.Object({ only: type.Optional(type.String()) })
    },
    { $id: 'Thing', additionalProperties: false, examples: [{ text: 'a' }] }
  )
}

test('schemas are those that TypeBox itself makes', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(build(Type))), JSON.parse(JSON.stringify(build(TypeBox as typeof Type))))
})

test('a schema that is made optional is not changed itself', () => {
  const schema = Type.String()
  Type.Optional(schema)
  assert.deepEqual(Type.Object({ schema }).required, ['schema'])
})
