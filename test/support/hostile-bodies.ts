/** The part of JSON Schema that the schemas of the API are made of. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  items?: Schema
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

export interface Mutation {
  readonly label: string
  readonly value: unknown
}

const TEXTS = [
  'https://example.com',
  'internal',
  'users:read',
  'object://bucket/key',
  'text/plain',
  'x',
  'sch_1',
  'first'
]
const OF_EACH_TYPE: Record<string, unknown> = {
  string: 'text',
  number: 1.5,
  integer: 7,
  boolean: true,
  null: null,
  array: [],
  object: {}
}

/** A value that the schema allows, with every field that it knows. */
export function exampleOf(schema: Schema): unknown {
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] as Schema)
  if (schema.enum !== undefined) return schema.enum[0]
  switch (typesOf(schema)[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, exampleOf(member)])
      )
    case 'array':
      return [exampleOf(schema.items as Schema)]
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    default:
      return exampleText(schema)
  }
}

function exampleText({ format, pattern = '', minLength = 0 }: Schema): string {
  if (format === 'date-time') return '2999-01-01T00:00:00.000Z'
  const found = TEXTS.find((text) => new RegExp(pattern, 'u').test(text) && text.length >= minLength)
  if (found === undefined) throw new Error(`No example for ${pattern}: add one to TEXTS`)
  return found
}

/** The end of the label of a value for which the schema gives no type, so that the operation checks it itself. */
export const OF_ANY_TYPE = ', of any type'

/** Values that the schema forbids, each a small step away from one that it allows. */
export function mutationsOf(schema: Schema, where = ''): Mutation[] {
  const types = schema.anyOf === undefined ? typesOf(schema) : schema.anyOf.flatMap(typesOf)
  const wrongTypes = Object.entries(OF_EACH_TYPE)
    .filter(([type]) => !types.includes(type) && !(type === 'integer' && types.includes('number')))
    .map(([type, value]) => ({ label: `${where} is ${type}${types.length === 0 ? OF_ANY_TYPE : ''}`, value }))
  return [...wrongTypes, ...boundsOf(schema, where), ...membersOf(schema, where)]
}

function typesOf(schema: Schema): string[] {
  return [schema.type ?? []].flat()
}

function boundsOf(schema: Schema, where: string): Mutation[] {
  const found: Mutation[] = []
  const add = (label: string, value: unknown) => found.push({ label: `${where} ${label}`, value })
  if (schema.enum !== undefined) add('is no choice', 'constructor')
  if (schema.maxLength !== undefined) add('is too long', 'x'.repeat(schema.maxLength + 1))
  if (schema.maxLength !== undefined) add('is far too long', 'x'.repeat(100_000))
  if (schema.minLength !== undefined) add('is empty', '')
  if (schema.pattern !== undefined) add('does not fit', ' \n ')
  if (schema.format === 'date-time') {
    for (const text of ['yesterday', '2030-02-30T00:00:00Z', '2030-12-31T23:59:60Z', '9999-12-31T23:59:59-05:00']) {
      add(text, text)
    }
  }
  if (schema.maximum !== undefined) for (const value of [schema.maximum + 1, 2 ** 64, 1e308]) add(`is ${value}`, value)
  if (schema.minimum !== undefined) for (const value of [schema.minimum - 1, -1e308]) add(`is ${value}`, value)
  if (typesOf(schema).includes('integer')) add('is a fraction', (schema.minimum ?? 0) + 0.5)
  if (schema.maxItems !== undefined) {
    add(
      'has too many items',
      Array.from({ length: schema.maxItems + 1 }, (_, index) => `x${index}`)
    )
  }
  if (schema.minItems !== undefined) add('has no items', [])
  return found
}

/** Mutations one level deeper: one member wrong, one missing, one too many. */
function membersOf(schema: Schema, where: string): Mutation[] {
  const found: Mutation[] = []
  for (const branch of schema.anyOf ?? []) found.push(...membersOf(branch, where))
  const { properties, items, required = [] } = schema
  if (items !== undefined) {
    for (const { label, value } of mutationsOf(items, `${where}/0`)) found.push({ label, value: [value] })
    found.push({ label: `${where} repeats`, value: [exampleOf(items), exampleOf(items)] })
  }
  if (properties === undefined) return found
  const good = exampleOf(schema) as Record<string, unknown>
  for (const [name, member] of Object.entries(properties)) {
    for (const { label, value } of mutationsOf(member, `${where}/${name}`)) {
      found.push({ label, value: { ...good, [name]: value } })
    }
  }
  for (const name of required) found.push({ label: `${where}/${name} is missing`, value: without(good, name) })
  if (schema.additionalProperties !== false) return found
  for (const name of ['unknown', 'constructor', 'toString', 'a/b~c', 'x'.repeat(10_000)]) {
    found.push({ label: `${where} has ${name.slice(0, 20)}`, value: { ...good, [name]: 1 } })
  }
  return found
}

function without(object: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _left, ...rest } = object
  return rest
}

const TEN_MEGABYTES = Buffer.alloc(10_000_000, '[')

/** Bodies that are wrong for every operation, as they go over the wire. */
export function brokenBodies(good: unknown): [label: string, body: string | Buffer][] {
  const text = JSON.stringify(good)
  const within = (member: string) => withMember(text, member)
  return [
    ['is empty', ''],
    ['is cut off', text.slice(0, -1)],
    ['has something behind it', `${text} x`],
    ['is blank', '   '],
    ['is an array', `[${text}]`],
    ['is a text', '"text"'],
    ['is null', 'null'],
    ['is NaN', 'NaN'],
    ['is a form', 'name=x&role=admin'],
    ['names __proto__', within('"__proto__":{"role":"admin"}')],
    ['names __proto__ in escapes', within('"\\u005f_pr\\u006fto__":{"role":"admin"}')],
    ['names __proto__ in one letter', within('"__\\u0070roto__":{"role":"admin"}')],
    ['names constructor', within('"constructor":{"prototype":{"role":"admin"}}')],
    ['holds NUL', within('"name":"a\\u0000b"')],
    ['names NUL', within('"a\\u0000b":1')],
    ['holds a raw NUL', within('"name":"a\0b"')],
    ['holds a lone surrogate', within('"name":"a\\ud800"')],
    ['holds a reversed pair', within('"name":"\\udc00\\ud800"')],
    ['holds 1e400', within('"rank":1e400')],
    ['is not UTF-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])],
    [
      'is an overlong encoding',
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')])
    ],
    ['is an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['is UTF-16', Buffer.from(text, 'utf16le')],
    ['is deep but valid', `${'['.repeat(2000)}${']'.repeat(2000)}`],
    ['is deep within a field', within(`"name":${'{"a":'.repeat(500)}1${'}'.repeat(500)}`)]
  ]
}

/** Further wrong bodies, which are so large that sending them to every operation takes long. */
export function hugeBodies(good: unknown, maxBodyBytes: number): [label: string, body: string | Buffer][] {
  const within = (member: string) => withMember(JSON.stringify(good), member)
  return [
    ['is 10 MB of brackets', TEN_MEGABYTES],
    ['is as many brackets as may be sent', TEN_MEGABYTES.subarray(0, maxBodyBytes)],
    ['has half a million faults', within(`"scopes":[${'1,'.repeat(maxBodyBytes / 2 - 200)}1]`)],
    ['has many unknown fields', within(Array.from({ length: 50_000 }, (_, index) => `"f${index}":1`).join())]
  ]
}

function withMember(text: string, member: string): string {
  return text === '{}' ? `{${member}}` : `${text.slice(0, -1)},${member}}`
}
