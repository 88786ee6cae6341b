import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as avro from './index.ts'
import cases from './testing/cases.json' with { type: 'json' }
import { changes, changesInShort, isCompatible } from './testing/compatibility.ts'
import { checkSwapped, checkValues, checkVerdicts } from './testing/properties.ts'

const record = (...fields: unknown[]) => ({ type: 'record', name: 'R', fields })
const field = (name: string, type: unknown, more: object = {}) => ({ name, type, ...more })
const letters = (symbols: string, more: object = {}) => ({ type: 'enum', name: 'E', symbols: [...symbols], ...more })

/** What is written, what it is read with, and the changes in each direction. */
const EXAMPLES: readonly (readonly [before: unknown, after: unknown, there: string[], back: string[]])[] = [
  ['int', 'long', [' type_promoted'], [' type_changed']],
  ['long', 'double', [' type_promoted_inexactly'], [' type_changed']],
  ['string', 'bytes', [' type_promoted'], [' bytes_read_as_text']],
  [
    { type: 'array', items: 'int' },
    { type: 'array', items: 'string' },
    ['/items type_changed'],
    ['/items type_changed']
  ],
  [
    { type: 'map', values: 'int' },
    { type: 'map', values: 'long' },
    ['/values type_promoted'],
    ['/values type_changed']
  ],
  [
    { type: 'int', logicalType: 'date' },
    { type: 'int', logicalType: 'time-millis', unit: 1 },
    ['/logicalType logical_type_changed', '/unit property_changed'],
    ['/logicalType logical_type_changed', '/unit property_changed']
  ],
  [
    { type: 'fixed', name: 'F', size: 4 },
    { type: 'fixed', name: 'F', size: 8, doc: 'Eight' },
    ['/doc doc_changed', '/size fixed_size_changed'],
    ['/doc doc_changed', '/size fixed_size_changed']
  ],
  [
    letters('ABC'),
    letters('ABD', { default: 'A' }),
    ['/symbols/C enum_symbol_read_as_default', '/symbols/D enum_symbol_added', '/default enum_default_changed'],
    ['/symbols/D enum_symbol_removed', '/symbols/C enum_symbol_added', '/default enum_default_changed']
  ],
  [letters('AB'), letters('BA'), ['/symbols enum_symbols_reordered'], ['/symbols enum_symbols_reordered']],
  [
    record(field('a', 'int'), field('b', 'int', { default: 1 })),
    record(field('a', 'int'), field('c', 'int')),
    ['/fields/c field_added_without_default', '/fields/b field_removed'],
    ['/fields/b field_added_with_default', '/fields/c field_removed']
  ],
  [
    record(field('a', 'int', { default: 1 })),
    record(field('a', 'int', { default: 2, order: 'ignore' })),
    ['/fields/a/order sort_order_changed', '/fields/a/default default_changed'],
    ['/fields/a/order sort_order_changed', '/fields/a/default default_changed']
  ],
  [
    record(field('a', 'int')),
    record(field('a', 'int', { default: 1 })),
    ['/fields/a/default default_added'],
    ['/fields/a/default default_removed']
  ],
  [
    record(field('a', 'int'), field('b', 'int')),
    record(field('b', 'int'), field('a', 'int')),
    ['/fields fields_reordered'],
    ['/fields fields_reordered']
  ],
  [
    record(field('a', 'int')),
    record(field('b', 'int', { aliases: ['a'] })),
    ['/fields/b/name field_renamed_with_alias', '/fields/b/aliases aliases_changed'],
    ['/fields/b/name field_renamed_without_alias']
  ],
  [
    record(field('a', 'int', { default: 0 })),
    record(field('b', 'int', { aliases: ['a'], default: 0 })),
    ['/fields/b/name field_renamed_with_alias', '/fields/b/aliases aliases_changed'],
    ['/fields/b/name field_renamed_read_as_default']
  ],
  [
    record(field('a', 'int'), field('b', 'int')),
    record(field('a', 'int', { aliases: ['b'] })),
    ['/fields/a field_ambiguous'],
    ['/fields/a/aliases aliases_changed', '/fields/b field_added_without_default']
  ],
  [record(), { ...record(), name: 'S' }, ['/name name_changed'], ['/name name_changed']],
  [record(), { ...record(), type: 'error' }, ['/type record_kind_changed'], ['/type record_kind_changed']],
  [record(), { ...record(), namespace: 'n' }, ['/name namespace_changed'], ['/name namespace_changed']],
  [
    record(),
    { ...record(), name: 'S', aliases: ['R'] },
    ['/name name_changed_with_alias', '/aliases aliases_changed'],
    ['/name name_changed', '/aliases aliases_changed']
  ],
  [
    ['null', 'int'],
    ['int', 'null', 'string'],
    [' union_branches_reordered', '/string union_branch_added'],
    [' union_branches_reordered', '/string union_branch_removed']
  ],
  [
    'int',
    ['null', 'int'],
    [' union_made', '/null union_branch_added'],
    [' union_unmade', '/null union_branch_removed']
  ],
  [
    ['int'],
    ['long'],
    ['/int type_promoted', '/long union_branch_added'],
    ['/long union_branch_removed', '/int union_branch_added']
  ],
  [
    ['null', record(field('a', 'int'))],
    ['null', record(field('a', 'string'))],
    ['/R/fields/a/type type_changed'],
    ['/R/fields/a/type type_changed']
  ]
]

