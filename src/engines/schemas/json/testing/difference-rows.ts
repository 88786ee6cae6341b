type Row = [written: unknown, read: unknown, forth: string[], back: string[]]

const modern = { $schema: 'https://json-schema.org/draft/2020-12/schema' }
const array = { type: 'array' }
const object = { type: 'object' }
const closed = { type: 'object', additionalProperties: false }

/** What is found for data of the first schema read with the second, and the other way. */
export const DIFFERENCE_ROWS: Readonly<Record<string, readonly Row[]>> = {
  types: [
    [{ type: 'string' }, { type: 'number' }, ['type_changed '], ['type_changed ']],
    [{ type: 'integer' }, { type: 'number' }, ['type_widened /type'], ['type_narrowed /type']],
    [{ minLength: 1 }, { type: 'string', minLength: 1 }, ['type_made_explicit /type'], ['type_left_open /type']],
    [{ type: 'string' }, {}, ['schema_widened '], ['type_changed ']],
    [false, { type: 'null' }, ['schema_widened '], ['type_changed ']],
    [{ type: 'null' }, { type: ['string', 'null'] }, ['alternative_added /type'], ['alternative_removed /type']]
  ],
  strings: [
    [
      { type: 'string', minLength: 2 },
      { type: 'string', minLength: 1 },
      ['string_length_widened /minLength'],
      ['string_length_narrowed /minLength']
    ],
    [
      { type: 'string', maxLength: 2 },
      { type: 'string' },
      ['string_length_widened /maxLength'],
      ['string_length_narrowed /maxLength']
    ],
    [{ type: 'string', minLength: 0 }, { type: 'string' }, [], []],
    [{ type: 'string', pattern: 'a' }, { type: 'string' }, ['pattern_removed /pattern'], ['pattern_added /pattern']],
    [
      { type: 'string', pattern: 'a' },
      { type: 'string', pattern: 'b' },
      ['pattern_changed /pattern'],
      ['pattern_changed /pattern']
    ],
    [{ type: 'string', format: 'date' }, { type: 'string' }, ['format_removed /format'], ['format_added /format']],
    [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'time' },
      ['format_changed /format'],
      ['format_changed /format']
    ],
    [
      { type: 'string', contentEncoding: 'base64' },
      { type: 'string' },
      ['content_removed /contentEncoding'],
      ['content_added /contentEncoding']
    ],
    [
      { type: 'string', contentMediaType: 'a/b' },
      { type: 'string', contentMediaType: 'a/c' },
      ['content_changed /contentMediaType'],
      ['content_changed /contentMediaType']
    ]
  ],
  numbers: [
    [
      { type: 'number', minimum: 2 },
      { type: 'number', minimum: 1 },
      ['number_range_widened /minimum'],
      ['number_range_narrowed /minimum']
    ],
    [
      { type: 'number', exclusiveMaximum: 2 },
      { type: 'number', maximum: 2 },
      ['number_range_widened /maximum'],
      ['number_range_narrowed /maximum']
    ],
    [{ type: 'number', minimum: 1, exclusiveMinimum: 1 }, { type: 'number', exclusiveMinimum: 1 }, [], []],
    [
      { type: 'number', multipleOf: 0.3 },
      { type: 'number', multipleOf: 0.1 },
      ['multiple_of_widened /multipleOf'],
      ['multiple_of_narrowed /multipleOf']
    ],
    [
      { type: 'number', multipleOf: 4 },
      { type: 'number', multipleOf: 6 },
      ['multiple_of_narrowed /multipleOf'],
      ['multiple_of_narrowed /multipleOf']
    ]
  ],
  properties: [
    [
      object,
      { ...object, properties: { a: { type: 'string' } } },
      ['property_added_to_open_object /properties/a'],
      ['property_removed_from_open_object /properties/a']
    ],
    [
      object,
      { ...object, properties: { a: {} } },
      ['property_without_constraint_added /properties/a'],
      ['property_removed_from_open_object /properties/a']
    ],
    [
      closed,
      { ...closed, properties: { a: { type: 'string' } } },
      ['property_added_to_closed_object /properties/a'],
      ['property_removed_from_closed_object /properties/a']
    ],
    [
      closed,
      { ...closed, properties: { a: false } },
      ['property_added_to_closed_object /properties/a'],
      ['impossible_property_removed /properties/a']
    ],
    [
      { ...object, additionalProperties: { type: 'string' } },
      { ...object, additionalProperties: { type: 'string' }, properties: { a: { type: 'string' } } },
      ['property_added_covered /properties/a'],
      ['property_removed_covered /properties/a']
    ],
    [
      { ...object, additionalProperties: { type: 'string' } },
      { ...object, additionalProperties: { type: 'string' }, properties: { a: { type: 'number' } } },
      ['type_changed /properties/a', 'property_added_uncovered /properties/a'],
      ['type_changed /properties/a', 'property_removed_uncovered /properties/a']
    ],
    [
      { ...closed, patternProperties: { '^a': { type: 'string' } } },
      { ...closed, patternProperties: { '^a': { type: 'string' } }, properties: { ab: { type: 'string' } } },
      ['property_added_covered /properties/ab'],
      ['property_removed_from_open_object /properties/ab']
    ],
    [
      { ...object, properties: { '~/': { type: 'string' } } },
      { ...object, properties: { '~/': { type: 'null' } } },
      ['type_changed /properties/~0~1'],
      ['type_changed /properties/~0~1']
    ]
  ],
  required: [
    [{ ...object, required: ['a'] }, object, ['required_removed /required/a'], ['required_added /required/a']],
    [
      { ...object, properties: { a: { default: 1 } } },
      { ...object, properties: { a: { default: 1 } }, required: ['a'] },
      ['required_with_default_added /required/a'],
      ['required_removed /required/a']
    ],
    [
      closed,
      { ...closed, properties: { a: { type: 'string' } }, required: ['a'] },
      ['required_added /required/a', 'property_added_to_closed_object /properties/a'],
      ['required_removed /required/a', 'property_removed_from_closed_object /properties/a']
    ]
  ],
  'other properties': [
    [
      closed,
      object,
      ['additional_properties_allowed /additionalProperties'],
      ['additional_properties_refused /additionalProperties']
    ],
    [
      { ...object, additionalProperties: { type: 'null' } },
      object,
      ['additional_properties_widened /additionalProperties'],
      ['additional_properties_narrowed /additionalProperties']
    ],
    [object, { ...object, additionalProperties: {} }, [], []],
    [
      { ...object, patternProperties: { '^a': { type: 'null' } } },
      object,
      ['pattern_properties_removed /patternProperties/^a'],
      ['pattern_properties_added /patternProperties/^a']
    ],
    [
      { ...closed, patternProperties: { '^a': { type: 'null' } } },
      closed,
      ['pattern_properties_removed_uncovered /patternProperties/^a'],
      ['pattern_properties_added_covered /patternProperties/^a']
    ],
    [
      { ...object, propertyNames: { maxLength: 1 } },
      object,
      ['property_names_removed /propertyNames'],
      ['property_names_added /propertyNames']
    ],
    [
      { ...object, propertyNames: { maxLength: 1 } },
      { ...object, propertyNames: { maxLength: 2 } },
      ['string_length_widened /propertyNames/maxLength'],
      ['string_length_narrowed /propertyNames/maxLength']
    ],
    [
      { ...object, minProperties: 1 },
      object,
      ['object_size_widened /minProperties'],
      ['object_size_narrowed /minProperties']
    ],
    [
      { ...object, dependencies: { a: ['b', 'c'] } },
      { ...object, dependencies: { a: ['b'] } },
      ['dependency_loosened /dependencies/a'],
      ['dependency_tightened /dependencies/a']
    ],
    [
      { ...object, dependencies: { a: { required: ['b'] } } },
      object,
      ['dependent_schema_removed /dependencies/a'],
      ['dependent_schema_added /dependencies/a']
    ],
    [
      { ...modern, allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { ...modern, allOf: [{ properties: {} }], unevaluatedProperties: false },
      ['property_removed_from_open_object /allOf/0/properties/a', 'unevaluated_unclear /unevaluatedProperties'],
      ['property_without_constraint_added /allOf/0/properties/a', 'unevaluated_unclear /unevaluatedProperties']
    ],
    [
      { ...modern, allOf: [{ properties: { a: {} } }], type: 'object', unevaluatedProperties: false },
      { ...modern, allOf: [{ properties: { a: {} } }], type: 'object' },
      ['unevaluated_removed /unevaluatedProperties'],
      ['unevaluated_unclear /unevaluatedProperties']
    ],
    [
      { ...modern, ...object, unevaluatedProperties: false },
      { ...modern, ...object },
      ['additional_properties_allowed /additionalProperties'],
      ['additional_properties_refused /additionalProperties']
    ]
  ],
  arrays: [
    [{ ...array, maxItems: 1 }, array, ['array_length_widened /maxItems'], ['array_length_narrowed /maxItems']],
    [
      { ...array, uniqueItems: true },
      array,
      ['unique_items_removed /uniqueItems'],
      ['unique_items_added /uniqueItems']
    ],
    [
      { ...array, items: { type: 'null' } },
      array,
      ['additional_items_widened /items'],
      ['additional_items_narrowed /items']
    ],
    [{ ...array, items: false }, array, ['additional_items_allowed /items'], ['additional_items_refused /items']],
    [
      { ...array, items: [{ type: 'null' }] },
      array,
      ['item_removed_from_open_array /items/0'],
      ['item_added_to_open_array /items/0']
    ],
    [
      { ...array, items: [{}] },
      array,
      ['item_removed_from_open_array /items/0'],
      ['item_without_constraint_added /items/0']
    ],
    [
      { ...array, items: [{ type: 'null' }], additionalItems: false },
      { ...array, items: [{ type: 'null' }, { type: 'null' }], additionalItems: false },
      ['item_added_to_closed_array /items/1'],
      ['item_removed_from_closed_array /items/1']
    ],
    [
      { ...array, items: [true], additionalItems: false },
      { ...array, items: [true, false], additionalItems: false },
      ['item_added_to_closed_array /items/1'],
      ['impossible_item_removed /items/1']
    ],
    [
      { ...array, items: [true], additionalItems: { type: 'null' } },
      { ...array, items: [true, { type: 'null' }], additionalItems: { type: 'null' } },
      ['item_added_covered /items/1'],
      ['item_removed_covered /items/1']
    ],
    [
      { ...array, items: [true], additionalItems: { type: 'null' } },
      { ...array, items: [true, { type: 'string' }], additionalItems: { type: 'null' } },
      ['type_changed /items/1', 'item_added_uncovered /items/1'],
      ['type_changed /items/1', 'item_removed_uncovered /items/1']
    ],
    [
      { ...array, items: { type: 'null' } },
      { ...array, items: [{ type: 'null' }] },
      ['items_form_changed /items', 'item_added_covered /items/0', 'additional_items_widened /additionalItems'],
      ['items_form_changed /items', 'item_removed_covered /items/0', 'additional_items_narrowed /additionalItems']
    ],
    [{ ...array, contains: { type: 'null' } }, array, ['contains_removed /contains'], ['contains_added /contains']],
    [
      { ...array, contains: { minimum: 2 } },
      { ...array, contains: { minimum: 1 } },
      ['number_range_widened /contains/minimum'],
      ['number_range_narrowed /contains/minimum']
    ],
    [
      { ...modern, ...array, contains: { minimum: 2 }, maxContains: 2 },
      { ...modern, ...array, contains: { minimum: 1 }, maxContains: 2 },
      ['number_range_widened /contains/minimum', 'contains_changed /contains'],
      ['number_range_narrowed /contains/minimum']
    ],
    [
      { ...modern, ...array, contains: true, minContains: 2 },
      { ...modern, ...array, contains: true, minContains: 1 },
      ['contains_count_widened /minContains'],
      ['contains_count_narrowed /minContains']
    ],
    [
      { ...modern, ...array, prefixItems: [{ type: 'null' }] },
      { ...modern, ...array },
      ['item_removed_from_open_array /prefixItems/0'],
      ['item_added_to_open_array /prefixItems/0']
    ]
  ],
  values: [
    [{ enum: ['a'] }, { enum: ['a', 'b'] }, ['enum_extended /enum'], ['enum_reduced /enum']],
    [{ enum: ['a'] }, { enum: ['b'] }, ['enum_changed /enum'], ['enum_changed /enum']],
    [{ const: { a: 1, b: 2 } }, { enum: [{ b: 2, a: 1 }] }, [], []],
    [{ type: 'string', enum: ['a'] }, { type: 'string' }, ['constraint_removed '], ['constraint_added ']]
  ],
  combinations: [
    [
      { anyOf: [{ type: 'null' }] },
      { anyOf: [{ type: 'null' }, { type: 'string' }] },
      ['alternative_added /anyOf'],
      ['alternative_removed /anyOf']
    ],
    [
      { oneOf: [{ type: 'null' }] },
      { oneOf: [{ type: 'null' }, { type: 'string' }] },
      ['alternative_added /oneOf'],
      ['alternative_removed /oneOf']
    ],
    [
      { oneOf: [{ minimum: 5 }] },
      { oneOf: [{ minimum: 5 }, { maximum: 7 }] },
      ['alternative_added /oneOf', 'alternatives_may_overlap /oneOf'],
      ['alternative_removed /oneOf']
    ],
    [
      { anyOf: [{ type: 'string', maxLength: 1 }, { type: 'null' }] },
      { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 2 }] },
      ['string_length_widened /anyOf/0/maxLength'],
      ['string_length_narrowed /anyOf/0/maxLength']
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      ['alternative_removed /anyOf', 'alternative_added /anyOf'],
      ['alternative_removed /anyOf', 'alternative_added /anyOf']
    ],
    [
      { anyOf: [{ minimum: 1 }, { maximum: 1 }] },
      { oneOf: [{ minimum: 1 }, { maximum: 1 }] },
      ['combination_changed /anyOf', 'alternatives_may_overlap /anyOf'],
      ['combination_widened /anyOf']
    ],
    [
      { allOf: [{ minimum: 1 }, { type: 'number' }] },
      { allOf: [{ minimum: 1 }] },
      ['constraint_removed /allOf'],
      ['constraint_added /allOf']
    ],
    [{ not: { maxLength: 2 } }, { not: { maxLength: 1 } }, ['not_narrowed /not'], ['not_extended /not']],
    [
      { not: { type: 'string', minLength: 1 } },
      { not: { minLength: 1 } },
      ['not_extended /not'],
      ['not_narrowed /not']
    ],
    [
      { allOf: [{ type: 'string' }, { minimum: 1 }] },
      { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      [
        'combination_widened /allOf',
        'constraint_removed /allOf',
        'constraint_removed /allOf',
        'alternative_added /allOf',
        'alternative_added /allOf',
        'alternatives_changed /allOf'
      ],
      [
        'combination_changed /allOf',
        'alternative_removed /allOf',
        'alternative_removed /allOf',
        'constraint_added /allOf',
        'constraint_added /allOf'
      ]
    ],
    [
      { if: { type: 'null' }, else: { minimum: 1 } },
      { if: { type: 'string' }, else: { minimum: 1 } },
      ['condition_changed /if'],
      ['condition_changed /if']
    ],
    [
      { if: { type: 'null' }, else: { minimum: 2 } },
      { if: { type: 'null' }, else: { minimum: 1 } },
      ['number_range_widened /else/minimum'],
      ['number_range_narrowed /else/minimum']
    ]
  ],
  'what is easily missed': [
    [
      { ...modern, ...object, dependentRequired: { a: ['b'] } },
      { ...modern, ...object },
      ['dependency_loosened /dependentRequired/a'],
      ['dependency_tightened /dependentRequired/a']
    ],
    [
      { minimum: 5 },
      { oneOf: [{ minimum: 5 }, { maximum: 7 }] },
      ['alternative_added /oneOf', 'alternatives_may_overlap /oneOf'],
      ['alternative_removed /oneOf']
    ],
    [
      { oneOf: [{ minimum: 5 }, { type: 'null' }] },
      { oneOf: [{ minimum: 5 }, { type: 'null' }, { type: 'null' }] },
      ['alternative_added /oneOf', 'alternatives_may_overlap /oneOf'],
      ['alternative_removed /oneOf', 'alternatives_may_overlap /oneOf']
    ],
    [
      { ...closed, patternProperties: { '^(a|b)+$': { type: 'null' } } },
      { ...closed, patternProperties: { '^(a|b)+$': { type: 'null' } }, properties: { ab: { type: 'string' } } },
      ['type_changed /properties/ab', 'property_added_uncovered /properties/ab'],
      ['property_removed_from_closed_object /properties/ab']
    ],
    [
      { ...modern, ...object, allOf: [{ required: ['b'] }], properties: { a: {} }, unevaluatedProperties: false },
      { ...modern, ...object, allOf: [{ required: ['b'] }], unevaluatedProperties: false },
      ['property_removed_from_open_object /properties/a', 'unevaluated_unclear /unevaluatedProperties'],
      ['property_without_constraint_added /properties/a', 'unevaluated_unclear /unevaluatedProperties']
    ],
    [
      { ...modern, ...array, contains: { type: 'null' }, unevaluatedItems: false },
      { ...modern, ...array, prefixItems: [{ type: 'string' }] },
      [
        'item_added_to_open_array /prefixItems/0',
        'contains_removed /contains',
        'unevaluated_removed /unevaluatedItems'
      ],
      [
        'item_removed_from_open_array /prefixItems/0',
        'contains_added /contains',
        'unevaluated_unclear /unevaluatedItems'
      ]
    ],
    [
      { ...modern, $ref: '#/$defs/a', $defs: { a: {} } },
      { ...modern, $ref: '#/$defs/a', type: 'string', $defs: { a: {} } },
      ['type_changed '],
      ['schema_widened ']
    ]
  ],
  annotations: [
    [{ title: 'a' }, { title: 'b' }, ['title_changed /title'], ['title_changed /title']],
    [{ description: 'a' }, {}, ['description_changed /description'], ['description_changed /description']],
    [{ default: { a: 1, b: 2 } }, { default: { b: 2, a: 1 } }, [], []],
    [{ default: 1 }, { default: 2 }, ['default_changed /default'], ['default_changed /default']],
    [{ $id: 'http://a/b' }, { $id: 'http://a/c' }, ['id_changed /$id'], ['id_changed /$id']],
    [{ 'x-unit': 'm' }, { 'x-unit': 'km' }, ['annotation_changed /x-unit'], ['annotation_changed /x-unit']]
  ],
  references: [
    [
      { ...object, properties: { a: { $ref: '#/definitions/a' } }, definitions: { a: { maxLength: 1 } } },
      { ...object, properties: { a: { $ref: '#/definitions/b' } }, definitions: { b: { maxLength: 2 } } },
      ['string_length_widened /properties/a/maxLength'],
      ['string_length_narrowed /properties/a/maxLength']
    ],
    [
      { ...object, properties: { a: { $ref: '#' }, b: { maxLength: 1 } } },
      { ...object, properties: { a: { $ref: '#' }, b: { maxLength: 2 } } },
      ['string_length_widened /properties/b/maxLength'],
      ['string_length_narrowed /properties/b/maxLength']
    ],
    [
      { $ref: '#/definitions/a', type: 'string', definitions: { a: {} } },
      { $ref: '#/definitions/a', definitions: { a: {} } },
      [],
      []
    ]
  ]
}
