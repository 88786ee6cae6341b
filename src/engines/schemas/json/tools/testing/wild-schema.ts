import fc from 'fast-check'

type Node = Record<string, unknown>

/** Schemas of draft 2020-12 with any keywords beside each other, whether or not there are values that fit. */
export function wildSchema(): fc.Arbitrary<Node> {
  const { schema } = fc.letrec<{ schema: Node | boolean }>((tie) => {
    const inner = tie('schema')
    const list = fc.array(inner, { minLength: 1, maxLength: 3 })
    const name = fc.constantFrom('a', 'b', '__proto__', 'toString')
    const named = fc.dictionary(name, inner, { maxKeys: 3, noNullPrototype: true })
    const count = fc.nat(4)
    const number = fc.constantFrom(-1, 0, 0.1, 3, 1e300, -1e-300, 2 ** 53)
    const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')
    const keywords = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1 })),
      enum: fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 }),
      const: fc.jsonValue(),
      minimum: number,
      maximum: number,
      exclusiveMinimum: number,
      exclusiveMaximum: number,
      multipleOf: fc.constantFrom(0.1, 3, 1e-300, 1e300),
      minLength: count,
      maxLength: count,
      pattern: fc.constantFrom(
        '^a+$',
        '(a)\\1',
        '^(?!x).$',
        '[^]',
        '$.',
        '\\p{Emoji}',
        'a{3,2}|b'.slice(7),
        '(?<n>b)\\k<n>'
      ),
      format: fc.constantFrom('date', 'email', 'int32', 'unknown'),
      required: fc.uniqueArray(name),
      properties: named,
      patternProperties: fc.dictionary(fc.constantFrom('^a', '.', 'x'), inner, { maxKeys: 2, noNullPrototype: true }),
      additionalProperties: inner,
      propertyNames: inner,
      minProperties: count,
      maxProperties: count,
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name), { maxKeys: 2, noNullPrototype: true }),
      dependentSchemas: named,
      unevaluatedProperties: inner,
      items: inner,
      prefixItems: list,
      contains: inner,
      minContains: count,
      maxContains: count,
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
      unevaluatedItems: inner,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: inner,
      if: inner,
      else: inner,
      $ref: fc.constantFrom('#/$defs/x', '#/$defs/y'),
      default: fc.jsonValue(),
      examples: fc.array(fc.jsonValue(), { maxLength: 2 }),
      title: fc.string(),
      description: fc.string()
    }
    const some = fc
      .uniqueArray(fc.constantFrom(...(Object.keys(keywords) as (keyof typeof keywords)[])), { maxLength: 4 })
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map((keyword) => [keyword, keywords[keyword]])) as object))
    return {
      schema: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        { arbitrary: fc.boolean(), weight: 1 },
        { arbitrary: some as fc.Arbitrary<Node>, weight: 6 }
      )
    }
  })
  const node = schema.map((each) => (typeof each === 'boolean' ? { not: !each } : each))
  return fc
    .tuple(node, node, node)
    .map(([top, x, y]) => ({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...top, $defs: { x, y } }))
}