describe('Differences of Avro schemas', () => {
  for (const [before, after, there, back] of EXAMPLES) {
    test(`${JSON.stringify(before)} → ${JSON.stringify(after)}`, () => {
      assert.deepEqual(changesInShort(before, after), there)
      assert.deepEqual(changesInShort(after, before), back)
      assert.deepEqual(changesInShort(before, before), [])
    })
  }

  test('Every rule comes up, and each has a code of its own', () => {
    const codes = EXAMPLES.flatMap(([, , there, back]) => [...there, ...back]).map((change) => change.split(' ')[1])
    const rules = Object.values(avro.RULES).map(({ code }) => code.slice('avro.'.length))
    assert.deepEqual([...new Set(codes)].sort(), [...rules].sort())
  })

  test('Messages say what happens to whom, with names and values', () => {
    const say = (before: unknown, after: unknown) =>
      changes(before, after).map((one) => one.rule.message(one, { writer: 'version 1', reader: 'version 2' }))
    const order = (age: unknown) =>
      record(field('customer', { type: 'record', name: 'C', fields: [field('age', age)] }))
    assert.deepEqual(say(order('long'), order('int')), [
      "Data of type long in field customer.age, which version 1 writes, can't be read as int by readers of version 2."
    ])
    assert.deepEqual(say(letters('AB'), letters('A')), [
      'The symbol B at the top level, which version 1 allows, is refused by readers of version 2, which has no default symbol.'
    ])
    assert.deepEqual(
      say(
        record(field('a', { type: 'array', items: ['null', 'int'] })),
        record(field('a', { type: 'array', items: ['int'] }))
      ),
      ['Data of type null in field a[], which version 1 allows, are refused by readers of version 2.']
    )
  })

  test('Types that hold themselves are looked at once', () => {
    const list = (head: string) => ({
      type: 'record',
      name: 'L',
      fields: [field('head', head), field('tail', ['null', 'L'])]
    })
    assert.deepEqual(changesInShort(list('long'), list('int')), ['/fields/head/type type_changed'])
  })

  test('What was taken for readable within a type that is not is forgotten', () => {
    // B can be read as long as A can, which proves wrong only after B was found readable. Both have another reader.
    const schema = (last: string, others: (of: string) => unknown[]) => {
      const inner = { type: 'record', name: 'B', fields: [field('a', ['null', 'A'])] }
      const outer = { type: 'record', name: 'A', fields: [field('b', inner), field('z', last)] }
      return record(field('first', [outer, ...others('A')]), field('second', ['B', ...others('B')]))
    }
    const written = schema('int', () => [])
    const read = schema('string', (of) => [{ type: 'record', name: `Other${of}`, aliases: [of], fields: [] }])
    const breaking = changes(written, read).filter(({ rule }) => rule.breaks)
    assert.deepEqual(breaking, [])
  })

  test('A type of several fields is reported at the same one whatever their order', () => {
    const uses = (size: number, ...[first, second]: [string, string]) =>
      record(field(first, { type: 'fixed', name: 'F', size }), field(second, 'F'))
    const places = ['/fields fields_reordered', '/fields/a/type/size fixed_size_changed']
    assert.deepEqual(changesInShort(uses(1, 'a', 'b'), uses(2, 'b', 'a')), places)
    assert.deepEqual(changesInShort(uses(2, 'b', 'a'), uses(1, 'a', 'b')), places)
  })

  test('Long defaults and lists are cut', () => {
    const before = record(field('a', 'string', { default: 'x'.repeat(1000) }))
    const [change] = changes(before, record(field('a', 'string', { default: '' })))
    assert.ok(String(change?.before).length < 200)
  })
})

test('Verdicts are those that users of the Java library know', () => {
  assert.equal(cases.length, 356)
  const wrong = cases.filter((one) => {
    const older = one.mode.endsWith('_TRANSITIVE') ? [...(one.history ?? []), one.old] : [one.old]
    return older.every((old) => isCompatible(old, one.new, one.mode)) !== one.compatible
  })
  assert.deepEqual(
    wrong.map(({ id }) => id),
    []
  )
})

test('Data can be read exactly when avsc reads them', () => checkVerdicts(250))
test('Data that can be read give values of the schema they are read with', () => checkValues(150))
test('The same changes are found in the same places with the sides swapped', () => checkSwapped(200))
